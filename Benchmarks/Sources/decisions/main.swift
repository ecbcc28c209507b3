#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

exit(DecisionTool.run(Array(CommandLine.arguments.dropFirst())))
