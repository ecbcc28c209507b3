import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

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
            ? #"{"exact":true,"unjudged":{"devices":0,"reasons":{}}}"#
            : #"{"exact":false,"unjudged":{"devices":1,"reasons":{"new-did":1}}}"#
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
            case .json: #""judged":{"exact":false,"unjudged":{"devices":1,"reasons":{"filter:slow":1}}}"#
            case .openmetrics: #"scenario_unjudged_devices{reason="filter:slow"} 1 "#
            case .html: "<b class=\"strong\">1</b> <span>of 1 device (100.0 %) not evaluated: searches of filter"
            default: "1 of 1 device (100.0 %) is not evaluated: searches of filter"
            }
        let text = Self.text(report, as: format)
        #expect(text.contains(expected), "\(format)")
        #expect(text.contains("slow"))
    }
}
