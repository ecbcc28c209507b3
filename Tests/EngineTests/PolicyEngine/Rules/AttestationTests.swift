import Testing

@testable import PolicyEngine
@testable import TestSupport

// Step 1 is R1.5, step 4 is shown with DeviceCheck and SafetyNet, step 13 with codes, the rings of step 14 with replays;
// that pinning-tampered persists by install (step 5) is shown with the clients.
@Suite("R10 Order of an attestation") struct AttestationOrderTests {
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

    /// The flags of bans, services and pinning, which in a replay hold for their record alone.
    static let observed = FlagFacts.names.filter { name in
        ["did-ban", "did-unban", "pinning-tampered"].contains(name) || name.hasPrefix("devicecheck-")
            || name.hasPrefix("safetynet-")
    }.rows(15)

    @Test("R10 what was observed carries over to no other record", arguments: observed)
    func observedHoldsForItsRecord(flag: String) throws {
        var service = Service(try .sample())
        #expect(try service.attest([flag]).flags.contains(flag))
        try expect(service.attest().flags, equals: [])
        try expect(service.state(), equals: [])
    }

    @Test("R10 what a replay itself persists carries over") func persistedCarriesOver() throws {
        var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4", .ban)])
        try account.append(account.entry(Sample.otherDevice, banMode: .ban))
        var service = Service(account)
        _ = try service.attest(with: ["ip": "1.2.3.4"])
        _ = try service.attest(by: Sample.otherDevice)
        service.change(to: try .sample())
        try expect(service.attest().rejections, equals: ["did-ban"])
        try expect(service.attest(by: Sample.otherDevice).rejections, equals: ["did-ban"])
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
        try expect(bench.attest(in: &situation), equals: ["new-did"])
        expect(situation, equals: DeviceSituation(isKnown: true, isBanned: false, isUnbanned: false, isSampled: false))
        try expect(bench.attest(in: &situation), equals: [])
        // The situation counts, and not what the engine saw before.
        situation = Self.fresh
        try expect(bench.attest(in: &situation), equals: ["new-did"])
    }

    @Test("R6.3 R6.4 bans and unbans are those of the situation") func bans() throws {
        var bench = try Bench(Account.sample())
        var banned = DeviceSituation(isKnown: true, isBanned: true, isUnbanned: false, isSampled: false)
        try expect(bench.attest(in: &banned), equals: ["did-ban"])
        #expect(banned.isBanned && !banned.isUnbanned)
        var unbanned = DeviceSituation(isKnown: true, isBanned: true, isUnbanned: true, isSampled: false)
        try expect(bench.attest(in: &unbanned), equals: ["did-unban"])
        #expect(unbanned.isBanned && unbanned.isUnbanned)
        var neither = DeviceSituation(isKnown: true, isBanned: false, isUnbanned: false, isSampled: false)
        try expect(bench.attest(in: &neither), equals: [])
    }

    @Test("R6.3 what an entry brings about is there afterwards", arguments: [BanMode.ban, .unban])
    func entries(mode: BanMode) throws {
        let account = try Account.sample()
        let entry = try account.entry(banMode: mode)
        var bench = try Bench(try account.changed { try $0.append(entry) })
        var situation = Self.fresh
        let flag = mode == .ban ? "did-ban" : "did-unban"
        expect(Set(try bench.attest(in: &situation)), equals: ["new-did", flag])
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
        expect(decision.passed, equals: isSampled)
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
        expect(Set(answers), equals: [true, false])
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
        expect(engine.probeURL(of: device, at: Sample.time), equals: "https://a.example")
        #expect(engine.probeURL(of: other, at: Sample.time) == nil)
        #expect(engine.hasEntry(device) && !engine.hasEntry(other))
        // R1.5: by the account that is in force then.
        engine.change(to: account, at: Sample.time + 60, symbols: &service.symbols)
        expect(engine.probeURL(of: device, at: Sample.time + 59), equals: "https://a.example")
        #expect(engine.probeURL(of: device, at: Sample.time + 60) == nil)
    }
}
