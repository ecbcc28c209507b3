internal import PolicyEngine

/// A replay through two accounts, each with its own memory of devices.
struct PairWork: ReplayWork {
    private let before: Account
    private let after: Account
    private let apps = AppRegistry()

    init(before: Account, after: Account) {
        (self.before, self.after) = (before, after)
    }

    // Each account numbers the flags for itself.
    var catalogue: FlagCatalogue { FlagCatalogue() }
    var numberingAccounts: [Account] { [before, after] }

    func makeMatcher(_ attributes: inout AttributeTable) -> PairMatcher {
        PairMatcher(before: before, after: after, apps: apps, attributes: &attributes)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> PairEvaluator {
        PairEvaluator(before: before, after: after, apps: apps, symbols: &symbols)
    }
}
