internal import PolicyEngine

/// A decision in words, by the engine or by the reference evaluator.
struct NamedDecision: Hashable, Sendable, CustomStringConvertible {
    var passed: Bool
    /// Flags in catalogue order, then `filter:<name>` in filter order, or `policy:blacklist` alone.
    var rejections: [String]
    var flags: [String]
    var filters: [String]
    /// Sorted by byte value; `nil` where there is no annotation.
    var annotations: [String]?
    var policy: String
    var lifetime: Int
    var expires: Instant

    var description: String {
        let list = annotations.map { $0.joined(separator: ",") } ?? "null"
        return """
            \(passed ? "pass" : "fail") by \(policy), rejections [\(rejections.joined(separator: ","))], \
            flags [\(flags.joined(separator: ","))], filters [\(filters.joined(separator: ","))], \
            annotations \(list), lifetime \(lifetime), expires \(expires)
            """
    }
}
