internal import Glibc

let status = ScenarioTool.run(Array(CommandLine.arguments.dropFirst()), console: .standard)
exit(status.rawValue)
