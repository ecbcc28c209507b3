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
            label: "the device's own policy (9) decides on a ban by filter", policy: "default,strict,default",
            own: "default,whitelist,default", filter: ("", [.ban, .reject]), flags: ["did-ban", "new-did"],
            matches: true,
            rejections: []),
        Row(
            label: "the device's own policy decides on a rejecting filter", policy: "default,whitelist,default",
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

@Suite("R10 attestations in a situation of their device") struct DeviceSituationTests {
    private struct Bench {
        var symbols: SymbolTable
        var engine: Engine
        let device: DeviceIndex

        init(_ account: Account, device: String = Sample.device) throws {
            var symbols = SymbolTable(catalogue: account.catalogue)
            engine = Engine(account: account, symbols: &symbols)
            // Not the first one, so that there is no state of it yet.
            for number in 1...3 { _ = symbols.devices.intern(DeviceID(first: 9, second: UInt64(number))) }
            self.device = symbols.devices.intern(try #require(DeviceID(device)))
            self.symbols = symbols
        }

        mutating func attest(
            _ flags: [String] = [], in situation: inout DeviceSituation, at time: Instant = Sample.time
        ) throws -> [String] {
            var attestation = Attestation(time: time, device: device)
            for name in flags { attestation.flags.insert(try symbols.catalogue.intern(observed: name)) }
            let decision = engine.attest(attestation, matches: .none, in: &situation, symbols: symbols)
            return symbols.catalogue.names(of: decision.flags)
        }
    }

    private static let fresh = DeviceSituation(isKnown: false, isBanned: false, isUnbanned: false, isSampled: false)

    @Test("R10.2 a device that is not known is new once") func newOnce() throws {
        var (bench, situation) = (try Bench(Account.sample()), Self.fresh)
        #expect(try bench.attest(in: &situation) == ["new-did"])
        #expect(situation == DeviceSituation(isKnown: true, isBanned: false, isUnbanned: false, isSampled: false))
        #expect(try bench.attest(in: &situation) == [])
        // The situation counts, and not what the engine saw before.
        situation = Self.fresh
        #expect(try bench.attest(in: &situation) == ["new-did"])
    }

    @Test("R6.3 R6.4 bans and unbans are those of the situation") func bans() throws {
        var bench = try Bench(Account.sample())
        var banned = DeviceSituation(isKnown: true, isBanned: true, isUnbanned: false, isSampled: false)
        #expect(try bench.attest(in: &banned) == ["did-ban"])
        #expect(banned.isBanned && !banned.isUnbanned)
        var unbanned = DeviceSituation(isKnown: true, isBanned: true, isUnbanned: true, isSampled: false)
        #expect(try bench.attest(in: &unbanned) == ["did-unban"])
        #expect(unbanned.isBanned && unbanned.isUnbanned)
        var neither = DeviceSituation(isKnown: true, isBanned: false, isUnbanned: false, isSampled: false)
        #expect(try bench.attest(in: &neither) == [])
    }

    @Test("R6.3 what an entry brings about is there afterwards", arguments: [BanMode.ban, .unban])
    func entries(mode: BanMode) throws {
        let account = try Account.sample()
        let entry = try account.entry(banMode: mode)
        var bench = try Bench(try account.changed { try $0.append(entry) })
        var situation = Self.fresh
        let flag = mode == .ban ? "did-ban" : "did-unban"
        #expect(Set(try bench.attest(in: &situation)) == ["new-did", flag])
        #expect(situation.isBanned == (mode == .ban) && situation.isUnbanned == (mode == .unban))
        #expect(situation.isKnown)
    }

    @Test("R7.6 a device is sampled where the situation says so", arguments: [true, false])
    func sampled(isSampled: Bool) throws {
        var account = try Account.sample(rules: ["other"])
        account.samplingPercentage = try #require(Percentage("50"))
        try account.append(account.entry(Sample.filteredPolicy, "other,whitelist,default"))
        var bench = try Bench(account)
        var situation = DeviceSituation(isKnown: true, isBanned: true, isUnbanned: false, isSampled: isSampled)
        let attestation = Attestation(time: Sample.time, device: bench.device)
        let decision = bench.engine.attest(attestation, matches: .none, in: &situation, symbols: bench.symbols)
        // `default` rejects banned devices, and `whitelist` does not.
        #expect(decision.passed == isSampled)
        #expect(
            bench.engine.policies(ofRevision: 0).map(\.description)[decision.policy.offset].hasPrefix(
                isSampled ? "other,whitelist" : "default,default"))
    }

    @Test("R7.6 sampling is that of the engine, for each device and day") func sampling() throws {
        var account = try Account.sample(rules: ["other"])
        #expect(DeviceSampling(account) == nil)
        account.samplingPercentage = try #require(Percentage("50"))
        try account.append(account.entry(Sample.filteredPolicy, "other,default,default"))
        var sampling = try #require(DeviceSampling(account))
        var service = Service(account)
        var answers: [Bool] = []
        for day in [0, 1, 0, 2] {
            for number in [5, 1, 2, 3, 4, 5, 1] {
                let (name, time) = (Sample.device(number), Sample.time + max(day, answers.count / 14) * 86_400)
                let outcome = try service.attest(by: name, at: time)
                let device = try service.index(of: name)
                let isSampled = sampling.isSampled(device, at: time, devices: service.symbols.devices)
                #expect(isSampled == (outcome.policy == "other,default,default"), "device \(number), \(time)")
                answers.append(isSampled)
            }
        }
        #expect(Set(answers) == [true, false])
    }

    @Test("R7.6 all devices are sampled with 100 %, at once and again") func allSampled() throws {
        var account = try Account.sample()
        account.samplingPercentage = .hundred
        var (table, sampling) = (DeviceTable(), try #require(DeviceSampling(account)))
        let devices = (0..<3).map { table.intern(DeviceID(first: 1, second: $0)) }
        for device in [devices[2], devices[0], devices[1], devices[2]] {
            let isSampled = sampling.isSampled(device, at: Sample.time, devices: table)
            #expect(isSampled)
        }
    }

    @Test("R6.6 a probe URL is that of the device's entry") func probeURL() throws {
        let account = try Account.sample()
        var entry = try account.entry()
        entry.probeURL = "https://a.example"
        var service = Service(try account.changed { try $0.append(entry) })
        let (device, other) = (try service.index(of: Sample.device), try service.index(of: Sample.otherDevice))
        var engine = service.engine
        #expect(engine.probeURL(of: device, at: Sample.time) == "https://a.example")
        #expect(engine.probeURL(of: other, at: Sample.time) == nil)
        #expect(engine.hasEntry(device) && !engine.hasEntry(other))
        // R1.5: by the account that is in force then.
        engine.change(to: account, at: Sample.time + 60, symbols: &service.symbols)
        #expect(engine.probeURL(of: device, at: Sample.time + 59) == "https://a.example")
        #expect(engine.probeURL(of: device, at: Sample.time + 60) == nil)
    }
}
