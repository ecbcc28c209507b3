import Figures
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

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
        " can never match: `\(text)` is a network, and an exact match compares single addresses"
    }

    private static func blanks(_ text: String) -> String {
        " can never match: `\(text)` has blanks around it, and no address has"
    }

    private static let address = "`match` takes one address as it stands; `regex` finds several"

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
            Row("key: ip, match: 1.2.3.4"), Row("key: ip, match: 'fe80::1'"), Row("key: ip, regex: '^10[.]'"),
            Row("key: device-props, match: 'a/8'"),
        ]
        + [
            "ip", "device-id", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version",
            "appid", "app-id-sig", "app-sig", "attest-reason", "user-property", "probe-result", "flags-all",
            "public-flags",
        ].map { Row("key: \($0), regex: x") }

    @Test("R7.2 a filter that cannot match is reported", arguments: rows) func isReported(_ row: Row) throws {
        let account = try AccountText.account("filters: [{name: lab, \(row.filter), reject: true}]\n")
        let warnings = FilterReview().warnings(on: account.filters, attributes: ["shop"])
        #expect(warnings.map(\.message) == (row.found.map { ["filter `lab`\($0)"] } ?? []))
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.hint == row.hint && $0.file == "filter lab" })
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

    struct Reported: LabelledRow {
        let name: String
        /// With markers where something is reported.
        let text: String
        let problems: [Problem]
    }

    private static let message = "filter `lab` looks at `IP`, which no device is known to have"
    private static let meant = "did you mean `ip`?"

    static let scenarios = [
        Reported(
            name: "a filter of the account",
            text: "account: {filters: [{name: ①lab, key: IP, match: x}]}\ndevices: {bob: {}}\n",
            problems: [Problem("①", message, hint: meant)]),
        Reported(
            name: "a filter that a command adds",
            text: "devices: {bob: {}}\nsteps:\n  - {at: 0s, approov: ①filter -add lab -key IP -matchValue x}\n",
            problems: [Problem("①", message, hint: meant)]),
        Reported(
            name: "an attribute that the service does not collect",
            text: "devices: {bob: {attributes: {①app_version: '3', ip: 1.2.3.4}}}\n",
            problems: [
                Problem(
                    "①", "`app_version` is no attribute that the service collects",
                    hint: "did you mean `app-version`?")
            ]),
        Reported(
            name: "one that a step sets",
            text: "devices: {bob: {}}\nsteps:\n  - {at: 0s, set: {group: bob, attributes: {①IP: 1.2.3.4}}}\n",
            problems: [Problem("①", "`IP` is no attribute that the service collects", hint: meant)]),
        Reported(
            name: "a filter on an attribute that a device has, which is reported of the device alone",
            text: """
                account: {filters: [{name: lab, key: tier, match: x}]}
                devices: {bob: {attributes: {①tier: x}}}

                """,
            problems: [Problem("①", "`tier` is no attribute that the service collects", hint: nil)]),
    ]

    @Test("R7.2 a scenario reports it, too", arguments: scenarios) func scenarioReports(_ row: Reported) throws {
        let marked = MarkedText("scenario: s\n\(row.text)expect: {metrics: {pass: 0}}\n")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        #expect(scenario != nil)
        #expect(MarkedText.found(diagnostics) == marked.expected(row.problems))
        #expect(diagnostics.all.allSatisfy { $0.severity == .warning })
    }

    // A sample that is added to the table and not to the manual's, or the other way round, is reported here.
    @Test func theTableOfKeysHasNoneTwice() {
        #expect(Set(InformationKeys.all).count == InformationKeys.all.count)
        #expect(Set(InformationKeys.filterable).isSuperset(of: InformationKeys.given))
        #expect(InformationKeys.all.contains("flags-all") && !InformationKeys.given.contains("device-id"))
    }
}
