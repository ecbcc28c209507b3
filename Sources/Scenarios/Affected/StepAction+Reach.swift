internal import PolicyEngine

// The dependencies of a step follow from its kind: a kind of step that is not named here does not compile.
extension StepAction {
    /// The parts of an account on which the result of the step can depend, whatever else is in the scenario.
    ///
    /// Rather too many than too few. A command to an account is evaluated separately (``ScenarioReach/changesPolicyOnly``).
    var reach: Set<AccountPart> {
        switch self {
        case .fetch(_, nil): Self.attestation
        // Which domains there are, and whether they serve measurements.
        case .fetch(_, .some): Self.attestation.union([.domains, .features])
        // The backend checks tokens and signatures of messages, the app pins.
        case .request: Self.attestation.union([.domains, .tokens, .features])
        case .call(_, .secureString): Self.attestation.union([.features, .secureStrings])
        case .call(_, .customToken): Self.attestation.union([.features, .tokens])
        case .call(_, .prove): [.features]
        // A monitored domain may present what has no pin.
        case .serve: [.domains]
        case .approov: [.policy, .propagation]
        // A change of the app or its device takes effect in a later step.
        case .set, .launch, .reinstall, .factoryReset, .bind, .binding, .network, .outage, .cancel: []
        }
    }

    /// The parts of an account that decide about an attestation.
    static let attestation: Set<AccountPart> = [
        .policy, .filters, .devices, .filteredPolicy, .deviceCheck, .safetyNet, .certificates, .registrations,
        .developmentKey, .pinningTestURL,
    ]
}

extension FetchExpectation.Condition {
    /// The parts of an account at which an expectation looks, beside those on which its step depends.
    var reach: Set<AccountPart> {
        switch self {
        // The claims of a token, its key, and the ID of the key that messages are signed with.
        case .token, .loggable: [.tokens, .domains, .features]
        case .value: [.secureStrings]
        case .policy: [.policy]
        case .verdict, .result, .results, .lifetime, .exactly, .noAnnotations, .responseCode, .count, .outcome, .notice,
            .devices:
            []
        }
    }
}
