import Testing

@testable import PolicyEngine
@testable import TestSupport

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

    struct Wrong: LabelledRow {
        let label: String
        let text: String
        let part: String
    }

    static let wrong = [
        Wrong(label: "empty", text: "", part: ""),
        Wrong(label: "plus at the end", text: "xposed+", part: ""),
        Wrong(label: "plus at the start", text: "+xposed", part: ""),
        Wrong(label: "two plus", text: "xposed++rooted", part: ""),
        Wrong(label: "upper case", text: "Xposed", part: "Xposed"),
        Wrong(label: "a preset among flags", text: "risk+xposed", part: "risk"),
        Wrong(label: "an unknown flag among others", text: "xposed+roted+rooted", part: "roted"),
        Wrong(label: "a space", text: "xposed +rooted", part: "xposed "),
        Wrong(label: "a rejection policy", text: "strict", part: "strict"),
    ]

    @Test("R5.2 what is neither a preset nor a flag is an error that names it", arguments: wrong)
    func wrongNamesAreErrors(_ row: Wrong) {
        let problem = #expect(throws: PolicyError.self) { try AnnotationPolicy(row.text, catalogue: FlagCatalogue()) }
        guard case .unknownAnnotation(let part, let known) = problem else {
            Issue.record("another error: \(String(describing: problem))")
            return
        }
        #expect(part == row.part)
        #expect(known == ["default", "info", "risk", "all"] + FlagFacts.names)
    }
}
