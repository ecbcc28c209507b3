// Step 4 of R10 for simulated devices, and what bans and unbans mean to Apple.
extension Engine {
    /// Evaluates an attestation of a simulated device (R10, R14.3).
    ///
    /// - Parameters:
    ///   - attestation: The observations; not before the attestation evaluated last.
    ///   - evidence: The further facts that can be found out about the device.
    ///   - service: The service that answers.
    ///   - platforms: Apple and Google, as they are for all accounts.
    ///   - symbols: The numbering that the attestation uses.
    /// - Returns: The verdict and all that led to it.
    /// - Complexity: As for an attestation of a capture; a DeviceCheck, a SafetyNet attestation and a ban cost a lookup
    ///   more, once for a device ID.
    package mutating func attest(
        _ attestation: borrowing Attestation, evidence: DeviceEvidence, by service: TokenService = .primary,
        platforms: inout PlatformServices, symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = matches(of: attestation, by: service, symbols: symbols)
        var evaluation = begin(attestation)
        let stoodBan = evaluation.state.persisted.contains(.deviceBan)
        let mode = applyPendingBan(to: &evaluation)
        if mode != .ban || !stoodBan {
            report(mode, of: evidence, at: attestation.time, to: &platforms.deviceCheck)
        }
        checkDevice(evidence, evaluation: &evaluation, at: attestation.time, with: &platforms.deviceCheck)
        latestRules = service == .failover ? [.failoverDetection] : []
        if service == .primary {
            checkSafetyNet(evidence, evaluation: &evaluation, at: attestation.time, with: &platforms.safetyNet)
        }
        addServiceFlags(evidence, to: &evaluation)
        if isDevelopment(evidence) {
            evaluation.flags = evaluation.flags.subtracting(Self.overlookedInDevelopment)
        } else if !isRegistered(attestation, evidence, symbols) {
            evaluation.flags.insert(.appNotRegistered)
        }
        var recorder = SilentRecorder()
        let decision = finish(
            attestation, evaluation: &evaluation, matches: matches, by: service, symbols: symbols, recorder: &recorder)
        remember(evaluation, of: attestation.device)
        let open = possibleRules
        if !open.isEmpty { latestRules.formUnion(decidedRules(of: decision, among: open, symbols: symbols)) }
        if !stoodBan, bansByFilter(decision) {
            report(.ban, of: evidence, at: attestation.time, to: &platforms.deviceCheck)
        }
        return decision
    }

    // R8.4, R8.6: a ban of a device ID becomes one of the hardware when it is made, where Apple knows the device.
    private func report(
        _ mode: BanMode?, of evidence: DeviceEvidence, at time: Instant, to service: inout DeviceCheckService
    ) {
        guard let mode, evidence.system == .ios, evidence.deviceCheck == .available,
            let integration = compiled[current].deviceCheck
        else { return }
        switch mode {
        case .ban: integration.ban(evidence.physical, at: time, with: &service)
        case .unban: integration.unban(evidence.physical, at: time, with: &service)
        }
    }

    // R8.1: at the first attestation of a device ID and at the first after a launch, as long as it has not completed.
    private func checkDevice(
        _ evidence: DeviceEvidence, evaluation: inout Evaluation, at time: Instant,
        with service: inout DeviceCheckService
    ) {
        guard evidence.system == .ios, let capability = evidence.deviceCheck,
            let integration = compiled[current].deviceCheck,
            !evaluation.state.persisted.contains(.deviceCheckCompleted),
            evaluation.isFirst || evidence.isFirstSinceLaunch
        else { return }
        let flags = integration.check(capability, of: evidence.physical, at: time, with: &service)
        evaluation.state.persist(flags, insteadOf: Self.deviceCheckResults)
    }

    // R9.1: at the first attestation with a key, and where that was unavailable at the first after each launch.
    private mutating func checkSafetyNet(
        _ evidence: DeviceEvidence, evaluation: inout Evaluation, at time: Instant, with service: inout SafetyNetService
    ) {
        let persisted = evaluation.state.persisted
        guard evidence.system == .android, let outcome = evidence.safetyNet,
            let settings = compiled[current].safetyNet, !persisted.contains(.safetyNetCompleted),
            !persisted.contains(.safetyNetUnavailable) || evidence.isFirstSinceLaunch || evidence.hasMetFailoverOnly
        else { return }
        let isAppRunning = !evaluation.isFirst && !evidence.isFirstSinceLaunch && !evidence.hasMetFailoverOnly
        if isAppRunning { latestRules.insert(.safetyNetOfRunningApps) }
        let isObtained =
            outcome != .unavailable
            && service.grantsAttestation(
                of: evidence.physical, key: settings.key, dailyQuota: settings.dailyQuota, at: time)
        let result = isObtained ? outcome : .unavailable
        evaluation.state.persist(
            result.flags(checkingCertificates: !certificates(ofAppLaunchedAt: evidence.launched).isEmpty),
            insteadOf: [.safetyNetUnavailable])
    }

    // R1.5: a certificate affects apps launched after it is in force.
    private func certificates(ofAppLaunchedAt launch: Instant) -> Set<String> {
        compiled[history.revision(inForceAt: launch, from: 0)].certificates
    }

    // The persisted results, whether or not the service is on still (R8.7, R9.1), and what is missing (R4.7).
    private func addServiceFlags(_ evidence: DeviceEvidence, to evaluation: inout Evaluation) {
        evaluation.flags = evaluation.flags.union(evaluation.state.persisted.intersection(Self.serviceResults))
        switch evidence.system {
        case .ios:
            let isDone = !evaluation.flags.intersection(Self.deviceCheckResults).isEmpty
            if compiled[current].deviceCheck != nil, !isDone { evaluation.flags.insert(.deviceCheckMissing) }
        case .android:
            let isDone = !evaluation.flags.intersection([.safetyNetCompleted, .safetyNetUnavailable]).isEmpty
            if compiled[current].safetyNet != nil, !isDone { evaluation.flags.insert(.safetyNetMissing) }
        case .unknown: break
        }
    }

    // R21.5.
    private func isDevelopment(_ evidence: DeviceEvidence) -> Bool {
        guard let key = evidence.developmentKey, let known = history.revisions[current].account.developmentKey
        else { return false }
        return ExactText(known) == ExactText(key)
    }

    private static let overlookedInDevelopment: FlagSet = [.appNotRegistered, .emulator, .iosSimulator]

    // R15.1.
    private func isRegistered(
        _ attestation: borrowing Attestation, _ evidence: DeviceEvidence, _ symbols: borrowing SymbolTable
    ) -> Bool {
        guard let registrations = compiled[current].registrations else { return evidence.isRegistered }
        switch registrations.match(attestation, on: evidence.system) {
        case .none: return false
        case .registered: return true
        case .registeredIfSigned:
            let certificate = registrations.certificate(of: attestation)
            // An app that does not name its certificate counts as signed with a known one.
            guard certificate != .absent else { return true }
            let text = symbols.attributes.text(of: certificate, for: registrations.certificateKey)
            let known = certificates(ofAppLaunchedAt: evidence.launched)
            return Account.shortenedFingerprint(text).map(known.contains) ?? false
        }
    }

    // R7.5, R8.4.
    private func bansByFilter(_ decision: Decision) -> Bool {
        !decision.filters.intersection(compiled[current].filters.banning).isEmpty
            && !decision.flags.contains(.deviceUnban)
    }

    private static let deviceCheckResults: FlagSet = [
        .deviceCheckCompleted, .deviceCheckFailed, .deviceCheckUnavailable,
    ]

    private static let serviceResults: FlagSet = [
        .deviceCheckCompleted, .deviceCheckFailed, .deviceCheckUnavailable, .deviceCheckBan, .safetyNetCompleted,
        .safetyNetFailToken, .safetyNetFailIntegrity, .safetyNetFailProfile, .safetyNetFailCertificate,
        .safetyNetUnavailable,
    ]
}
