internal import Documents

/// Requests, and changes of backends, in words.
enum RequestWords {
    /// The requests of a step.
    static func line(
        _ names: String, _ target: RequestTarget, before: [RequestFigures], after: [RequestFigures]
    ) -> String {
        let counts = RequestOutcome.allCases.compactMap { outcome -> String? in
            let count = zip(before, after).reduce(0) { $0 + $1.1[outcome] - $1.0[outcome] }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
        return "request \(names) to \(target.text): \(counts.isEmpty ? "none" : counts.joined(separator: ", "))"
    }

    /// The changes of backends from now on.
    static func line(_ changes: [Backends.Change]) -> String { "serve \(text(changes))" }

    /// The same without the kind of step.
    static func text(_ changes: [Backends.Change]) -> String {
        let parts = changes.map { change in
            let chain = change.chain.map { "[\($0.joined(separator: ", "))]" }
            let token = change.requiresToken.map { "token \($0 ? "required" : "ignored")" }
            return "\(change.domain) \([chain, token].compactMap(\.self).joined(separator: ", "))"
        }
        return parts.joined(separator: "; ")
    }
}
