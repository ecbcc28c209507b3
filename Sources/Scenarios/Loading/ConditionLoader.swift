internal import Documents
internal import PolicyEngine
internal import Replay

/// Reads what must hold of fetches: one key of an expectation.
enum ConditionLoader {
    /// Reads one key of an expectation and its value.
    ///
    /// - Parameters:
    ///   - entry: The key and its value.
    ///   - known: The names that may be used.
    ///   - step: The step that it is about.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error, and for a key that is none.
    static func load(
        _ entry: Node.Entry, _ known: ExpectedNames, of step: ExpectingStep, _ reader: inout DocumentReader
    ) -> FetchExpectation.Condition? {
        let (node, what) = (entry.value, entry.key.quoted)
        if let kind = FetchExpectation.CountKind(rawValue: entry.key) {
            return CountLoader.load(node, what, &reader).map { .count(kind, $0) }
        }
        if let outcome = RequestOutcome(rawValue: entry.key) {
            return CountLoader.load(node, what, &reader).map { .outcome(outcome, $0) }
        }
        if let kind = FetchExpectation.NoticeKind(rawValue: entry.key) {
            return CountLoader.load(node, what, &reader).map { .notice(kind, $0) }
        }
        if let aspect = FetchExpectation.Aspect(rawValue: entry.key) { return names(node, aspect, known, &reader) }
        switch entry.key {
        case "verdict":
            return reader.choice(node, what, from: ["pass", "fail"]).map { .verdict(passed: $0 == "pass") }
        case "result": return results(node, what, among: step.results, &reader)
        case "proof": return results(node, what, among: step.results, &reader)
        case "value": return reader.text(node, what).map { .value($0) }
        case "policy":
            guard let text = reader.text(node, what) else { return nil }
            return known.checkPolicy(text, at: node.position, &reader) ? .policy(text) : nil
        case "lifetime": return reader.duration(node, what).map { .lifetime($0) }
        case "arc": return ResponseCodeLoader.load(node, known.accounts, &reader).map { .responseCode($0) }
        case "loggable":
            return TokenExpectationLoader.loggable(node, of: step, known, &reader).map { .loggable($0) }
        case "token": return TokenExpectationLoader.load(node, of: step, known, &reader).map { .token($0) }
        default: return nil
        }
    }

    // A word is of each, a map says how many ended in each way.
    private static func results(
        _ node: Node, _ what: String, among words: [String], _ reader: inout DocumentReader
    ) -> FetchExpectation.Condition? {
        guard case .mapping(let entries) = node.content else {
            return reader.choice(node, what, from: words).map { .result($0) }
        }
        if entries.isEmpty { reader.error("\(what) says nothing to check", at: node.position) }
        var counts: [(name: String, count: CountRange)] = []
        for entry in entries {
            let key = Node(position: entry.keyPosition, content: .scalar(entry.key, isPlain: true))
            guard let name = reader.choice(key, what, from: words) else { continue }
            if let count = CountLoader.load(entry.value, name.quoted, &reader) { counts.append((name, count)) }
        }
        return .results(counts)
    }

    // A list means exactly these of each fetch, a map how many devices have each.
    private static func names(
        _ node: Node, _ aspect: FetchExpectation.Aspect, _ known: ExpectedNames, _ reader: inout DocumentReader
    ) -> FetchExpectation.Condition? {
        if case .mapping(let entries) = node.content {
            var counts: [(name: String, count: CountRange)] = []
            if entries.isEmpty { reader.error("`\(aspect.rawValue)` says nothing to check", at: node.position) }
            for entry in entries {
                known.check(entry.key, at: entry.keyPosition, aspect, &reader)
                if let count = CountLoader.load(entry.value, entry.key.quoted, &reader) {
                    counts.append((entry.key, count))
                }
            }
            return .devices(aspect, counts)
        }
        if aspect == .annotations, case .scalar("none", _) = node.content { return .noAnnotations }
        guard let texts = reader.texts(node, "`\(aspect.rawValue)`") else { return nil }
        for (text, position) in texts { known.check(text, at: position, aspect, &reader) }
        return .exactly(aspect, Set(texts.map(\.text)))
    }
}
