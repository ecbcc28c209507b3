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
