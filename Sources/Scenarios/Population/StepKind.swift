/// The kinds of step, by the keys that name them (formats: Scenario, steps). An account that is cancelled has none: its key
/// also says whose a command is.
enum StepKind: String, Hashable, Sendable, CaseIterable {
    case fetch, request, serve, approov, set, launch, reinstall
    case factoryReset = "factory-reset"
    case bind, binding, network, outage
    case secureString = "secure-string"
    case customToken = "custom-jwt"
    case prove

    /// True if steps of this kind name groups of devices.
    var namesGroups: Bool {
        switch self {
        case .serve, .approov, .outage: false
        case .fetch, .request, .set, .launch, .reinstall, .factoryReset, .bind, .binding, .network, .secureString,
            .customToken, .prove:
            true
        }
    }

    /// True if steps of this kind can have expectations.
    var takesExpectations: Bool {
        switch self {
        case .fetch, .request, .secureString, .customToken, .prove: true
        case .serve, .approov, .set, .launch, .reinstall, .factoryReset, .bind, .binding, .network, .outage: false
        }
    }
}

extension [StepKind] {
    /// The keys of the kinds.
    var keys: [String] { map(\.rawValue) }
}
