package import PolicyEngine

/// A replay through one account that makes the tokens of its decisions.
package struct TokenWork: ReplayWork {
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

    package func makeMatcher(_ attributes: inout AttributeTable) -> TokenMatcher {
        TokenMatcher(account, apps: apps, attributes: &attributes)
    }

    package func makeEvaluator(_ symbols: inout SymbolTable) -> TokenEvaluator {
        TokenEvaluator(account, apps: apps, keepsSeries: keepsSeries, symbols: &symbols)
    }
}
