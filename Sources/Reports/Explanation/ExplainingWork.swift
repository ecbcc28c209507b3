internal import PolicyEngine
internal import Replay

/// A replay through one account that keeps why it decided as it did on one device.
struct ExplainingWork: ReplayWork {
    let account: Account
    let device: DeviceID

    var catalogue: FlagCatalogue { account.catalogue }

    func makeAppraiser(_ attributes: inout AttributeTable) -> ExplainingAppraiser {
        ExplainingAppraiser(account, device: device, attributes: &attributes)
    }

    func makeJudge(_ symbols: inout SymbolTable) -> ExplainingJudge {
        ExplainingJudge(account, device: device, symbols: &symbols)
    }
}
