import Testing

@testable import PolicyEngine
@testable import TestSupport

// R2.1 is shown by the table of flags; the order of decoded codes (R2.3) where codes are made.
@Suite("R2 Property flags") struct PropertyFlagTests {
    static let declared = [
        FlagDeclaration(name: "zebra", isRisk: true), FlagDeclaration(name: "aardvark", meaning: "Something new"),
    ]

    struct Naming: LabelledRow {
        let label: String
        let name: String
        let canBeNamed: Bool
    }

    static let namings = [
        Naming(label: "built in", name: "rooted", canBeNamed: true),
        Naming(label: "declared", name: "zebra", canBeNamed: true),
        Naming(label: "declared without risk", name: "aardvark", canBeNamed: true),
        Naming(label: "brought by a capture", name: "seen-once", canBeNamed: false),
        Naming(label: "never heard of", name: "nowhere", canBeNamed: false),
        Naming(label: "upper case", name: "Rooted", canBeNamed: false),
    ]

    @Test("R2.2 a policy or an annotation names what is built in or declared", arguments: namings)
    func policiesNameKnownFlags(_ row: Naming) throws {
        var catalogue = try Account.sample(declaring: Self.declared).catalogue
        _ = try catalogue.intern(observed: "seen-once")
        #expect((catalogue.namedFlag(row.name) != nil) == row.canBeNamed)
        let policy = try? SecurityPolicy("default,default,\(row.name)", catalogue: catalogue, rules: nil)
        #expect((policy != nil) == row.canBeNamed)
    }

    @Test("R2.2 flags that only a capture brings are kept and matchable") func unknownFlagsAreKept() throws {
        let filter = try Filter.regex("seen", "flags-all", "brand-new")
        var service = Service(try .sample("default,default,all", filters: [filter]))
        let outcome = try service.attest(["brand-new", "rooted"])
        #expect(outcome.flags == ["rooted", "new-did", "risky-device", "brand-new"])
        #expect(outcome.filters == ["seen"])
        #expect(outcome.annotations == ["brand-new", "new-did", "risky-device", "rooted"])
        #expect(service.symbols.catalogue.flags.last?.kind == .unknown)
    }

    @Test("R2.2 the manual's misspelling is read as the flag it means") func misspellingIsUnderstood() throws {
        var service = Service(try .sample())
        #expect(try service.attest(["devicecheck-complated"]).flags == ["new-did", "devicecheck-completed"])
        #expect(service.symbols.catalogue.flags.count == 37)
    }

    struct Order: LabelledRow {
        let label: String
        let observed: [String]
        let flags: [String]
    }

    static let orders = [
        Order(label: "catalogue", observed: ["xposed", "rooted"], flags: ["rooted", "xposed", "risky-device"]),
        Order(
            label: "declared in file order", observed: ["aardvark", "zebra"],
            flags: ["risky-device", "zebra", "aardvark"]),
        Order(
            label: "catalogue, declared, unknown", observed: ["unseen", "aardvark", "automated"],
            flags: ["automated", "aardvark", "unseen"]),
        Order(label: "unknown by first sight", observed: ["second", "first"], flags: ["first", "second"]),
        Order(
            label: "ends of the catalogue", observed: ["risky-device", "app-not-registered", "bad-hmac"],
            flags: ["app-not-registered", "bad-hmac", "risky-device"]),
    ]

    @Test("R2.3 flags stand in the order of the catalogue", arguments: orders)
    func flagsAreOrdered(_ row: Order) throws {
        var service = Service(try .sample(declaring: Self.declared))
        _ = try service.attest(["first"])
        _ = try service.attest(["second"])
        #expect(try service.attest(row.observed).flags == row.flags)
    }

    @Test("R2.3 rejections stand in the order of the catalogue") func rejectionsAreOrdered() throws {
        var account = try Account.sample(declaring: Self.declared)
        account.policy.rejection.addRejectFlag(try account.flag("aardvark"))
        account.policy.rejection.addRejectFlag(try account.flag("zebra"))
        var service = Service(account)
        let outcome = try service.attest(["aardvark", "zebra", "frida", "did-ban", "rooted", "app-not-registered"])
        #expect(outcome.rejections == ["app-not-registered", "rooted", "frida", "did-ban", "zebra", "aardvark"])
    }

    struct Derivation: LabelledRow {
        let label: String
        let observed: [String]
        let flags: [String]
    }

    static let derivations = [
        Derivation(label: "an observed risky-device is dropped", observed: ["risky-device"], flags: []),
        Derivation(
            label: "and derived anew", observed: ["risky-device", "cydia"], flags: ["cydia", "risky-device"]),
        Derivation(label: "an observed new-did stays", observed: ["new-did"], flags: ["new-did"]),
        Derivation(label: "an observed did-ban stays", observed: ["did-ban"], flags: ["did-ban"]),
        Derivation(label: "an observed did-unban stays", observed: ["did-unban"], flags: ["did-unban"]),
        Derivation(
            label: "observed outcomes of services stay", observed: ["devicecheck-missing", "safetynet-missing"],
            flags: ["devicecheck-missing", "safetynet-missing"]),
        Derivation(label: "a declared risk flag makes risky", observed: ["zebra"], flags: ["risky-device", "zebra"]),
        Derivation(label: "a declared flag without risk does not", observed: ["aardvark"], flags: ["aardvark"]),
        Derivation(label: "an unknown flag does not", observed: ["unseen"], flags: ["unseen"]),
    ]

    @Test("R2.4 observed and derived flags", arguments: derivations)
    func flagsAreDerived(_ row: Derivation) throws {
        var service = Service(try .sample(declaring: Self.declared))
        _ = try service.attest()
        #expect(try service.attest(row.observed).flags == row.flags)
    }

    @Test("R2.4 risky-device follows from every risk flag and from no other", arguments: FlagFacts.all)
    func riskIsDerived(_ fact: FlagFact) throws {
        var service = Service(try .sample())
        let outcome = try service.attest([fact.name])
        #expect(outcome.flags.contains("risky-device") == fact.isRisk)
    }

    struct Name: LabelledRow {
        let label: String
        let name: String
        let problem: FlagError?
    }

    static let longest = String(repeating: "a", count: 64)
    static let names = [
        Name(label: "letters, digits, minus", name: "new-detection-2", problem: nil),
        Name(label: "64 characters", name: longest, problem: nil),
        Name(label: "65 characters", name: longest + "a", problem: .invalidName(longest + "a")),
        Name(label: "empty", name: "", problem: .invalidName("")),
        Name(label: "upper case", name: "New", problem: .invalidName("New")),
        Name(label: "comma", name: "a,b", problem: .invalidName("a,b")),
        Name(label: "plus", name: "a+b", problem: .invalidName("a+b")),
        Name(label: "built in", name: "rooted", problem: .duplicate("rooted")),
        Name(label: "declared twice", name: "zebra", problem: .duplicate("zebra")),
        Name(label: "annotation policy", name: "risk", problem: .reserved("risk")),
        Name(label: "annotation policy", name: "default", problem: .reserved("default")),
    ]

    @Test("R2.2 a declared flag has a name of its own", arguments: names)
    func declaredNamesAreChecked(_ row: Name) throws {
        var catalogue = try Account.sample(declaring: Self.declared).catalogue
        let declaration = FlagDeclaration(name: row.name)
        guard let problem = row.problem else {
            try catalogue.declare(declaration)
            #expect(catalogue.namedFlag(row.name) != nil)
            return
        }
        #expect(throws: problem) { try catalogue.declare(declaration) }
        #expect(problem.description.contains("`\(row.name)`"))
    }
}
