internal import Documents
package import PolicyEngine
package import Scenarios

/// The steps of a device in a scenario, in words.
package struct ScenarioExplanation: SectionedAnswer {
    private let name: String
    private let traces: [StepTrace]
    private let decidedRules: DecidedRules

    package static let kind = ReportKind(
        "scenario-explanation", "Explanation of a scenario", columns, isOfScenario: true)

    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - traces: The steps, in the order of time.
    ///   - decidedRules: The decided rules on which they rest.
    package init(of name: String, _ traces: [StepTrace], decidedRules: DecidedRules) {
        (self.name, self.traces, self.decidedRules) = (name, traces, decidedRules)
    }

    /// A section for each, in the order of time, and the rules on which they rest.
    package var sections: [ReportSection] { traces.map(Self.section) + decidedRules.sections }

    private static func section(of trace: StepTrace) -> ReportSection {
        switch trace.details {
        case .request(let request): RequestExplanation(request, trace).section
        case .event(let event): EventExplanation(event, trace).section
        }
    }

    /// The steps as a page.
    package func page(in setting: ReportSetting) -> ReportPage {
        let steps = ReportSection.firstOnPage("Steps", traces, of: traces.count) { trace in
            let section = Self.section(of: trace)
            guard case .notice(let words) = section.heading else { return section }
            return ReportSection(.title(words.spans.map(\.text).joined()), table: section.table)
        }
        return ReportPage(
            title: name, scope: [traces.count.counting("step")],
            sections: steps + decidedRules.sections + setting.origin.sections(),
            origin: setting.origin)
    }

    /// The same: `"requests":[…],"events":[…],"decided-rules":[…]`, each list in the order of time.
    package var json: JSONValue { Self.columns.value(of: self) }

    static let columns = Columns<ScenarioExplanation>(inOrder: [
        .version,
        .list("requests", "The requests, in the order of time.", RequestExplanation.columns) { explanation in
            explanation.traces.compactMap {
                if case .request(let request) = $0.details { RequestExplanation(request, $0) } else { nil }
            }
        },
        .list("events", "The other events, in the order of time.", EventExplanation.columns) { explanation in
            explanation.traces.compactMap {
                if case .event(let event) = $0.details { EventExplanation(event, $0) } else { nil }
            }
        },
        .field("decided-rules", "The rules on which the answer rests, and which the manual leaves open.") {
            $0.decidedRules
        },
    ])
}

extension StepTrace {
    /// When it happened, and how many times.
    func times(_ unit: String) -> String { count == 1 ? "\(first)" : "\(first) to \(last), \(count.grouped) \(unit)" }
}

/// A result in the explanation of a step, with the rule that speaks of it.
struct ExplainedLine {
    let rule: String
    let name: String
    let line: String

    /// The line as JSON.
    static let columns = Columns<ExplainedLine>(byName: [
        .field("rule", "The rule of the specification that speaks of it.", \.rule),
        .field("name", "What the line is about.", \.name), .field("line", "What was found, in a sentence.", \.line),
    ])

    /// The table of some lines.
    static func table(_ lines: [ExplainedLine]) -> ReportTable {
        ReportTable([.text(), .text()], lines.map { [.text($0.name), .text($0.line)] })
    }
}

/// An event of a scenario as a device met it, in words.
struct EventExplanation {
    private let details: EventTrace
    private let trace: StepTrace

    /// - Parameters:
    ///   - details: The event.
    ///   - trace: The same, or several in a row.
    init(_ details: EventTrace, _ trace: StepTrace) { (self.details, self.trace) = (details, trace) }

    /// The event as a section: what it was, and what that means.
    var section: ReportSection {
        var heading = ReportText(stringLiteral: "")
        if let device = details.device { heading = ReportText(device.description, .strong) + " " }
        heading = heading + "\(trace.times("times"))  "
        if let (word, isGood) = result { heading = heading + ReportText(word, isGood ? .good : .bad) + "  " }
        let subject = [details.group, event.subject].compactMap(\.self).filter { !$0.isEmpty }
        heading = heading + ReportText(subject.joined(separator: " "))
        return ReportSection(.notice(heading), table: ExplainedLine.table(lines))
    }

    /// The event as JSON.
    static let columns = Columns<EventExplanation>(byName: [
        .field("event", "The kind of event.") { $0.event.kind },
        .field("first", "When the first of these events was.") { $0.trace.first },
        .field("last", "When the last of these events was.") { $0.trace.last },
        .field("times", "The events in a row that went alike.") { $0.trace.count },
        .list("steps", "What the event was, and what follows.", ExplainedLine.columns) { $0.lines },
        .optional("device", "The ID of the device.") { $0.details.device },
        .optional("group", "The group of the device in the scenario.") { $0.details.group },
        .optional("result", "How the event ended for the app.") { $0.result?.word },
    ])

    // The result of the event, and true if it is as it should be; `nil` for events that always end the same.
    private var result: (word: String, isGood: Bool)? {
        event.fetched.map { fetched in
            (fetched.result, ["SUCCESS", "match"].contains(fetched.result) && fetched.attestation?.passed != false)
        }
    }

    private var event: EventTrace.Event { details.event }

    private var lines: [ExplainedLine] {
        event.fetched.map { Self.lines($0, rule: event.rule, name: event.name) }
            ?? [ExplainedLine(rule: event.rule, name: event.name, line: event.line)]
    }

    private static func lines(_ fetched: EventTrace.Fetched, rule: String, name: String) -> [ExplainedLine] {
        guard let attestation = fetched.attestation else {
            return [ExplainedLine(rule: rule, name: name, line: "\(fetched.result), without an attestation")]
        }
        let source = fetched.isCached ? "from the cache; its attestation" : "after an attestation, which"
        let verdict = attestation.passed ? "passed" : "failed: \(attestation.rejections.joined(separator: ", "))"
        let flags = attestation.flags.isEmpty ? "none" : attestation.flags.joined(separator: ", ")
        return [
            ExplainedLine(rule: rule, name: name, line: "\(fetched.result), \(source) \(verdict)"),
            ExplainedLine(rule: "R10.8", name: "flags", line: flags),
            ExplainedLine(rule: "R10.9", name: "policy", line: attestation.policy),
            ExplainedLine(rule: "R10.11", name: "lifetime", line: "\(attestation.lifetime) s"),
        ]
    }
}
