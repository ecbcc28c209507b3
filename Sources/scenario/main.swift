internal import Documents
internal import Glibc

PartialFiles.removeWhenProcessEnds()
PartialFiles.removeWhenMemoryEnds(exitStatus: ExitStatus.outOfMemory.rawValue)
let status = ScenarioTool.run(Array(CommandLine.arguments.dropFirst()), console: .standard)
exit(status.rawValue)
