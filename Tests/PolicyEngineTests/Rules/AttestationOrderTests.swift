import Testing

@testable import PolicyEngine
@testable import TestSupport

// Step 1 is R1.5, step 4 is shown with DeviceCheck and SafetyNet, step 13 with codes, the rings of step 14 with replays;
// that pinning-tampered persists by install (step 5) is shown with the clients.
@Suite("R10 Order of an attestation") struct AttestationOrderTests {
    @Test("R10 the sample of the decisions file") func sampleDecision() throws {
        var service = Service(try .sample(filters: [.exact("myip", "ip", "1.2.3.4")]))
        let outcome = try service.attest(
            ["jailbroken", "app-not-registered"], with: ["ip": "1.2.3.4"], by: "w4mmGFZkpz5oPz6w6gl1Cw==",
            at: Instant(secondsSinceEpoch: 1_595_502_643))
        #expect(!outcome.passed)
        #expect(outcome.policy == "default,default,default")
        #expect(outcome.rejections == ["app-not-registered", "jailbroken"])
        #expect(outcome.flags == ["app-not-registered", "jailbroken", "new-did", "risky-device"])
        #expect(outcome.annotations == nil)
        #expect(outcome.filters == ["myip"])
        #expect(outcome.lifetime == 120)
        #expect(outcome.expires.description == "2020-07-23T11:12:53Z")
    }

    @Test("R10.2 an unseen device is new, once") func unseenIsNew() throws {
        var service = Service(try .sample())
        let first = try service.decide(Observation())
        let second = try service.decide(Observation())
        #expect(first.isFirstAttestation && first.isNewDevice)
        #expect(!second.isFirstAttestation && !second.isNewDevice)
    }

    @Test("R10.2 an observed new-did counts on a known device") func observedNewDevice() throws {
        var service = Service(try .sample())
        _ = try service.attest()
        let decision = try service.decide(Observation(flags: ["new-did"]))
        #expect(decision.isNewDevice)
        #expect(!decision.isFirstAttestation)
    }

    @Test("R10.2 a device that only the account names is new") func namedDeviceIsNew() throws {
        var account = try Account.sample()
        try account.append(account.entry(Sample.device, "default,whitelist,all"))
        var service = Service(account)
        #expect(try service.state() == nil)
        #expect(try service.attest().flags == ["new-did"])
    }

    struct Row: LabelledRow {
        let label: String
        var policy = "default,default,default"
        var own: String?
        var banMode: BanMode?
        let filter: (pattern: String, options: Filter.Options)
        var observed: [String] = []
        let flags: [String]
        let matches: Bool
        let rejections: [String]
        var lifetime = 300
    }

    static let rows = [
        Row(
            label: "a pending ban (3) comes before the filters (7)", banMode: .ban, filter: ("^did-ban$", []),
            flags: ["did-ban", "new-did"], matches: true, rejections: ["did-ban"]),
        Row(
            label: "risk (6) comes before the filters, which do not list it", filter: ("risky", []),
            observed: ["root-risk"], flags: ["root-risk", "new-did", "risky-device"], matches: false, rejections: [],
            lifetime: 120),
        Row(
            label: "a ban by filter (8) comes before the verdict (10)", filter: ("", .ban),
            flags: ["did-ban", "new-did"],
            matches: true, rejections: ["did-ban"]),
        Row(
            label: "a pending unban (3) comes before a ban by filter (8)", banMode: .unban, filter: ("", .ban),
            flags: ["did-unban", "new-did"], matches: true, rejections: []),
        Row(
            label: "risk by filter (8) comes before the lifetime (11)", filter: ("", .risky),
            flags: ["new-did", "risky-device"], matches: true, rejections: [], lifetime: 120),
        Row(
            label: "the device's own policy (9) judges a ban by filter", policy: "default,strict,default",
            own: "default,whitelist,default", filter: ("", [.ban, .reject]), flags: ["did-ban", "new-did"],
            matches: true,
            rejections: []),
        Row(
            label: "the device's own policy judges a rejecting filter", policy: "default,whitelist,default",
            own: "default,allow-root,default", filter: ("rooted", .reject), observed: ["rooted"],
            flags: ["rooted", "new-did", "risky-device"], matches: true, rejections: ["filter:watched"], lifetime: 120),
        Row(
            label: "a ban under blacklist is persisted all the same", policy: "default,blacklist,default",
            filter: ("", .ban), flags: ["did-ban", "new-did"], matches: true, rejections: ["policy:blacklist"]),
        Row(
            label: "short tokens of a rejected risky device", policy: "default,allow-raj-only-short-lifetime,default",
            filter: ("frida", .reject), observed: ["frida"], flags: ["frida", "new-did", "risky-device"], matches: true,
            rejections: ["frida", "filter:watched"], lifetime: 45),
    ]

    @Test("R10 one step before another", arguments: rows) func stepsAreOrdered(_ row: Row) throws {
        let filter = try Filter.regex("watched", "flags-all", row.filter.pattern, row.filter.options)
        var account = try Account.sample(row.policy, filters: [filter])
        if row.own != nil || row.banMode != nil {
            try account.append(account.entry(Sample.device, row.own, banMode: row.banMode))
        }
        var service = Service(account)
        let outcome = try service.attest(row.observed)
        #expect(outcome.flags == row.flags)
        #expect(outcome.filters == (row.matches ? ["watched"] : []))
        #expect(outcome.rejections == row.rejections)
        #expect(outcome.passed == row.rejections.isEmpty)
        #expect(outcome.lifetime == row.lifetime)
        #expect(outcome.policy == row.own ?? row.policy)
    }

    /// The flags of bans, services and pinning, which in a replay hold for their record alone.
    static let observed = FlagFacts.names.filter { name in
        ["did-ban", "did-unban", "pinning-tampered"].contains(name) || name.hasPrefix("devicecheck-")
            || name.hasPrefix("safetynet-")
    }.rows(15)

    @Test("R10 what was observed carries over to no other record", arguments: observed)
    func observedHoldsForItsRecord(flag: String) throws {
        var service = Service(try .sample())
        #expect(try service.attest([flag]).flags.contains(flag))
        #expect(try service.attest().flags == [])
        #expect(try service.state() == [])
    }

    @Test("R10 what a replay itself persists carries over") func persistedCarriesOver() throws {
        var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4", .ban)])
        try account.append(account.entry(Sample.otherDevice, banMode: .ban))
        var service = Service(account)
        _ = try service.attest(with: ["ip": "1.2.3.4"])
        _ = try service.attest(by: Sample.otherDevice)
        service.change(to: try .sample())
        #expect(try service.attest().rejections == ["did-ban"])
        #expect(try service.attest(by: Sample.otherDevice).rejections == ["did-ban"])
    }

    @Test("R10.12 annotations show what the steps before added") func annotationsComeLast() throws {
        var account = try Account.sample(
            "default,default,all", filters: [.exact("myip", "ip", "1.2.3.4", [.ban, .risky])])
        try account.append(account.entry(Sample.otherDevice, banMode: .unban))
        var service = Service(account)
        let attributes = ["ip": "1.2.3.4"]
        #expect(try service.attest(with: attributes).annotations == ["did-ban", "new-did", "risky-device"])
        let other = try service.attest(with: attributes, by: Sample.otherDevice)
        #expect(other.annotations == ["did-unban", "new-did", "risky-device"])
    }
}
