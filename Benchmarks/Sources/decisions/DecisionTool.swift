#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The command: prints what decisions cost, or with `--gate` checks what they allocate.
enum DecisionTool {
    /// Runs the command.
    ///
    /// - Parameter arguments: Nothing, or `--gate`.
    /// - Returns: The exit status: 0, 1 for a wrong answer or a passed gate, 3 for wrong usage.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            switch arguments {
            case []: print(try ResultTable.measured())
            case ["--gate"]: try AllocationGate.check()
            default:
                complain("usage: decisions [--gate]")
                return 3
            }
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func complain(_ message: String) {
        let line = Array("decisions: \(message)\n".utf8)
        // SAFETY: the bytes live through the call; a message that cannot be written is lost.
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
