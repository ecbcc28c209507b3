import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where. Latency, nonces and certificate chains as they are checked, Google's consoles, the
// packages of a build and what commands print are left out.
//
// How the SafetyNet Integration Works
//   "initiates an attestation the first time that app is launched after          firstLaunchAfterInstallation
//    installation"
//   "a SafetyNet API key must be added to your account"                          needsAKey
//   "a nonce value … is checked", "definitely issued by Google servers"          flags (safetynet-fail-token)
//   "safetynet-completed" … "safetynet-unavailable"                              flags
//   "in addition to the normal Approov operation which also checks the           besideAuthenticity
//    authenticity of the app"
//   "only be asserted if Android App Signing Certificates have been setup"       onlyWithCertificates
//   "the Google quota has been exceeded"                                         unavailableByQuota
//   "most rejection policies do not make the receipt … mandatory. However, the   onlyStrictInsists
//    policy strict does so"
//   "the results are … persisted against the device ID … only … on the initial   resultIsPersisted
//    launch after installation"
//   "subsequent Approov token fetches do not retry. However, each time the app   triesAgainAtEachLaunch
//    … is restarted a fresh attempt will be made until … successfully performed"
//   "transmitted dynamically to your running apps … change the API key without   keyReachesRunningApps
//    having to redeploy"
// Setting the SafetyNet API Key, Removing the SafetyNet API Key: ManualSafetyNetTests+Key.
@Suite("Manual: How the SafetyNet Integration Works") struct ManualSafetyNetTests {
    // R9.1 decides: at the first attestation of a device ID, which a reinstall on Android keeps.
    @Test("How It Works: the first time the app is launched after installation")
    func firstLaunchAfterInstallation() throws {
        var phone = try Phone.android()
        #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
        phone.device.evidence.safetyNet = .failIntegrity
        phone.launch()
        #expect(try phone.attest().flags == ["safetynet-completed"])
        phone.reinstall(keepingID: true)
        #expect(try phone.attest().flags == ["safetynet-completed"])
        phone.reinstall()
        #expect(try phone.attest().flags.contains("safetynet-fail-integrity"))
    }

    @Test("How It Works: a key must be added to the account", arguments: SafetyNetOutcome.allCases)
    func needsAKey(outcome: SafetyNetOutcome) throws {
        var phone = try Phone.android(answering: outcome, quota: nil)
        #expect(try phone.attest().flags == ["new-did"])
        #expect(try phone.state == [])
    }

    // R9.2 decides: a failed one is completed as well, since a token has been received.
    /// An outcome of SafetyNet, and the flags that the manual has for it.
    static let flagged: [Case<SafetyNetOutcome, [String]>] = [
        Case("safetynet-completed", .pass, gives: ["safetynet-completed"]),
        Case("safetynet-fail-token", .failToken, gives: ["safetynet-completed", "safetynet-fail-token"]),
        Case("safetynet-fail-integrity", .failIntegrity, gives: ["safetynet-completed", "safetynet-fail-integrity"]),
        Case("safetynet-fail-profile", .failProfile, gives: ["safetynet-completed", "safetynet-fail-profile"]),
        Case("safetynet-fail-cert", .failCertificate, gives: ["safetynet-completed", "safetynet-fail-cert"]),
        Case("safetynet-unavailable", .unavailable, gives: ["safetynet-unavailable"]),
    ]

    @Test("How It Works: issues are reflected in the flags", arguments: flagged)
    func flags(_ row: Case<SafetyNetOutcome, [String]>) throws {
        var phone = try Phone.android(answering: row.input)
        try phone.change { try $0.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") }
        #expect(try phone.attest().flags.filter { $0.hasPrefix("safetynet-") } == row.expected)
        #expect(try phone.state == row.expected)
    }

    @Test("How It Works: the certificate is looked at beside the authenticity of the app", arguments: [true, false])
    func besideAuthenticity(isRegistered: Bool) throws {
        var phone = try Phone.android(answering: .failCertificate)
        phone.device.evidence.isRegistered = isRegistered
        try phone.change { try $0.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") }
        #expect(try phone.attest().rejections == (isRegistered ? [] : ["app-not-registered"]) + ["safetynet-fail-cert"])
    }

    @Test("How It Works: safetynet-fail-cert only with app signing certificates", arguments: [true, false])
    func onlyWithCertificates(hasCertificate: Bool) throws {
        var phone = try Phone.android(answering: .failCertificate)
        if hasCertificate { try phone.change { try $0.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") } }
        let failure = hasCertificate ? ["safetynet-fail-cert", "risky-device"] : []
        #expect(try phone.attest().flags == ["new-did", "safetynet-completed"] + failure)
    }

    @Test("How It Works: unavailable because the quota has been exceeded") func unavailableByQuota() throws {
        var phone = try Phone.android(quota: 1)
        #expect(try phone.attest().flags.contains("safetynet-completed"))
        phone.reinstall()
        #expect(try phone.attest().flags.contains("safetynet-unavailable"))
    }

    @Test("How It Works: only strict insists on a token", arguments: PresetFacts.names.dropLast())
    func onlyStrictInsists(preset: String) throws {
        for outcome: SafetyNetOutcome? in [.unavailable, nil] {
            var phone = try Phone.android(answering: outcome, policy: "default,\(preset),all")
            #expect(try phone.attest().passed == (preset != "strict"))
        }
        var phone = try Phone.android(policy: "default,\(preset),all")
        #expect(try phone.attest().passed)
    }

    static let obtained = SafetyNetOutcome.allCases.filter { $0 != .unavailable }.rows(5)

    @Test("How It Works: the result is persisted against the device ID", arguments: obtained)
    func resultIsPersisted(outcome: SafetyNetOutcome) throws {
        var phone = try Phone.android(answering: outcome, quota: 1)
        let first = try phone.attest().flags.filter { $0 != "new-did" }
        for _ in 0..<4 {
            phone.wait(seconds: Instant.secondsPerDay)
            phone.device.evidence.safetyNet = .unavailable
            phone.launch()
            #expect(try phone.attest().flags == first)
        }
    }

    @Test("How It Works: fetches do not retry, each restart does until it succeeds")
    func triesAgainAtEachLaunch() throws {
        var phone = try Phone.android(answering: .unavailable)
        for _ in 0..<3 {
            #expect(try phone.attest().flags.contains("safetynet-unavailable"))
            phone.launch()
        }
        #expect(try phone.attest().flags.contains("safetynet-unavailable"))
        phone.device.evidence.safetyNet = .pass
        for _ in 0..<3 { #expect(try phone.attest().flags.contains("safetynet-unavailable")) }
        phone.launch()
        #expect(try phone.attest().flags == ["safetynet-completed"])
        phone.device.evidence.safetyNet = .unavailable
        phone.launch()
        #expect(try phone.attest().flags == ["safetynet-completed"])
    }

    // R1.5 decides that it takes the propagation; there is none here.
    @Test("How It Works: a new key reaches apps that run") func keyReachesRunningApps() throws {
        var phone = try Phone.android(quota: 0)
        #expect(try phone.attest().flags.contains("safetynet-unavailable"))
        phone.device = .android(Sample.otherDevice)
        phone.setSafetyNet(nil)
        #expect(try phone.attest().flags == ["new-did"])
        phone.change { $0.safetyNet = SafetyNetSettings(apiKey: "another-key") }
        #expect(try phone.attest().flags == ["safetynet-completed"])
    }

    @Test("every outcome has its row") func everyOutcomeIsFlagged() {
        #expect(Self.flagged.count == SafetyNetOutcome.allCases.count)
    }

    // Which sentence is shown where. The output of -get is left out.
    //
    // Setting the SafetyNet API Key
    //   "devices will immediately try and perform SafetyNet attestations when they   devicesTryAtOnce
    //    connect … and they have not done so previously"
    //   "any existing users … the next time they connect … initial load against      existingUsersLoadTheQuota
    //    your SafetyNet API quota"
    //   "check that device's state to ensure it has a safetynet-completed property"  stateShows
    // Removing the SafetyNet API Key
    //   "immediately stop any usage of the SafetyNet API"                            removalStopsUsage
    //   "persisted SafetyNet state … will be retained"                               stateIsRetained
    //   "completely remove any persisted state … consider Clearing All Device State" clearingRemovesState

    @Suite("Manual: Setting the SafetyNet API Key, Removing the SafetyNet API Key") struct Key {
        @Test("Setting the Key: devices try at once, where they have not done so") func devicesTryAtOnce() throws {
            var phone = try Phone.android(quota: nil)
            try phone.attest()
            phone.setSafetyNet("key")
            #expect(try phone.attest().flags == ["safetynet-completed"])
            // Another key finds it done.
            phone.device.evidence.safetyNet = .failToken
            phone.setSafetyNet("another-key")
            #expect(try phone.attest().flags == ["safetynet-completed"])
        }

        @Test("Setting the Key: the existing users load the quota") func existingUsersLoadTheQuota() throws {
            var service = SimulatedService(try .sample("default,strict,default"))
            var platforms = PlatformServices()
            var phones = (0..<10).map { SimulatedDevice.android(Sample.device($0), hardware: UInt32($0)) }
            for index in phones.indices { #expect(try service.attest(&phones[index], with: &platforms).passed) }
            service.change { $0.safetyNet = SafetyNetSettings(apiKey: "key", dailyQuota: 7) }
            let passed = try phones.indices.filter { try service.attest(&phones[$0], with: &platforms).passed }
            #expect(passed == Array(0..<7))
        }

        @Test("Setting the Key: the device's state shows that it works") func stateShows() throws {
            var phone = try Phone.android(quota: nil)
            phone.setSafetyNet("key")
            phone.launch()
            try phone.attest()
            #expect(try phone.state == ["safetynet-completed"])
        }

        // R1.5 decides that it takes the propagation; there is none here.
        @Test("Removing the Key: any usage stops") func removalStopsUsage() throws {
            var phone = try Phone.android(quota: 1)
            phone.setSafetyNet(nil)
            for _ in 0..<3 {
                #expect(try phone.attest().flags == ["new-did"])
                phone.launch()
                #expect(try phone.attest().flags == [])
                phone.reinstall()
            }
            // Nothing was used of the one attestation.
            phone.setSafetyNet(Phone.apiKey)
            #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
        }

        @Test("Removing the Key: persisted state is retained", arguments: SafetyNetOutcome.allCases)
        func stateIsRetained(outcome: SafetyNetOutcome) throws {
            var phone = try Phone.android(answering: outcome)
            let flags = try phone.attest().flags.filter { $0 != "new-did" }
            let state = try phone.state
            phone.setSafetyNet(nil)
            phone.launch()
            #expect(try phone.attest().flags == flags)
            #expect(try phone.state == state)
        }

        @Test("Removing the Key: a clearing removes state that causes rejections") func clearingRemovesState() throws {
            var phone = try Phone.android(answering: .failToken)
            #expect(try phone.attest().rejections == ["safetynet-fail-token"])
            phone.setSafetyNet(nil)
            #expect(try phone.attest().rejections == ["safetynet-fail-token"])
            phone.clearDeviceState()
            #expect(try phone.attest().passed)
            #expect(try phone.state == [])
        }
    }
}
