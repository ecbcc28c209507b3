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
        expect(outcome.flags, equals: expected)
        expect(outcome.rejections, equals: expected)
        expect(outcome.lifetime, equals: (expected.contains("risky-device") ? 120 : 300))
    }

    @Test("R14.3 flags that an account declares and that nobody knows decide, too") func otherFlags() throws {
        var account = try Account.sample(declaring: [FlagDeclaration(name: "extra", isRisk: true)])
        account.policy.rejection.addRejectFlag(try account.flag("extra"))
        var device = SimulatedDevice.android()
        device.flags = ["extra", "unheard-of"]
        var phone = Phone(device, account)
        let outcome = try phone.attest(by: .failover)
        expect(outcome.flags, equals: ["new-did", "risky-device", "extra", "unheard-of"])
        expect(outcome.rejections, equals: ["extra"])
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
        expect(decision.service, equals: service)
    }

    @Test("what it does not see are flags") func unseenFlagsAreKnown() {
        #expect(Set(Self.unseen).isSubset(of: FlagFacts.names))
    }
}
