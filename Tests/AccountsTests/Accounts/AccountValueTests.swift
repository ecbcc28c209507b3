import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A list that is absent says nothing, and an empty one says that there is none (R14.2a).
@Suite struct ListedTests {
    @Test("R14.2a without `apis` any domain is served, with an empty list none") func domains() throws {
        #expect(try AccountText.account("account: a").tokenDomain(named: "a.com") != nil)
        let empty = try AccountText.account("apis: []")
        #expect(empty.listsAPIDomains && empty.apiDomains.isEmpty)
        #expect(empty.tokenDomain(named: "a.com") == nil)
        #expect(empty != (try AccountText.account("{}")))
    }

    @Test("R14.2a a file without domains makes a list without any") func allDomainsGo() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("{}".utf8, to: "none.json")
        var context = CommandContext()
        context.folder = folder.path("") + "/"
        let text = "account: a\n"
        let (account, effects) = try CommandBench.carryOut(["api -setAll none.json"], on: text, in: context)
        #expect(account.listsAPIDomains)
        #expect(effects.flatMap(\.warnings) == ["the account lists no API domain any more, so none is served"])
        var diagnostics = Diagnostics()
        let file = try #require(AccountFile(bytes: Array(text.utf8), path: "a.yaml", diagnostics: &diagnostics))
        let bytes = try #require(try file.bytes(saying: account))
        #expect(String(decoding: bytes, as: UTF8.self) == "account: a\napis: []\n")
    }

    @Test("R14.2a an app of an empty list of registrations is not registered, and one of none may be")
    func registrations() throws {
        for (account, verdict) in [("{}", "pass"), ("{registrations: []}", "fail")] {
            let failures = try ScenarioText.failures(
                """
                scenario: s
                account: \(account)
                devices: {bob: {}}
                steps: [{at: 0s, fetch: bob, expect: {verdict: \(verdict)}}]

                """)
            #expect(failures == [])
        }
    }

    // Manual, Keyset Key API Addition: "if you have added one or more keyset keys then you can add an API domain".
    @Test("a domain whose key is not there is refused with its `kid`, whether there is a key set or not") func keySets()
        throws
    {
        let line = "api -add b.com -keySetKID mykey"
        var empty = try AccountText.account("{}")
        #expect(
            try CommandBench.refusal(of: [line], on: "{}")
                == "there is no key `mykey` in the key set; hint: the account has no key set; "
                + "`keyset -kid NAME -add ALG` makes one")
        empty.keys.keySet.list()
        #expect(throws: CommandError("there is no key `mykey` in the key set")) {
            try ManagementCommand(line).apply(to: &empty, in: CommandContext())
        }
        #expect(empty.apiDomains.isEmpty)
        #expect(KeyText.text(of: empty).hasSuffix("\nkey-set: []\n"))
        let (added, _) = try CommandBench.carryOut(["keyset -kid mykey -add ES256", line], on: "{}")
        #expect(added.apiDomains.map(\.keyID) == ["mykey"] && added.apiDomains.map(\.algorithm) == ["ES256"])
    }

    static let keySetDomains: [(attributes: String, message: String)] = [
        (
            #""secretType": "keyset", "kid": "mykey""#,
            "the key set has no key `mykey` to make tokens for API domain `b.com` with; hint: the account has no key "
                + "set; `keyset -kid NAME -add ALG` makes one"
        ),
        (
            #""secretType": "keyset""#,
            "`apis.json`, domain `b.com`: `kid` is missing, which names the key"
        ),
    ]

    @Test("api -setAll refuses a domain whose key is not there, too", arguments: keySetDomains)
    func keySetFiles(row: (attributes: String, message: String)) throws {
        let folder = try TemporaryFolder(["apis.json": "{\"b.com\": {\(row.attributes)}}"])
        let refusal = try CommandBench.refusal(of: ["api -setAll \(folder.path("apis.json"))"], on: "{}")
        #expect(refusal.map(folder.relative) == row.message)
    }
}

/// Instants and percentages, as documents write them.
@Suite struct RuleValueTests {
    struct Row: LabelledRow {
        /// The text, with ① at the problem, if there is one.
        let text: String
        /// The value that is read, in words; `nil` if there is none.
        var result: String?
        var problem: Problem?

        /// A text that is read.
        init(_ text: String, is result: String) {
            (self.text, self.result) = (text, result)
        }

        /// A text that is an error.
        init(_ text: String, _ message: String, hint: String? = nil) {
            self.text = text
            problem = Problem("①", message, hint: hint)
        }

        func test(_ read: (inout DocumentReader, Node) -> String?) throws {
            let marked = MarkedText(text)
            let document = YAMLParser.parse(marked.source)
            let root = try #require(document.root)
            var reader = DocumentReader(document)
            #expect(read(&reader, root) == result)
            #expect(MarkedText.found(reader.diagnostics) == marked.expected(problem.map { [$0] } ?? []))
        }
    }

    private static let instant = "`start` must be an instant such as `2020-07-23T00:00:00Z`, not "
    private static let share = "the rate of `rooted` must be a percentage from `0%` to `100%`, not "
    private static let percent = "`sampling-percentage` must be a number of percent from `0` to `100`, not "

    static let instants = [
        Row("2020-07-23T12:10:43+01:00", is: "2020-07-23T11:10:43Z"),
        Row("①2020-07-23", instant + "`2020-07-23`", hint: "write `2020-07-23T00:00:00Z`"),
        Row("①2020-07-23 11:10:43", instant + "`2020-07-23 11:10:43`", hint: "write `2020-07-23 11:10:43Z`"),
        Row("①2020-02-30T00:00:00Z", instant + "`2020-02-30T00:00:00Z`"),
    ]

    @Test(arguments: instants) func readsInstants(_ row: Row) throws {
        try row.test { $0.instant($1, "`start`")?.description }
    }

    static let percentages = [
        Row("2%", is: "2000000000"), Row("0.1%", is: "100000000"), Row("100%", is: "100000000000"),
        Row("①2", share + "`2`", hint: "write `2%`"), Row("①101%", share + "`101%`"), Row("①-1%", share + "`-1%`"),
        Row("①2 %", share + "`2 %`"),
    ]

    @Test(arguments: percentages) func readsPercentages(_ row: Row) throws {
        try row.test { ($0.percentage($1, "the rate of `rooted`")?.billionths).map(String.init) }
    }

    static let barePercentages = [
        Row("0.1", is: "100000000"), Row("0", is: "0"), Row("①0.1%", percent + "`0.1%`", hint: "write `0.1`"),
        Row("①200", percent + "`200`"),
    ]

    @Test(arguments: barePercentages) func readsBarePercentages(_ row: Row) throws {
        try row.test { ($0.barePercentage($1, "`sampling-percentage`")?.billionths).map(String.init) }
    }
}

/// Filters that can never match because of a typing error (R7.2).
@Suite struct FilterReviewTests {
    struct Row: LabelledRow {
        let filter: String
        /// The message without the name of the filter, and the hint; `nil` for a filter that is fine.
        let found: String?
        let hint: String?

        init(_ filter: String, _ found: String? = nil, hint: String? = nil) {
            (self.filter, self.found, self.hint) = (filter, found, hint)
        }
    }

    private static func unknown(_ key: String) -> String { " looks at `\(key)`, which no device is known to have" }

    private static func network(_ text: String) -> String {
        " can never match: `\(text)` is a network, but an exact match compares single addresses"
    }

    private static func blanks(_ text: String) -> String {
        " can never match: `\(text)` has blanks around it, and no address has"
    }

    private static func pattern(_ text: String) -> String {
        " can never match: `\(text)` looks like a pattern, but an exact match compares whole values"
    }

    private static let several = "`match` compares one exact value; `regex` can match several"
    private static let address = "`match` compares one exact address; `regex` can match several"

    static let rows =
        [
            Row("key: IP, match: 1.2.3.4", unknown("IP"), hint: "did you mean `ip`?"),
            Row("key: app_version, regex: '^3'", unknown("app_version"), hint: "did you mean `app-version`?"),
            Row("key: flags_all, regex: rooted", unknown("flags_all"), hint: "did you mean `flags-all`?"),
            Row("key: Device-ID, match: x", unknown("Device-ID"), hint: "did you mean `device-id`?"),
            Row("key: colour-depth, match: x", unknown("colour-depth")),
            // The capture of these tests has it.
            Row("key: shop, match: x"),
            Row("key: ip, match: 10.0.0.0/8", network("10.0.0.0/8"), hint: address),
            Row("key: ip, match: 'fe80::/10'", network("fe80::/10"), hint: address),
            Row("key: ip, match: 10.0.0.0/255.0.0.0", network("10.0.0.0/255.0.0.0"), hint: address),
            Row("key: ip, match: ' 1.2.3.4'", blanks(" 1.2.3.4"), hint: address),
            Row("key: ip, match: '1.2.3.4 '", blanks("1.2.3.4 "), hint: address),
            Row("key: ip, match: '^1.2.3.'", pattern("^1.2.3."), hint: address),
            Row("key: ip, match: '192.0.2.*'", pattern("192.0.2.*"), hint: address),
            Row("key: ip, match: '1.2.3.4$'", pattern("1.2.3.4$"), hint: address),
            Row(
                "key: ip, match: 192.0.2.",
                " can never match: `192.0.2.` is a part of an address, but an exact match compares whole ones",
                hint: address),
            Row("key: device, match: 'Android.*'", pattern("Android.*"), hint: several),
            Row("key: app-version, match: '3\\.1'", pattern("3\\.1"), hint: several),
            Row(
                "key: app-cert, match: C0F3159BA56CA8E1",
                " can never match: `C0F3159BA56CA8E1` is not a fingerprint, whose bytes are joined by colons",
                hint: several),
            Row(
                "key: flags-all, match: 'frida,ROOTED'", " can never match: `ROOTED` is written `rooted`", hint: several
            ),
            Row("key: flags-all, match: vendor-one"),
            Row("key: app-cert, match: 'C0:F3:15:9B:A5:6C:A8:E1'"), Row("key: user-property, match: '^gold*'"),
            Row("key: ip, match: 1.2.3.4"), Row("key: ip, match: 'fe80::1'"), Row("key: ip, regex: '^10[.]'"),
            Row("key: device-props, match: 'a/8'"),
        ]
        + [
            "ip", "device-id", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version",
            "appid", "app-id-sig", "app-sig", "attest-reason", "user-property", "probe-result", "flags-all",
            "public-flags",
        ].map { Row("key: \($0), regex: x") }

    @Test("R7.2 a filter that cannot match is reported", arguments: rows) func isReported(_ row: Row) throws {
        let text = "filters: [{name: lab, \(row.filter), reject: true}]\n"
        let document = YAMLParser.parse(SourceFile(path: "a.yaml", text: text))
        var (review, diagnostics) = (FilterReview(), Diagnostics())
        let account = try #require(AccountLoader.load(document, review: &review, diagnostics: &diagnostics))
        let warnings = review.warnings(on: account.filters, attributes: ["shop"])
        #expect(warnings.map(\.message) == (row.found.map { ["filter `lab`\($0)"] } ?? []))
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.hint == row.hint && $0.file == "a.yaml" })
    }

    @Test func tellsItAtItsPlace() throws {
        let marked = MarkedText("account: a\nfilters:\n  - {name: ①lab, key: IP, match: 1.2.3.4}\n")
        let document = YAMLParser.parse(marked.source)
        var (review, diagnostics) = (FilterReview(), Diagnostics())
        let account = try #require(AccountLoader.load(document, diagnostics: &diagnostics))
        review.note(account, at: try #require(document.root), in: document.source)
        let warning = try #require(review.warnings(on: account.filters, attributes: []).first)
        #expect((warning.file, warning.position) == ("file.yaml", marked.positions["①"]))
    }

    private static let message = "filter `lab` looks at `IP`, which no device is known to have"
    private static let meant = "did you mean `ip`?"

    /// Accounts with markers where something is reported.
    static let scenarios: [Case<String, [Problem]>] = [
        Case(
            "a filter of the account", "account: {filters: [{name: ①lab, key: IP, match: x}]}\ndevices: {bob: {}}\n",
            gives: ["① \(message); hint: \(meant)"]),
        Case(
            "a filter that a command adds",
            "devices: {bob: {}}\nsteps:\n  - {at: 0s, approov: ①filter -add lab -key IP -matchValue x}\n",
            gives: ["① \(message); hint: \(meant)"]),
        Case(
            "a pattern that a command compares exactly",
            "devices: {bob: {}}\nsteps:\n  - {at: 0s, approov: ①filter -add lab -key ip -matchValue 192.0.2.*}\n",
            gives: [
                """
                ① filter `lab` can never match: `192.0.2.*` looks like a pattern, but an exact match compares whole values; \
                `match` compares one exact address; `regex` can match several
                """
            ]),
        Case(
            "a fingerprint without colons",
            "devices: {bob: {attributes: {app-cert: ①C0F3159BA56CA8E1}}}\n",
            gives: [
                """
                ① `C0F3159BA56CA8E1` is not a fingerprint, so the app is signed with no certificate of an account; hint: bytes \
                are joined by colons, such as `C0:F3:15:9B:A5:6C:A8:E1`
                """
            ]),
        Case(
            "an attribute that the service does not collect",
            "devices: {bob: {attributes: {①app_version: '3', ip: 1.2.3.4}}}\n",
            gives: [
                "① `app_version` is not an attribute that the service collects; hint: did you mean `app-version`?"
            ]),
        Case(
            "one that a step sets",
            "devices: {bob: {}}\nsteps:\n  - {at: 0s, set: {group: bob, attributes: {①IP: 1.2.3.4}}}\n",
            gives: ["① `IP` is not an attribute that the service collects; hint: \(meant)"]),
        Case(
            "a filter on an attribute that a device has, which is reported of the device alone",
            """
            account: {filters: [{name: lab, key: tier, match: x}]}
            devices: {bob: {attributes: {①tier: x}}}

            """,
            gives: ["① `tier` is not an attribute that the service collects"]),
    ]

    @Test("R7.2 a scenario reports it, too", arguments: scenarios)
    func scenarioReports(_ row: Case<String, [Problem]>) throws {
        let marked = MarkedText("scenario: s\n\(row.input)expect: {metrics: {pass: 0}}\n")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        #expect(scenario != nil)
        #expect(MarkedText.found(diagnostics) == marked.expected(row.expected))
        #expect(diagnostics.all.allSatisfy { $0.severity == .warning })
    }

    // A sample that is added to the table and not to the manual's, or the other way round, is reported here.
    @Test func theTableOfKeysHasNoneTwice() {
        #expect(Set(InformationKeys.all).count == InformationKeys.all.count)
        #expect(Set(InformationKeys.filterable).isSuperset(of: InformationKeys.given))
        #expect(InformationKeys.all.contains("flags-all") && !InformationKeys.given.contains("device-id"))
    }
}
