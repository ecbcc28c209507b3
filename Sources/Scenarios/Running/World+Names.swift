internal import PolicyEngine

extension World {
    /// The names that an attestation carries; `nil` where there is no token, or no annotation (R5.3).
    func names(of aspect: FetchExpectation.Aspect, in decision: Decision?) -> [String]? {
        guard let decision else { return nil }
        switch aspect {
        case .rejections: return engine.rejections(of: decision, catalogue: symbols.catalogue)
        case .flags: return symbols.catalogue.names(of: decision.flags)
        case .annotations: return decision.annotations.map(symbols.catalogue.annotationNames)
        case .filters: return engine.filterNames(decision.filters, of: decision)
        }
    }

    /// The policy that was applied.
    func policy(of decision: Decision?) -> String {
        decision.map { engine.policy(of: $0).description } ?? ""
    }

    /// The day on which the account's billing month starts.
    var billingDay: Int { engine.history.latest.billingDay }

    /// What `device -getDeviceState` tells of a device (R6.5).
    func stateText(of device: DeviceIndex) -> String { stateText(engine.deviceState(of: device)) }

    /// A device's state in words; `nil` where it was never set.
    func stateText(_ flags: FlagSet?) -> String {
        guard let flags else { return "none" }
        return "[" + symbols.catalogue.names(of: flags).joined(separator: ", ") + "]"
    }
}
