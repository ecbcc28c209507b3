/// The subject of a question of the page: the last part of its path.
package enum QuestionSubject: String, CaseIterable, Sendable {
    /// The captures, the account and the options that the session began with.
    case captures
    /// The keys of the values that the captures have.
    case keys
    /// The account after the changes, as switches.
    case account
    /// The effect of the changes.
    case answer
    /// The effect of every single further edit.
    case whatif
    /// The decisions on one device.
    case explain
    /// A page of the devices whose verdicts change.
    case devices
    /// The values that a pattern matches.
    case matches
    /// A command that is being typed: its mistakes.
    case check
    /// A command that is being typed: the words that may follow.
    case complete
    /// The changes in a form that is kept.
    case take

    /// The members that a request may have.
    package var members: Set<String> {
        switch self {
        case .captures, .keys: []
        case .account: ["changes", "session"]
        case .answer: Self.evaluated.union(["who", "order", "count", "top"])
        case .whatif: Self.evaluated.union(["order", "cost"])
        case .explain: ["changes", "session", "device"]
        case .devices: Self.evaluated.union(["kind", "offset", "count"])
        case .matches: ["session", "key", "value", "regex"]
        case .check: ["changes", "session", "line"]
        case .complete: ["session", "line"]
        case .take: Self.evaluated.union(["form"])
        }
    }

    private static let evaluated: Set = ["changes", "session", "from", "to", "narrow"]

    /// The method of a request.
    var method: String { [.captures, .keys].contains(self) ? "GET" : "POST" }

    /// True if the captures are evaluated for an answer, which one question at a time may have.
    var isEvaluated: Bool {
        switch self {
        case .answer, .whatif, .explain, .devices, .matches, .take, .account: true
        case .captures, .keys, .check, .complete: false
        }
    }
}
