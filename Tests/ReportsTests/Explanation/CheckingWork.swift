import PolicyEngine

@testable import Replay
@testable import TestSupport

/// A replay that judges every record twice, heard and unheard.
struct CheckingWork: ReplayWork {
    let account: Account

    var catalogue: FlagCatalogue { account.catalogue }

    func makeMatcher(_ attributes: inout AttributeTable) -> ListingMatcher {
        ListingMatcher(
            account.filters.compactMap(\.key) + ["appid", "app-version", "app-sig"], attributes: &attributes)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> CheckingEvaluator {
        CheckingEvaluator(account, symbols: &symbols)
    }
}
