import Testing

@testable import PolicyEngine
@testable import TestSupport

// When the failover takes over, and what its tokens lack beside annotations, is shown with the clients.
@Suite("R14.3 Failover") struct FailoverTests {
    /// The flags that the failover does not evaluate.
    static let unseen = [
        "cloned", "safetynet-completed", "safetynet-fail-token", "safetynet-fail-integrity", "safetynet-fail-profile",
        "safetynet-fail-cert", "safetynet-unavailable", "safetynet-missing",
    ]

    @Test("R14.3 which flags it decides by", arguments: FlagFacts.all) func flags(_ flag: FlagFact) throws {
        var account = try Account.sample("default,default,all")
        // A policy that rejects on every flag.
        for name in FlagFacts.names { account.policy.rejection.addRejectFlag(try account.flag(name)) }
        var device = SimulatedDevice.android()
        device.flags = [flag.name]
        var phone = Phone(device, account)
        let isSeen = !Self.unseen.contains(flag.name) && flag.name != "risky-device"
        let seen = Set((isSeen ? [flag.name] : []) + ["new-did"] + (isSeen && flag.isRisk ? ["risky-device"] : []))
        let expected = FlagFacts.names.filter(seen.contains)
        let outcome = try phone.attest(by: .failover)
        #expect(outcome.flags == expected)
        #expect(outcome.rejections == expected)
        #expect(outcome.lifetime == (expected.contains("risky-device") ? 120 : 300))
    }

    @Test("R14.3 flags that an account declares and that nobody knows decide, too") func otherFlags() throws {
        var account = try Account.sample(declaring: [FlagDeclaration(name: "extra", isRisk: true)])
        account.policy.rejection.addRejectFlag(try account.flag("extra"))
        var device = SimulatedDevice.android()
        device.flags = ["extra", "unheard-of"]
        var phone = Phone(device, account)
        let outcome = try phone.attest(by: .failover)
        #expect(outcome.flags == ["new-did", "risky-device", "extra", "unheard-of"])
        #expect(outcome.rejections == ["extra"])
    }

    @Test("R14.3 it makes no annotations", arguments: ["default", "info", "risk", "all", "rooted"])
    func noAnnotations(policy: String) throws {
        var account = try Account.sample("default,whitelist,\(policy)")
        try account.append(account.entry(Sample.otherDevice, "default,whitelist,all"))
        var device = SimulatedDevice.android()
        device.flags = ["rooted"]
        var phone = Phone(device, account)
        #expect(try phone.attest(by: .failover).annotations == nil)
        phone.device.id = Sample.otherDevice
        #expect(try phone.attest(by: .failover).annotations == nil)
        #expect(try phone.attest().annotations == ["risky-device", "rooted"])
    }

    @Test("R14.3 a decision says who made it", arguments: [TokenService.primary, .failover])
    func serviceIsNamed(service: TokenService) throws {
        let account = try Account.sample()
        var symbols = SymbolTable(catalogue: account.catalogue)
        var engine = Engine(account: account, source: .simulation, symbols: &symbols)
        var platforms = PlatformServices()
        let identifier = try #require(DeviceID(Sample.device))
        let attestation = Attestation(time: Sample.time, device: symbols.devices.intern(identifier))
        let decision = engine.attest(
            attestation, evidence: SimulatedDevice.android().evidence, by: service, platforms: &platforms,
            symbols: symbols)
        #expect(decision.service == service)
    }

    @Test("R14.3 without filters: none matches, rejects, makes risky or bans") func noFilters() throws {
        let options: Filter.Options = [.reject, .ban, .risky, .captureDeviceInformation]
        var account = try Account.sample(filters: [.regex("all", "flags-all", "", options)])
        try account.append(.conjunction("both", ["all"], [.reject]))
        var phone = Phone(.iPhone(), account)
        let outcome = try phone.attest(by: .failover)
        #expect(outcome.filters == [])
        #expect(outcome.passed && outcome.flags == ["new-did"] && outcome.lifetime == 300)
        #expect(try phone.state == [])
        #expect(try phone.attest().rejections == ["did-ban", "filter:all", "filter:both"])
        // A ban by filter that is persisted is one like any other.
        #expect(try phone.attest(by: .failover).rejections == ["did-ban"])
    }

    @Test("R14.3 without sampling and without the filtered policy", arguments: [true, false])
    func noFilteredPolicy(isSampled: Bool) throws {
        var account = try Account.sample(rules: ["alt-rules"])
        try account.append(account.entry(Sample.filteredPolicy, "alt-rules,blacklist,all"))
        try account.append(account.entry(Sample.otherDevice, "default,whitelist,all"))
        if isSampled {
            account.samplingPercentage = try #require(Percentage("100"))
        } else {
            try account.append(.regex("all", "flags-all", "", .executeFilteredPolicy))
        }
        var phone = Phone(.iPhone(), account)
        #expect(try phone.attest().rejections == ["policy:blacklist"])
        #expect(try phone.attest(by: .failover).policy == "default,default,default")
        #expect(try phone.attest().rejections == ["policy:blacklist"])
        // A device's policy of its own is kept.
        phone.device.id = Sample.otherDevice
        phone.device.flags = ["rooted"]
        #expect(try phone.attest(by: .failover).policy == "default,whitelist,all")
    }

    /// The effects of a device entry's ban mode, by the failover.
    struct Entry: LabelledRow {
        let label: String
        let mode: BanMode
        let flags: [String]
        let persisted: [String]
        let bits: String
    }

    static let entries = [
        Entry(
            label: "a ban", mode: .ban, flags: ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
            persisted: ["did-ban", "devicecheck-completed", "devicecheck-ban"], bits: "1 of 2020-07"),
        Entry(
            label: "an unban", mode: .unban, flags: ["did-unban", "new-did", "devicecheck-completed"],
            persisted: ["did-unban", "devicecheck-completed"], bits: "0 of 2020-07"),
    ]

    @Test("R14.3 bans and DeviceCheck are kept", arguments: entries) func bansAreKept(_ row: Entry) throws {
        var phone = try Phone.iPhone(bits: .bit0)
        try phone.setEntry(row.mode)
        let outcome = try phone.attest(by: .failover)
        #expect(outcome.flags == row.flags)
        #expect(outcome.rejections == row.flags.filter { $0.hasSuffix("-ban") })
        #expect(try phone.state == row.persisted)
        #expect(phone.bits == row.bits)
        #expect(try phone.attest().flags == row.flags.filter { $0 != "new-did" })
    }

    @Test("R14.3 its installs count as any others") func installsCount() throws {
        var phone = try Phone.iPhone(bits: .both)
        for count in 0..<3 {
            #expect(try phone.attest(by: count == 1 ? .failover : .primary).passed)
            phone.reinstall()
        }
        #expect(try phone.attest(by: .failover).rejections == ["devicecheck-ban"])
    }

    @Test("R4.7, R14.3 what is missing of DeviceCheck is observed, of SafetyNet not") func missing() throws {
        var iPhone = try Phone.iPhone(policy: "default,strict,default", answering: nil)
        #expect(try iPhone.attest(by: .failover).rejections == ["devicecheck-missing"])
        var android = try Phone.android(answering: nil, policy: "default,strict,default")
        #expect(try android.attest(by: .failover).passed)
        #expect(try android.attest().rejections == ["safetynet-missing"])
    }

    @Test("R14.3 SafetyNet is neither done nor observed", arguments: SafetyNetOutcome.allCases)
    func noSafetyNet(outcome: SafetyNetOutcome) throws {
        var phone = try Phone.android(answering: outcome, quota: 1, policy: "default,strict,default")
        let first = try phone.attest(by: .failover)
        #expect(first.flags == ["new-did"] && first.passed)
        #expect(try phone.state == [])
        // The quota is there still, and what is persisted then is not observed.
        let second = try phone.attest()
        #expect(second.flags.contains("safetynet-completed") == (outcome != .unavailable))
        let third = try phone.attest(by: .failover)
        #expect(third.flags == [] && third.passed && third.lifetime == 300)
    }

    @Test("R14.3 registrations are kept") func registrationsAreKept() throws {
        var account = try Account.sample()
        try account.append(Registration(signature: "abc=", package: "p", version: "1"))
        var device = SimulatedDevice.android()
        device.attributes = ["app-sig": "abc=", "appid": "p", "app-version": "1"]
        var phone = Phone(device, account)
        #expect(try phone.attest(by: .failover).passed)
        phone.device.attributes["appid"] = "q"
        #expect(try phone.attest(by: .failover).rejections == ["app-not-registered"])
    }

    @Test("R14.3 the policies are kept", arguments: PresetFacts.names) func policiesAreKept(preset: String) throws {
        var phone = try Phone.android(quota: nil, policy: "default,\(preset),default")
        phone.device.flags = ["rooted", "cloned", "frida"]
        let expected =
            preset == "blacklist"
            ? ["policy:blacklist"]
            : ["rooted", "frida"].filter { flag in
                PresetFacts.rejecting(preset).contains(flag)
                    || PresetFacts.rejectingUnlessXposed(preset).contains(flag)
            }
        let outcome = try phone.attest(by: .failover)
        #expect(outcome.rejections == expected)
        #expect(outcome.policy == "default,\(preset),default")
        #expect(outcome.lifetime == (preset == "allow-raj-only-short-lifetime" ? 45 : 120))
    }

    @Test("R10.2 a device that the failover saw is not new any more") func deviceIsKnown() throws {
        var phone = try Phone.android(quota: nil)
        #expect(try phone.attest(by: .failover).flags == ["new-did"])
        #expect(try phone.attest().flags == [])
    }

    @Test("what it does not see are flags") func unseenFlagsAreKnown() {
        #expect(Set(Self.unseen).isSubset(of: FlagFacts.names))
    }
}
