import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R4.7 Missing checks") struct MissingServiceTests {
    @Test("R4.7 a replay takes what was observed", arguments: ["devicecheck-missing", "safetynet-missing", nil])
    func replayTakesWhatWasObserved(flag: String?) throws {
        var account = try Account.sample("default,strict,default")
        account.deviceCheck = DeviceCheckSettings(teamID: "TEAM", keyID: "KEY", bits: .both, expiry: 12)
        account.safetyNet = SafetyNetSettings(apiKey: "key")
        var service = Service(account)
        let observed = flag.map { [$0] } ?? []
        let outcome = try service.attest(observed, with: ["device": "iOS, 12.1.2, iPhone7,2"])
        expect(outcome.rejections, equals: observed)
        expect(outcome.flags, equals: ["new-did"] + observed)
    }
}

@Suite("R4 What is said of policies and decisions") struct PolicyWordTests {
    @Test(
        "R4.1 R4.3 R4.5 what a policy does about a flag",
        arguments: [
            ("default", "rooted", RejectionStatus.rejects), ("default", "automated", .accepts),
            ("allow-xposed", "rooted", .rejectsUnlessXposed), ("allow-root", "rooted", .accepts),
            ("blacklist", "automated", .rejects), ("whitelist", "rooted", .accepts),
        ])
    func status(preset: String, flag: String, status: RejectionStatus) throws {
        let policy = RejectionPolicy(preset: try #require(RejectionPreset(rawValue: preset)))
        let flag = try #require(FlagCatalogue().flag(named: flag))
        expect(policy.status(of: flag), equals: status)
    }

    @Test("R4.4 a policy that was made custom rejects what it did before") func custom() throws {
        var policy = RejectionPolicy(preset: .strict)
        policy.makeCustom()
        #expect(policy.name == "custom" && policy.isCustom)
        expect(policy.rejecting, equals: RejectionPolicy(preset: .strict).rejecting)
    }

    // The manual's table of rejection policies.
    @Test("each preset is described in a sentence of its own") func summaries() {
        let summaries = RejectionPreset.allCases.map(\.summary)
        expect(Set(summaries).count, equals: 10)
        expect(RejectionPreset.blacklist.summary, equals: "Reject everything")
        expect(RejectionPreset.whitelist.summary, equals: "Accept all but direct evidence of tampering with the SDK")
        #expect(RejectionPreset.strict.summary.contains("SafetyNet/DeviceCheck"))
        #expect(RejectionPreset.allowRootAndJailbrokenOnlyShortLifetime.summary.contains("45 seconds"))
        #expect(RejectionPreset.allowCloned.summary.hasPrefix("Accept cloned apps"))
        #expect(RejectionPreset.allowXposed.summary.hasPrefix("Accept Xposed"))
        #expect(RejectionPreset.allowRoot.summary.hasPrefix("Accept rooted Android"))
        #expect(RejectionPreset.allowRootAndJailbroken.summary.contains("emulators/simulators and cloned apps but"))
        #expect(RejectionPreset.allowRootAndJailbrokenOnly.summary.contains("but reject emulators/simulators, cloned"))
        #expect(RejectionPreset.default.summary.hasPrefix("Reject all rooted/jailbroken"))
    }

    @Test("R4.5 R4.8 the causes of a rejection: flags, filters, or the policy alone") func causes() throws {
        let filters: [Filter] = [
            try .exact("quiet", "ip", "1"), try .exact("loud", "ip", "1", .reject),
            try .exact("off", "ip", "2", .reject),
        ]
        var service = Service(try Account.sample(filters: filters))
        let names = { (decision: Decision, service: Service) in
            service.engine.rejections(of: decision, catalogue: service.symbols.catalogue)
        }
        let decision = try service.decide(Observation(flags: ["xposed", "rooted"], attributes: ["ip": "1"]))
        expect(names(decision, service), equals: ["rooted", "xposed", "filter:loud"])
        expect(
            service.engine.causes(of: decision, catalogue: service.symbols.catalogue),
            equals: [.flag("rooted"), .flag("xposed"), .filter("loud")])
        expect(names(try service.decide(Observation()), service), equals: [])
        var strict = Service(try Account.sample("default,blacklist,default", filters: filters))
        let all = try strict.decide(Observation(flags: ["rooted"], attributes: ["ip": "1"]))
        expect(names(all, strict), equals: ["policy:blacklist"])
    }

    @Test("R7.2 a bad regex is shown with PCRE2's words, and what helps") func patterns() throws {
        let error = PatternError(source: "(", reason: "missing closing parenthesis", offset: 1)
        expect(error.description, equals: "bad regex `(`: missing closing parenthesis at offset 1")
        expect(error.hint, equals: #"write `\` before a special character to match it literally, as in `1\.2\.3\.4`"#)
        try expect(Pattern("^a"), equals: Pattern("^a"))
        #expect(try Pattern("^a") != Pattern("^b"))
        try expect(Set([Pattern("^a"), Pattern("^a"), Pattern("^b")]).count, equals: 2)
    }

    @Test("R21.1 features have to be enabled; message signing is, by its key") func features() throws {
        var account = try Account.sample()
        #expect(AccountFeature.allCases.allSatisfy { !account.has($0) })
        let key = MessageSigningKey(drawing: Array(0..<64))
        account.keys.messageSigningKey = key
        expect(account.activeMessageSigningKey, equals: key)
        account.features = [.secureStrings]
        #expect(account.has(.secureStrings) && !account.has(.customJWT))
        #expect(account.activeMessageSigningKey == nil)
        account.features = [.messageSigning]
        #expect(account.activeMessageSigningKey == key && !account.has(.secureStrings))
    }

    @Test("R21.2 keys of secure strings have 1 to 64 characters") func secureStrings() {
        #expect(SecureStringKey.isKey("a") && SecureStringKey.isKey(String(repeating: "é", count: 64)))
        #expect(!SecureStringKey.isKey("") && !SecureStringKey.isKey(String(repeating: "a", count: 65)))
    }
}
