import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which texts are policies (R3) is shown in Tests/Files/accounts, what they annotate (R5) and how long tokens live (R11) by
// scenarios in Tests/Rules.
@Suite("R3, R5, R11 Parts of a security policy") struct SecurityPolicyTests {
    @Test("R3.1, R11.2 a new account has default,default,default, and a grace of 10 seconds") func newAccount() {
        let account = Account(catalogue: FlagCatalogue())
        expect(account.policy.description, equals: "default,default,default")
        expect(account.rules, equals: ["default"])
        expect(account.grace, equals: 10)
    }

    @Test("R5.1 all annotates every flag of the catalogue") func allAnnotatesEverything() throws {
        var service = Service(try .sample("default,default,all"))
        let flags = FlagFacts.names.filter { $0 != "did-unban" }
        try expect(
            service.attest(flags).annotations, equals: flags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    // R2.3: the sort by byte value is that of the claim and of decisions; what the library gives is a set of flags.
    @Test("R5.3 all annotates flags that nobody declared, too") func unknownFlags() throws {
        var service = Service(try .sample("default,whitelist,all", declaring: [FlagDeclaration(name: "mine")]))
        _ = try service.attest()
        let flags = ["zz-unknown", "aa-unknown", "mine"]
        try expect(service.attest(flags).annotations, equals: ["aa-unknown", "mine", "zz-unknown"])
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

    @Test("R11.1 every risk flag halves the lifetime and more, no other does", arguments: FlagFacts.all)
    func riskShortens(_ fact: FlagFact) throws {
        var service = Service(try .sample())
        try expect(service.attest([fact.name]).lifetime, equals: (fact.isRisk ? 120 : 300))
    }
}
