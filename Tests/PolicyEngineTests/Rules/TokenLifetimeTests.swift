import Testing

@testable import PolicyEngine
@testable import TestSupport

// That clients reuse a token for its lifetime and not for the grace (R11.2) is shown with the clients.
@Suite("R11 Token lifetime") struct TokenLifetimeTests {
    struct Row: LabelledRow {
        let preset: String
        let flags: [String]
        let passes: Bool
        let lifetime: Int
        let grace: Int

        var testDescription: String { "\(preset): \(flags.joined(separator: "+"))" }

        init(_ preset: String, _ flags: [String], passes: Bool, lifetime: Int, grace: Int = 10) {
            (self.preset, self.flags, self.passes) = (preset, flags, passes)
            (self.lifetime, self.grace) = (lifetime, grace)
        }
    }

    static let rows = [
        Row("default", [], passes: true, lifetime: 300),
        Row("default", ["automated"], passes: true, lifetime: 300),
        Row("default", ["root-risk"], passes: true, lifetime: 120),
        Row("default", ["rooted"], passes: false, lifetime: 120),
        Row("default", ["app-not-registered"], passes: false, lifetime: 300),
        Row("default", ["did-ban"], passes: false, lifetime: 300),
        Row("default", ["risky-device"], passes: true, lifetime: 300),
        Row("allow-root", ["rooted"], passes: true, lifetime: 120),
        Row("whitelist", ["frida"], passes: true, lifetime: 120),
        Row("whitelist", [], passes: true, lifetime: 300),
        Row("blacklist", [], passes: false, lifetime: 300),
        Row("blacklist", ["xposed"], passes: false, lifetime: 120),
        Row("allow-raj-only-short-lifetime", [], passes: true, lifetime: 45, grace: 15),
        Row("allow-raj-only-short-lifetime", ["rooted"], passes: true, lifetime: 45, grace: 15),
        Row("allow-raj-only-short-lifetime", ["emulator"], passes: false, lifetime: 45, grace: 15),
        Row("allow-raj-only-short-lifetime", ["app-not-registered"], passes: false, lifetime: 45, grace: 15),
    ]

    @Test("R11.1 the lifetime is the same for passing and failing", arguments: rows)
    func lifetimeIsGiven(_ row: Row) throws {
        var service = Service(try .sample("default,\(row.preset),default"))
        let decision = try service.decide(Observation(flags: row.flags))
        #expect(decision.passed == row.passes)
        #expect(decision.lifetime == row.lifetime)
        #expect(decision.grace == row.grace)
        #expect(decision.expires == Sample.time + row.lifetime + row.grace)
    }

    @Test("R11.1 every risk flag halves the lifetime and more, no other does", arguments: FlagFacts.all)
    func riskShortens(_ fact: FlagFact) throws {
        var service = Service(try .sample())
        #expect(try service.attest([fact.name]).lifetime == (fact.isRisk ? 120 : 300))
    }

    @Test("R11.2 the grace is settable, except for the 45 seconds", arguments: [0, 1, 10, 60, 86_400])
    func graceIsSettable(grace: Int) throws {
        let account = try Account.sample().changed { $0.grace = grace }
        var service = Service(account)
        #expect(try service.attest().expires - Sample.time == 300 + grace)
        #expect(try service.attest(["root-risk"]).expires - Sample.time == 120 + grace)
        let short = "default,allow-raj-only-short-lifetime,default"
        service.change(to: try account.changed { $0.policy = try $0.securityPolicy(short) })
        #expect(try service.attest().expires - Sample.time == 60)
    }

    @Test("R11.2 the grace of a new account is 10 seconds") func graceOfANewAccount() {
        #expect(Account(catalogue: FlagCatalogue()).grace == 10)
    }

    @Test("R11.1 the lifetime is that of the policy applied") func lifetimeOfThePolicyApplied() throws {
        var account = try Account.sample()
        try account.append(account.entry(Sample.device, "default,allow-raj-only-short-lifetime,default"))
        var service = Service(account)
        #expect(try service.attest().lifetime == 45)
        #expect(try service.attest(by: Sample.otherDevice).lifetime == 300)
    }
}
