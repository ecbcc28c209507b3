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

extension NamedDecision {
    /// A decision in words.
    init(_ decision: Decision, of engine: Engine, symbols: SymbolTable) {
        let account = engine.history.revisions[decision.revision].account
        let names = { (flags: FlagSet) in symbols.catalogue.names(of: flags) }
        let blacklist = decision.isBlacklisted ? ["policy:blacklist"] : []
        let filters = decision.rejectingFilters.map { "filter:\(account.filters[$0].name)" }
        self.init(
            passed: decision.passed,
            rejections: blacklist + names(decision.rejectingFlags) + filters,
            flags: names(decision.flags),
            filters: decision.filters.map { account.filters[$0].name },
            annotations: decision.annotations.map { names($0).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } },
            policy: engine.policy(of: decision).description,
            lifetime: decision.lifetime,
            expires: decision.expires
        )
    }
}

/// One attestation in words, for the engine and for the reference evaluator alike.
struct Observation: Hashable, Sendable, CustomStringConvertible {
    var time = Sample.time
    var device = Sample.device
    var flags: [String] = []
    var attributes: [String: String] = [:]

    var description: String {
        let values = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(time) \(device) [\(flags.joined(separator: ","))] {\(values.joined(separator: "; "))}"
    }
}
