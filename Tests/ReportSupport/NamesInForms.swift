internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// A name that a stranger chose, as an app, a flag, a filter, a scenario and a group, in every form of report: what the forms
/// make of it must read back by the rules of the form (``FormCheck``).
package struct NamesInForms {
    private let name: String
    // Keeps a capture, and says where.
    private let keep: ([UInt8]) -> String

    /// - Parameters:
    ///   - name: Any text.
    ///   - keep: Writes a capture to a file, and gives its path.
    package init(_ name: String, keep: @escaping ([UInt8]) -> String) {
        (self.name, self.keep) = (name, keep)
    }

    /// The problems, form by form; empty if there are none.
    package func problems() -> [String] { ofReplay() + ofComparison() + ofScenario() }

    // MARK: Captures

    // The name itself twice, and others that are the same for most of their length.
    private var names: [String] { [name, name, name + "2", name + "-2", String(name.unicodeScalars.dropLast()), "x"] }

    private var capture: [UInt8] {
        var json = JSONBytes()
        for (number, name) in names.enumerated() {
            json.raw(#"{"time":"2020-07-23T10:00:00Z","device-id":"#)
            json.string(DeviceID(first: 0, second: UInt64(number)).description)
            for (key, value) in [("flags", number % 2 == 0 ? name : "rooted"), ("appid", name), ("app-version", name)] {
                json.raw(",")
                json.string(key)
                json.raw(":")
                json.string(value)
            }
            json.raw("}\n")
        }
        return json.bytes
    }

    private var account: Account {
        var account = Account(name: name)
        if let filter = try? Filter(name: name, test: .exact(key: "appid", value: name), options: .reject) {
            try? account.set(filter)
        }
        return account
    }

    private var request: ReplayRequest {
        var request = ReplayRequest(captures: [keep(capture)], account: account)
        request.keepsSeries = true
        request.skipsMalformed = true
        return request
    }

    private func ofReplay() -> [String] {
        let outcome = request.run()
        guard let figures = outcome.figures else { return [] }
        var report = Report(figures: figures, fetches: outcome.fetches)
        report.summaries = AccountSummary.all(of: request.account, figures)
        report.account = name
        return Report.forms.flatMap { form in
            FormCheck(form.rawValue, report.bytes(as: form)).problems().map { "replay as \(form.rawValue): \($0)" }
        }
    }

    private func ofComparison() -> [String] {
        var before = request
        before.account = Account(name: name)
        let summary = CaptureComparison(ComparisonRequest(replay: before, after: account)).run()
        guard let comparison = summary.comparison else { return [] }
        let report = ComparisonReport(comparison)
        return ComparisonReport.forms.flatMap { form in
            FormCheck(form.rawValue, report.bytes(as: form)).problems().map { "diff as \(form.rawValue): \($0)" }
        }
    }

    // MARK: Scenarios

    private func ofScenario() -> [String] {
        let (plain, inFlow) = (ScalarText.write(name, isInFlow: false), ScalarText.write(name, isInFlow: true))
        let text = """
            scenario: \(plain)
            devices:
              \(plain): {os: ios, attributes: {appid: \(inFlow)}}
              other: {os: android}
            steps:
              - {at: 0s, fetch: \(inFlow), expect: {verdict: fail}}
              - {at: 1s, fetch: other, expect: {verdict: pass}}
              - {at: 2s, approov: device -list}

            """
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(bytes: Array(text.utf8), path: name, as: .scenario)
        let scenario = ScenarioLoader.load(document, diagnostics: &diagnostics)
        var problems = DiagnosticReport.forms.flatMap { form in
            FormCheck(form.rawValue, DiagnosticReport(diagnostics, version: "1").bytes(as: form)).problems()
        }
        guard let scenario else { return problems }
        var runner = ScenarioRunner(seed: nil)
        (runner.isVerbose, runner.keepsSeries) = (true, true)
        let results = runner.run([scenario, scenario], diagnostics: &diagnostics)
        var figures = Figures()
        for result in results { figures.merge(result.figures) }
        var report = Report(figures: figures, scenarios: results)
        report.summaries = results.flatMap(\.summaries)
        report.sources = [name: SourceFile(path: name, text: text)]
        var setting = ReportSetting()
        setting.isVerbose = true
        problems += Report.formsOfRuns.flatMap { form in
            FormCheck(form.rawValue, report.bytes(as: form, in: setting)).problems().map {
                "run as \(form.rawValue): \($0)"
            }
        }
        return problems
    }
}
