package import PolicyEngine

/// A replay through one account.
package struct AccountWork: ReplayWork {
    private let account: Account
    private let keepsSeries: Bool
    private let apps = AppRegistry()

    /// - Parameters:
    ///   - account: The account.
    ///   - keepsSeries: Whether live metrics are kept by minute (R13.2a).
    package init(_ account: Account, keepsSeries: Bool = false) {
        self.account = account
        self.keepsSeries = keepsSeries
    }

    package var catalogue: FlagCatalogue { account.catalogue }

    package func makeMatcher(_ attributes: inout AttributeTable) -> AccountMatcher {
        AccountMatcher(account, apps: apps, attributes: &attributes)
    }

    package func makeEvaluator(_ symbols: inout SymbolTable) -> AccountEvaluator {
        AccountEvaluator(account, apps: apps, keepsSeries: keepsSeries, symbols: &symbols)
    }
}
