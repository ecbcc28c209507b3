package import PolicyEngine

/// A replay through one account.
package struct AccountWork: ReplayWork {
    private let account: Account
    private let apps = AppRegistry()

    package init(_ account: Account) {
        self.account = account
    }

    package var catalogue: FlagCatalogue { account.catalogue }

    package func makeAppraiser(_ attributes: inout AttributeTable) -> AccountAppraiser {
        AccountAppraiser(account, apps: apps, attributes: &attributes)
    }

    package func makeJudge(_ symbols: inout SymbolTable) -> AccountJudge {
        AccountJudge(account, apps: apps, symbols: &symbols)
    }
}
