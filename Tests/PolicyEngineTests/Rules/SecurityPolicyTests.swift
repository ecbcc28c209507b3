import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R3 Security policy") struct SecurityPolicyTests {
    struct Text: LabelledRow {
        let label: String
        let text: String
        var problem: PolicyError?
    }

    static let texts = [
        Text(label: "that of a new account", text: "default,default,default"),
        Text(label: "the manual's first", text: "default,allow-root,all"),
        Text(label: "the manual's second", text: "default,allow-root-and-jailbroken,xposed"),
        Text(label: "the manual's device", text: "default,whitelist,all"),
        Text(label: "declared rules", text: "alt-rules,strict,risk"),
        Text(label: "several flags", text: "default,blacklist,xposed+rooted"),
        Text(label: "empty", text: "", problem: .wrongForm("")),
        Text(label: "two parts", text: "default,default", problem: .wrongForm("default,default")),
        Text(label: "four parts", text: "a,b,c,d", problem: .wrongForm("a,b,c,d")),
        Text(label: "empty rules", text: ",default,default", problem: unknownRules("")),
        Text(label: "unknown rules", text: "other,default,default", problem: unknownRules("other")),
        Text(label: "space before rules", text: " default,default,default", problem: unknownRules(" default")),
        Text(label: "space after a comma", text: "default, default,default", problem: .unknownRejection(" default")),
        Text(label: "space at the end", text: "default,default,risk ", problem: unknownAnnotation("risk ")),
        Text(label: "unknown rejection", text: "default,lenient,default", problem: .unknownRejection("lenient")),
        Text(label: "upper case", text: "default,Strict,default", problem: .unknownRejection("Strict")),
        Text(label: "empty rejection", text: "default,,default", problem: .unknownRejection("")),
        Text(label: "custom (R4.4)", text: "default,custom,default", problem: .customCannotBeSet),
        Text(label: "empty annotation", text: "default,default,", problem: unknownAnnotation("")),
        Text(label: "unknown annotation", text: "default,default,roted", problem: unknownAnnotation("roted")),
    ]

    @Test("R3.1 a policy is three names, and is shown as it was written", arguments: texts)
    func policyIsThreeNames(_ row: Text) throws {
        let account = try Account.sample(rules: ["alt-rules"])
        if let problem = row.problem {
            #expect(throws: problem) { try account.securityPolicy(row.text) }
        } else {
            #expect(try account.securityPolicy(row.text).description == row.text)
        }
    }

    @Test("R3.1 a new account has default,default,default") func newAccount() {
        #expect(Account(catalogue: FlagCatalogue()).policy.description == "default,default,default")
        #expect(Account(catalogue: FlagCatalogue()).rules == ["default"])
    }

    @Test("R3.2 an unknown rule set is an error that lists the known ones") func unknownRulesListTheKnown() throws {
        let account = try Account.sample(rules: ["alt-rules", "third-rules"])
        let problem = #expect(throws: PolicyError.self) { try account.securityPolicy("other,default,default") }
        #expect(problem == .unknownRules("other", known: ["default", "alt-rules", "third-rules"]))
        for name in ["`other`", "`default`", "`alt-rules`", "`third-rules`"] {
            #expect(problem?.description.contains(name) == true)
        }
    }

    // The warning that goes with it is shown where accounts are loaded.
    @Test("R3.2 the filtered policy may name rules that nobody declared") func filteredPolicyTakesAnyRules() throws {
        let account = try Account.sample()
        #expect(throws: PolicyError.self) { try account.securityPolicy("alt-rules,default,default") }
        let policy = try account.filteredSecurityPolicy("alt-rules,default,default")
        #expect(policy.description == "alt-rules,default,default")
        #expect(throws: PolicyError.unknownRejection("nothing")) {
            try account.filteredSecurityPolicy("alt-rules,nothing,default")
        }
    }

    struct Target: LabelledRow {
        let label: String
        let device: String
        let attributes: [String: String]
        let policy: String
    }

    static let targets = [
        Target(label: "the account", device: Sample.device, attributes: [:], policy: "default,strict,risk"),
        Target(label: "one device", device: Sample.otherDevice, attributes: [:], policy: "default,whitelist,all"),
        Target(
            label: "the filtered policy", device: Sample.device, attributes: ["ip": "1.2.3.4"],
            policy: "alt-rules,allow-root,default"),
    ]

    @Test("R3.3 a policy applies to the account, a device, or what is filtered", arguments: targets)
    func policyApplies(_ row: Target) throws {
        var account = try Account.sample("default,strict,risk", rules: ["alt-rules"])
        try account.append(.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy))
        try account.append(account.entry(Sample.otherDevice, "default,whitelist,all"))
        try account.append(account.entry(Sample.filteredPolicy, "alt-rules,allow-root,default"))
        var service = Service(account)
        #expect(try service.attest(with: row.attributes, by: row.device).policy == row.policy)
    }

    private static func unknownRules(_ name: String) -> PolicyError {
        .unknownRules(name, known: ["default", "alt-rules"])
    }

    private static func unknownAnnotation(_ name: String) -> PolicyError {
        .unknownAnnotation(name, known: ["default", "info", "risk", "all"] + FlagFacts.names)
    }
}

// R5.4: the warning is shown where accounts are loaded and commands are run.
@Suite("R5 Annotation policy") struct AnnotationPolicyTests {
    struct Row: LabelledRow {
        let policy: String
        let flags: [String]
        let annotations: [String]?

        var testDescription: String { "\(policy): \(flags.joined(separator: "+"))" }

        init(_ policy: String, _ flags: [String], annotates annotations: [String]?) {
            self.policy = policy
            self.flags = flags
            self.annotations = annotations
        }
    }

    static let automation = ["xposed", "automated", "automated-launch", "non-standard-launch"]
    static let presets = [
        Row("default", [], annotates: nil),
        Row("default", ["rooted", "xposed"], annotates: nil),
        Row("info", [], annotates: []),
        Row("info", ["init-config-outdated", "did-unban"], annotates: []),
        Row("info", ["rooted"], annotates: ["risky-device"]),
        Row("info", ["automated"], annotates: ["automated"]),
        Row("info", ["automated-launch"], annotates: ["automated-launch"]),
        Row("info", ["non-standard-launch"], annotates: ["non-standard-launch"]),
        Row(
            "info", automation,
            annotates: ["automated", "automated-launch", "non-standard-launch", "risky-device", "xposed"]),
        Row("risk", [], annotates: []),
        Row("risk", automation.dropFirst() + [], annotates: []),
        Row("risk", ["xposed"], annotates: ["risky-device"]),
        Row("risk", ["root-risk", "automated"], annotates: ["risky-device"]),
        Row("all", [], annotates: []),
        Row("all", ["new-did"], annotates: ["new-did"]),
        Row(
            "all", ["xposed", "rooted", "app-not-registered"],
            annotates: ["app-not-registered", "risky-device", "rooted", "xposed"]),
        Row("all", ["zz-unknown", "aa-unknown", "mine"], annotates: ["aa-unknown", "mine", "zz-unknown"]),
    ]

    @Test("R5.1, R5.3 the presets of annotation", arguments: presets)
    func presetAnnotates(_ row: Row) throws { try Self.check(row) }

    static let named = [
        Row("xposed", ["rooted", "xposed"], annotates: ["xposed"]),
        Row("xposed", ["rooted"], annotates: []),
        Row("xposed+rooted", ["rooted", "xposed", "frida"], annotates: ["rooted", "xposed"]),
        Row("rooted+xposed", ["rooted", "xposed", "frida"], annotates: ["rooted", "xposed"]),
        Row("xposed+rooted", ["xposed"], annotates: ["xposed"]),
        Row("xposed+xposed", ["xposed"], annotates: ["xposed"]),
        Row("risky-device", ["frida"], annotates: ["risky-device"]),
        Row("risky-device", ["automated"], annotates: []),
        Row(
            "mine+cydia+app-not-registered", ["cydia", "mine", "app-not-registered"],
            annotates: ["app-not-registered", "cydia", "mine"]),
        Row("did-ban", ["did-ban"], annotates: ["did-ban"]),
    ]

    @Test("R5.2, R5.3 names of flags, joined by +", arguments: named)
    func namedFlagsAreAnnotated(_ row: Row) throws { try Self.check(row) }

    // R2.3: the sort by byte value is that of the claim and of decisions; what the library gives is a set of flags.
    private static func check(_ row: Row) throws {
        var service = Service(
            try .sample("default,whitelist,\(row.policy)", declaring: [FlagDeclaration(name: "mine")]))
        _ = try service.attest()
        let outcome = try service.attest(row.flags)
        #expect(outcome.annotations == row.annotations)
        #expect(outcome.policy == "default,whitelist,\(row.policy)")
    }

    @Test("R5.3 failing attestations are annotated alike") func failingIsAnnotated() throws {
        var service = Service(try .sample("default,blacklist,all"))
        let outcome = try service.attest(["rooted"])
        #expect(outcome.annotations == ["new-did", "risky-device", "rooted"])
        #expect(!outcome.passed)
    }

    @Test("R5.1 all annotates every flag of the catalogue") func allAnnotatesEverything() throws {
        var service = Service(try .sample("default,default,all"))
        let flags = FlagFacts.names.filter { $0 != "did-unban" }
        #expect(try service.attest(flags).annotations == flags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test("R5.3 default can name none; every other policy can name some", arguments: ["info", "risk", "all", "xposed"])
    func onlyDefaultCannotAnnotate(policy: String) throws {
        #expect(try AnnotationPolicy(policy, catalogue: FlagCatalogue()).canAnnotate)
        #expect(try !AnnotationPolicy("default", catalogue: FlagCatalogue()).canAnnotate)
        #expect(!AnnotationPolicy.none.canAnnotate)
    }

    @Test("R5.4 only all annotates everything", arguments: ["default", "info", "risk", "xposed", "xposed+rooted"])
    func onlyAllTellsEverything(policy: String) throws {
        #expect(try !AnnotationPolicy(policy, catalogue: FlagCatalogue()).namesEverything)
        #expect(try AnnotationPolicy("all", catalogue: FlagCatalogue()).namesEverything)
    }

    static let wrong: [Case<String, String>] = [
        Case("empty", "", gives: ""),
        Case("plus at the end", "xposed+", gives: ""),
        Case("plus at the start", "+xposed", gives: ""),
        Case("two plus", "xposed++rooted", gives: ""),
        Case("upper case", "Xposed", gives: "Xposed"),
        Case("a preset among flags", "risk+xposed", gives: "risk"),
        Case("an unknown flag among others", "xposed+roted+rooted", gives: "roted"),
        Case("a space", "xposed +rooted", gives: "xposed "),
        Case("a rejection policy", "strict", gives: "strict"),
    ]

    @Test("R5.2 what is neither a preset nor a flag is an error that names it", arguments: wrong)
    func wrongNamesAreErrors(_ row: Case<String, String>) {
        let problem = #expect(throws: PolicyError.self) { try AnnotationPolicy(row.input, catalogue: FlagCatalogue()) }
        guard case .unknownAnnotation(let part, let known) = problem else {
            Issue.record("another error: \(String(describing: problem))")
            return
        }
        #expect(part == row.expected)
        #expect(known == ["default", "info", "risk", "all"] + FlagFacts.names)
    }
}

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
