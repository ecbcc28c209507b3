import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R4.7 Missing checks") struct MissingServiceTests {
    /// A device under an account with keys, and the flag that is derived of it.
    struct Row: LabelledRow {
        let label: String
        let system: OperatingSystem
        var hasDeviceCheck = true
        var hasSafetyNet = true
        var deviceCheck: DeviceCheckCapability?
        var safetyNet: SafetyNetOutcome?
        var observed: [String] = []
        /// Beside `new-did`, in catalogue order.
        let flags: [String]
        /// The flags that strict rejects on; no other preset rejects on any of them, but for those in ``alwaysRejecting``.
        let strictRejections: [String]
    }

    static let rows = [
        Row(
            label: "iOS, neither", system: .ios, flags: ["devicecheck-missing"],
            strictRejections: ["devicecheck-missing"]),
        Row(
            label: "iOS, completed", system: .ios, deviceCheck: .available, flags: ["devicecheck-completed"],
            strictRejections: []),
        Row(
            label: "iOS, failed is not missing", system: .ios, deviceCheck: .invalid, flags: ["devicecheck-failed"],
            strictRejections: ["devicecheck-failed"]),
        Row(
            label: "iOS, unavailable is not missing, and strict rejects on it", system: .ios,
            deviceCheck: .unavailable, flags: ["devicecheck-unavailable"],
            strictRejections: ["devicecheck-unavailable"]),
        Row(
            label: "iOS, observed is not missing", system: .ios, observed: ["devicecheck-completed"],
            flags: ["devicecheck-completed"], strictRejections: []),
        Row(label: "iOS, without a key", system: .ios, hasDeviceCheck: false, flags: [], strictRejections: []),
        Row(
            label: "iOS, without a key though it could", system: .ios, hasDeviceCheck: false, deviceCheck: .available,
            flags: [], strictRejections: []),
        Row(
            label: "Android, neither", system: .android, flags: ["safetynet-missing"],
            strictRejections: ["safetynet-missing"]),
        Row(
            label: "Android, completed", system: .android, safetyNet: .pass, flags: ["safetynet-completed"],
            strictRejections: []),
        Row(
            label: "Android, unavailable is not missing, and strict rejects on it", system: .android,
            safetyNet: .unavailable, flags: ["safetynet-unavailable"], strictRejections: ["safetynet-unavailable"]),
        Row(
            label: "Android, a failure is completed as well", system: .android, safetyNet: .failProfile,
            flags: ["safetynet-completed", "safetynet-fail-profile"], strictRejections: ["safetynet-fail-profile"]),
        Row(
            label: "Android, observed is not missing", system: .android, observed: ["safetynet-unavailable"],
            flags: ["safetynet-unavailable"], strictRejections: ["safetynet-unavailable"]),
        Row(label: "Android, without a key", system: .android, hasSafetyNet: false, flags: [], strictRejections: []),
        Row(label: "neither iOS nor Android", system: .unknown, flags: [], strictRejections: []),
    ]

    /// The flags that presets other than strict reject on, among those that come up here.
    static let alwaysRejecting = ["devicecheck-failed"]

    @Test("R4.7 missing is derived whatever the policy, and only strict rejects on it", arguments: rows)
    func missingIsDerived(_ row: Row) throws {
        for preset in PresetFacts.names {
            var account = try Account.sample("default,\(preset),all")
            if row.hasDeviceCheck { account.addAuthKey("KEY", teamID: "TEAM", bits: .none, expiry: 12) }
            if row.hasSafetyNet { account.safetyNet = SafetyNetSettings(apiKey: "key") }
            var device = SimulatedDevice.iPhone(answering: row.deviceCheck)
            (device.evidence.system, device.evidence.safetyNet) = (row.system, row.safetyNet)
            device.flags = row.observed
            var service = SimulatedService(account)
            var platforms = PlatformServices()
            let outcome = try service.attest(&device, with: &platforms)
            #expect(outcome.flags.filter { $0 != "new-did" && $0 != "risky-device" } == row.flags, "\(preset)")
            switch preset {
            case "strict": #expect(outcome.rejections == row.strictRejections)
            case "blacklist": #expect(outcome.rejections == ["policy:blacklist"])
            case "whitelist": #expect(outcome.rejections == [])
            default:
                let expected = row.strictRejections.filter(Self.alwaysRejecting.contains)
                #expect(outcome.rejections == expected, "\(preset)")
            }
        }
    }

    @Test("R4.7 missing is derived at every attestation anew and never persisted") func missingIsNotPersisted() throws {
        var phone = try Phone.iPhone(bits: nil)
        try phone.attest()
        phone.setDeviceCheck(.bit0)
        #expect(try phone.attest().flags == ["devicecheck-missing"])
        #expect(try phone.state == [])
        phone.setDeviceCheck(nil)
        #expect(try phone.attest().flags == [])
    }

    // Rejection Policies: "if you enable DeviceCheck/SafetyNet with this policy selected then any app that has already
    // launched and fetched an Approov Token prior to that will be rejected". R9.1 decides that SafetyNet is done at once.
    @Test("R4.7 strict rejects an app that runs when DeviceCheck is enabled, until its next launch")
    func enabledLater() throws {
        var iPhone = try Phone.iPhone(bits: nil, policy: "default,strict,default")
        #expect(try iPhone.attest().passed)
        iPhone.setDeviceCheck(.bit0)
        #expect(try iPhone.attest().rejections == ["devicecheck-missing"])
        iPhone.launch()
        #expect(try iPhone.attest().passed)
        var android = try Phone.android(quota: nil, policy: "default,strict,default")
        #expect(try android.attest().passed)
        android.setSafetyNet("key")
        #expect(try android.attest().passed)
    }

    @Test("R4.7 a replay takes what was observed", arguments: ["devicecheck-missing", "safetynet-missing", nil])
    func replayTakesWhatWasObserved(flag: String?) throws {
        var account = try Account.sample("default,strict,default")
        account.addAuthKey("KEY", teamID: "TEAM", bits: .both, expiry: 12)
        account.safetyNet = SafetyNetSettings(apiKey: "key")
        var service = Service(account)
        let observed = flag.map { [$0] } ?? []
        let outcome = try service.attest(observed, with: ["device": "iOS, 12.1.2, iPhone7,2"])
        #expect(outcome.rejections == observed)
        #expect(outcome.flags == ["new-did"] + observed)
    }
}
