@testable import PolicyEngine
@testable import TestSupport

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
