internal import PolicyEngine

extension Filter.Test {
    /// The attribute that is looked at.
    var key: String? {
        switch self {
        case .exact(let key, _), .regex(let key, _): key
        case .conjunction: nil
        }
    }

    /// True if a value passes, by PCRE2.
    func passes(_ value: String) -> Bool {
        switch self {
        case .exact(_, let wanted): ExactText(value) == ExactText(wanted)
        case .regex(_, let pattern): pattern.isFound(in: value)
        case .conjunction: false
        }
    }

    /// True if it is a regular expression, so that it is known of all values whether they pass.
    var isRegular: Bool { tree.flatMap { PatternAutomaton([$0]) } != nil }

    /// The test as a regular expression; `nil` where it is none.
    var tree: PatternNode? {
        switch self {
        case .exact(_, let value): .whole(value)
        case .regex(_, let pattern): try? PatternParser.tree(of: pattern.source)
        case .conjunction: nil
        }
    }
}
