import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

/// Names and searches in the report of a replay; `Tests/Transcripts/reports/replay.txt` has all else of it.
@Suite struct ReplayReportTests {
    @Test func otherAppsAreNamed() {
        var report = Report(figures: Figures { ($0.attestations, $0.metrics) = (1, ["pass": 1]) })
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
        let json = String(decoding: report.bytes(as: .json), as: UTF8.self)
        #expect(json.utf8.contains("\"pass-app-and-\(decomposed)\":1,\"pass-app-and-\(composed)\":1".utf8))
        let lines = TextWriter().text(of: report.sections()).split(separator: "\n")
        let apps = lines.filter { $0.contains("Android · caf") }
        expect(apps.count, equals: 4)
    }

    private static let forms: [ReportForm] = [.text, .html, .json, .openmetrics]

    @Test("R7.2 every form names a filter whose searches were given up", arguments: forms)
    func isNamed(form: ReportForm) throws {
        let record =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(SampleDevice.bob)","flags":"","x":"\#(UnsearchedValue.value)"}"#
            + "\n"
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(UnsearchedValue.pattern)', reject: true}]")
        let replayed = try ReplayBench.replay(record, account: account) {
            $0.keepsSeries = true
        }
        let expected =
            switch form {
            case .json: #""judged":{"exact":false,"unjudged":{"devices":1,"left-out":0,"reasons":{"filter:slow":1}}}"#
            case .openmetrics: #"scenario_unjudged_devices{reason="filter:slow"} 1 "#
            default: "1 of 1 device (100.0 %) is not evaluated: searches of filter"
            }
        let bytes = Report(figures: try #require(replayed.summary.figures)).bytes(as: form)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(expected), "\(form)")
        #expect(text.contains("slow"))
    }
}
