internal import PolicyEngine
internal import Replay

/// A replay through one account that keeps why it decided as it did on one device.
struct ExplainingWork: ReplayWork {
    let account: Account
    let device: DeviceID

    var catalogue: FlagCatalogue { account.catalogue }

    func makeMatcher(_ attributes: inout AttributeTable) -> ExplainingMatcher {
        ExplainingMatcher(account, device: device, attributes: &attributes)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> ExplainingEvaluator {
        ExplainingEvaluator(account, device: device, symbols: &symbols)
    }
}
