/// What the process tells its caller; every command uses the same numbers, and they never change.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// All held: every expectation was checked and met, every gate kept.
    case success = 0
    /// An expectation failed.
    case expectationFailed = 1
    /// A scenario, an account or a capture could not be read or makes no sense.
    case invalidInput = 2
    /// The command line is wrong; nothing was read and nothing was done.
    case usage = 3
    /// A gate was passed: more changed, or less was covered, than the caller allows.
    case gatePassed = 4
    /// Nothing ran, nothing was judged, or nothing was asserted: no scenario, an empty folder, a selection that matches
    /// nothing, or scenarios none of which expects anything.
    case nothingRan = 5
    /// A fault of this program, whatever the input was.
    case internalFault = 70
}
