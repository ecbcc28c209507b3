internal import Glibc

exit(DecisionTool.run(Array(CommandLine.arguments.dropFirst())))
