internal import Documents
internal import Glibc

PartialFiles.removeWhenProcessEnds()
let status = ScenarioTool.run(Array(CommandLine.arguments.dropFirst()), console: .standard)
exit(status.rawValue)
