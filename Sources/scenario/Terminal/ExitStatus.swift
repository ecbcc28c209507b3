/// The exit status of the process; every command uses the same numbers, and they never change.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case success = 0
    case expectationFailed = 1
    case invalidInput = 2
    case usage = 3
    case limitExceeded = 4
    case nothingRan = 5
    case notDecided = 6
    case internalFault = 70
    case outOfMemory = 71

    /// The meaning in one sentence, for the help.
    var meaning: String {
        switch self {
        case .success: "Success: every expectation was met, and no limit was exceeded."
        case .expectationFailed: "An expectation or `approov api -check` failed, or `lint --strict` has warnings."
        case .invalidInput: "A scenario, an account or a capture is invalid, or a file cannot be read or written."
        case .usage: "The command line is wrong; nothing was read and nothing was done."
        case .limitExceeded:
            """
            A limit was exceeded: more changed, or less was covered, than the caller allows; or `prove` found a device, or `search`
            no edits.
            """
        case .nothingRan:
            """
            Nothing ran, nothing was evaluated, or nothing was asserted: no scenario, an empty folder, a selection \
            that matches nothing, or scenarios none of which expects anything.
            """
        case .notDecided: "A question of `prove` or `search` has no answer: it took too long, or it cannot be decided."
        case .internalFault: "A fault of this program, independent of the input."
        case .outOfMemory: "There is not enough memory for the command."
        }
    }
}
