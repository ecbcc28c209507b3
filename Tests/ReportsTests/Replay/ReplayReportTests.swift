import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

/// The standard report of a replay (formats: Report).
@Suite struct ReplayReportTests {
    private static let (nexus, iphone, bob) = (SampleDevice.nexus, SampleDevice.iphone, SampleDevice.bob)
    private static let android = "device: Android 9\nappid: com.app\napp-version: 1.0\n"

    private static let capture = """
        --- \(nexus) 2020-07-23 10:00:00 UTC ---
        rejection-flags: rooted
        public-flags: rooted
        ip: 1.2.3.4
        \(android)
        --- \(iphone) 2020-07-23 10:30:00 UTC ---
        rejection-flags:
        public-flags: init-config-outdated
        device: iOS, 12
        appid: ios.app

        --- \(nexus) 2020-07-24 11:00:00 UTC ---
        rejection-flags:
        public-flags: rooted
        \(android)
        --- \(bob) 2020-08-01 00:00:00 UTC ---
        public-flags: did-ban,automated
        ip: 1.2.3.4

        """
    private static let rules = """
        reject-flags: {add: [automated]}
        filters:
          - {name: myip, key: ip, match: 1.2.3.4, reject: true}
          - {name: never, key: none, match: x}
        """

    private static func report() throws -> Report {
        let replayed = try ReplayBench.replay(capture, account: try AccountText.account(rules))
        #expect(replayed.messages == [])
        return Report(figures: try #require(replayed.summary.figures), fetches: replayed.summary.fetches)
    }

    // Worked out by hand: Nexus fails twice for `rooted`, the iPhone passes, Bob fails for two flags; the filter
    // matches Nexus once and Bob.
    private static let json =
        #"{"version":1,"summary":{"attestations":4,"attestations-failed":3,"attestations-passed":1,"failed":3,"#
        + #""malformed":0,"passed":1,"scenarios":0,"scenarios-failed":0,"scenarios-passed":0},"scenarios":[],"#
        + #""metrics":{"fail":3,"fail-app-and-com.app":2,"fail-appver-and-com.app-1.0":2,"fail-flag-automated":1,"#
        + #""fail-flag-did-ban":1,"fail-flag-new-did":2,"fail-flag-risky-device":2,"fail-flag-rooted":2,"#
        + #""filter-myip":2,"pass":1,"pass-app-ios-ios.app":1,"pass-flag-init-config-outdated":1,"#
        + #""pass-flag-new-did":1,"policy-custom":4,"rejection-filter-myip":2,"rejection-flag-automated":1,"#
        + #""rejection-flag-did-ban":1,"rejection-flag-rooted":2},"lifetimes":{"120":2,"300":2},"#
        + #""devices":{"banned":0,"new":3,"unique":3},"windows":{"daily":["#
        + #"{"fail":1,"fail-app-and-com.app":1,"fail-flag-rooted":1,"pass":1,"pass-app-ios-ios.app":1,"#
        + #""start":"2020-07-23T00:00:00Z"},"#
        + #"{"fail":1,"fail-app-and-com.app":1,"fail-flag-rooted":1,"pass":0,"start":"2020-07-24T00:00:00Z"},"#
        + #"{"fail":1,"fail-flag-automated":1,"fail-flag-did-ban":1,"pass":0,"start":"2020-08-01T00:00:00Z"}],"#
        + #""hourly":[{"fail":1,"fail-app-and-com.app":1,"fail-flag-rooted":1,"pass":1,"pass-app-ios-ios.app":1,"#
        + #""start":"2020-07-23T10:00:00Z"},"#
        + #"{"fail":1,"fail-app-and-com.app":1,"fail-flag-rooted":1,"pass":0,"start":"2020-07-24T11:00:00Z"},"#
        + #"{"fail":1,"fail-flag-automated":1,"fail-flag-did-ban":1,"pass":0,"start":"2020-08-01T00:00:00Z"}],"#
        + #""monthly":[{"fail":1,"fail-app-and-com.app":1,"fail-flag-rooted":1,"pass":1,"pass-app-ios-ios.app":1,"#
        + #""start":"2020-07-01T00:00:00Z"},"#
        + #"{"fail":1,"fail-flag-automated":1,"fail-flag-did-ban":1,"pass":0,"start":"2020-08-01T00:00:00Z"}]},"#
        + #""filters":[{"devices":2,"match-limit-hits":0,"matched":2,"name":"myip"},"#
        + #"{"devices":0,"match-limit-hits":0,"matched":0,"name":"never"}],"#
        + #""reproduced":{"agreed":2,"compared":3},"policies":{"default,custom,default":4},"billing":1,"#
        + #""judged":{"exact":true,"unjudged":{"devices":0,"left-out":0,"reasons":{}}},"unknown-flags":{}}"# + "\n"

    @Test func jsonHoldsEveryPart() throws {
        #expect(String(decoding: JSONReport.bytes(of: try Self.report()), as: UTF8.self) == Self.json)
    }

    @Test func textHoldsEveryPart() throws {
        let text = TextWriter().text(of: try Self.report().sections())
        let parts = [
            "Attestations\n  attestations             4\n  passed                   1  25.0 %\n",
            "  failed                   3  75.0 %\n", "  devices                  3\n",
            "  new devices              3  100.0 %\n".replacing("  100.0", with: " 100.0"),
            "Why attestations fail\n  filter:myip  2  66.7 %\n  rooted       2  66.7 %\n  automated    1  33.3 %\n",
            "  300 s  2  50.0 %\n  120 s  2  50.0 %\n", "  default,custom,default  4  100.0 %\n",
        ]
        for part in parts { #expect(Self.squeezed(text).contains(Self.squeezed(part)), "\(part)") }
    }

    // Columns may move; their content may not.
    private static func squeezed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    }

    @Test func withoutCapturedVerdictsNothingIsReproduced() throws {
        let replayed = try ReplayBench.replay("--- \(Self.bob) 2020-08-01 00:00:00 UTC ---\n")
        #expect(replayed.summary.figures?.reproduced == nil)
        let figures = try #require(replayed.summary.figures)
        let json = String(decoding: JSONReport.bytes(of: Report(figures: figures)), as: UTF8.self)
        #expect(json.contains("\"reproduced\":null"))
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        #expect(JSONReport.bytes(of: try Self.report()) == JSONReport.bytes(of: try Self.report()))
    }

    @Test func otherAppsAreNamed() throws {
        var report = try Self.report()
        #expect(!TextWriter().text(of: report.sections()).contains(Figures.otherApps))
        report.figures.metrics["pass-app-other"] = 1
        #expect(TextWriter().text(of: report.sections()).contains(Figures.otherApps))
    }

    @Test("R13.1 apps that look alike are kept apart, in the order of their bytes") func looksAlike() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let noon = "2020-07-23T12:00:00Z"
        let events = [
            Event(noon, "a", system: "and", app: composed, version: "1"),
            Event(noon, "b", system: "and", app: decomposed, version: "1"),
        ]
        let replayed = try ReplayBench.replay(Event.capture(events))
        let report = Report(figures: try #require(replayed.summary.figures))
        let json = String(decoding: JSONReport.bytes(of: report), as: UTF8.self)
        #expect(json.utf8.contains("\"pass-app-and-\(decomposed)\":1,\"pass-app-and-\(composed)\":1".utf8))
        let lines = TextWriter().text(of: report.sections()).split(separator: "\n")
        let apps = lines.filter { $0.contains("Android · caf") }
        #expect(apps.count == 4)
    }
}

/// Reports say what could not be evaluated, and why.
@Suite struct UnevaluatedReportTests {
    private static func record(_ second: Int, _ flags: String, _ members: String = "") -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(SampleDevice.bob)","flags":"\#(flags)"\#(members)}"#
            + "\n"
    }

    private static func report(
        _ capture: String, _ account: String, _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> Report {
        let replayed = try ReplayBench.replay(capture, account: try AccountText.account(account), edit)
        return Report(figures: try #require(replayed.summary.figures))
    }

    private static func text(_ report: Report, as format: ReportFormat) -> String {
        String(decoding: format.bytes(of: report), as: UTF8.self)
    }

    private static let onNew = "filters: [{name: f, key: device-id, regex: ., reject: true, new-did-only: true}]"

    @Test(arguments: [true, false]) func newDevicesThatNobodyKnows(isKnown: Bool) throws {
        let report = try Self.report(Self.record(0, isKnown ? "new-did" : ""), Self.onNew)
        let head =
            "1 of 1 device (100.0 %) is not evaluated: no record has `new-did`, so it is not known which devices were new\n"
        #expect(Self.text(report, as: .text).hasPrefix(head) == !isKnown)
        let judged =
            isKnown
            ? #"{"exact":true,"unjudged":{"devices":0,"left-out":0,"reasons":{}}}"#
            : #"{"exact":false,"unjudged":{"devices":1,"left-out":0,"reasons":{"new-did":1}}}"#
        #expect(Self.text(report, as: .json).contains(#""judged":"# + judged))
    }

    @Test func comparisonsSaySo() throws {
        let comparison = try #require(
            try ComparisonBench.compare(Self.record(0, ""), before: "account: a", after: Self.onNew).comparison)
        let text = TextWriter().text(of: comparison.sections)
        #expect(text.prefix { $0 != "\n" }.hasSuffix("; 1 (100.0 %) is not evaluated"))
        #expect(
            text.contains(
                "\nWhat this capture does not show\n  no record has `new-did`, so it is not known which devices"))
        #expect(comparison.unevaluated.allSatisfy { text.contains("\n  \($0)\n") })
    }

    @Test func flagsThatNoPolicyKnowsAreNamed() throws {
        let capture = Self.record(0, "strange,rooted") + Self.record(1, "odd,strange")
        let report = try Self.report(capture, "flags: [{name: declared}]")
        #expect(Self.text(report, as: .json).contains(#""unknown-flags":{"odd":1,"strange":2}"#))
        #expect(
            Self.text(report, as: .text).contains(
                "\nFlags that no policy knows\n  strange  2  100.0 %\n  odd      1   50.0 %\n"))
        let comparison = try #require(
            try ComparisonBench.compare(
                capture, before: "account: a", after: "flags: [{name: odd}]\nreject-flags: {add: [odd]}"
            ).comparison)
        let section = """

            Flags that no policy knows
              flag     attestations  unknown
              odd                 1  before
              strange             2  before and after

            """
        #expect(TextWriter().text(of: comparison.sections).contains(section))
        #expect(MarkdownWriter.text(of: comparison.sections).contains("\n### Flags that no policy knows\n"))
    }

    @Test func whatIsKnownIsNoUnknownFlag() throws {
        let report = try Self.report(Self.record(0, "rooted"), "account: a")
        #expect(Self.text(report, as: .json).contains(#""unknown-flags":{}"#))
        #expect(!Self.text(report, as: .text).contains("Flags that no policy knows"))
    }

    private static let forms: [ReportFormat] = [.text, .html, .json, .openmetrics]

    @Test("R7.2 every form names a filter whose searches were given up", arguments: forms)
    func isNamed(format: ReportFormat) throws {
        let value = String(repeating: "hay ", count: 1100) + "needle"
        let report = try Self.report(
            Self.record(0, "", #","x":"\#(value)""#), "filters: [{name: slow, key: x, regex: 'needle$', reject: true}]"
        ) { ($0.searchBudget, $0.keepsSeries) = (1, true) }
        let expected =
            switch format {
            case .json: #""judged":{"exact":false,"unjudged":{"devices":1,"left-out":0,"reasons":{"filter:slow":1}}}"#
            case .openmetrics: #"scenario_unjudged_devices{reason="filter:slow"} 1 "#
            case .html: "<b class=\"strong\">1</b> <span>of 1 device (100.0 %) not evaluated: searches of filter"
            default: "1 of 1 device (100.0 %) is not evaluated: searches of filter"
            }
        let text = Self.text(report, as: format)
        #expect(text.contains(expected), "\(format)")
        #expect(text.contains("slow"))
    }
}
