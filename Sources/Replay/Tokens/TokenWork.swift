package import PolicyEngine

/// A replay through one account that makes the tokens of its decisions.
package struct TokenWork: ReplayWork {
    private let account: Account
    private let apps = AppRegistry()

    package init(_ account: Account) {
        self.account = account
    }

    package var catalogue: FlagCatalogue { account.catalogue }

    package func makeAppraiser(_ attributes: inout AttributeTable) -> TokenAppraiser {
        TokenAppraiser(account, apps: apps, attributes: &attributes)
    }

    package func makeJudge(_ symbols: inout SymbolTable) -> TokenJudge {
        TokenJudge(account, apps: apps, symbols: &symbols)
    }
}
