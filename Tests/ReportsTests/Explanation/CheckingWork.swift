import PolicyEngine

@testable import Replay
@testable import TestSupport

/// A replay that judges every record twice, heard and unheard.
struct CheckingWork: ReplayWork {
    let account: Account

    var catalogue: FlagCatalogue { account.catalogue }

    func makeAppraiser(_ attributes: inout AttributeTable) -> TellingAppraiser {
        TellingAppraiser(
            account.filters.compactMap(\.key) + ["appid", "app-version", "app-sig"], attributes: &attributes)
    }

    func makeJudge(_ symbols: inout SymbolTable) -> CheckingJudge { CheckingJudge(account, symbols: &symbols) }
}
