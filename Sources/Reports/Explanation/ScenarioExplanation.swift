internal import Documents
package import PolicyEngine
package import Scenarios

/// The steps of a device in a scenario, in words.
package struct ScenarioExplanation: PagedReport {
    private let name: String
    private let traces: [StepTrace]
    private let decidedRules: DecidedRules

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
    ///
    /// - Parameter origin: The origin of the report.
    package func page(origin: ReportOrigin) -> ReportPage {
        let steps = ReportSection.firstOnPage("Steps", traces) { trace in
            let section = Self.section(of: trace)
            guard case .notice(let words) = section.heading else { return section }
            return ReportSection(.title(words.spans.map(\.text).joined()), table: section.table)
        }
        return ReportPage(
            title: name, scope: [traces.count.counting("step")],
            sections: steps + decidedRules.sections + origin.sections, origin: origin)
    }

    /// The same: `"requests":[…],"events":[…],"decided-rules":[…]`, each list in the order of time.
    package var members: [(key: String, value: JSONValue)] {
        var (requests, events): ([JSONValue], [JSONValue]) = ([], [])
        for trace in traces {
            switch trace.details {
            case .request(let request): requests.append(RequestExplanation(request, trace).value)
            case .event(let event): events.append(EventExplanation(event, trace).value)
            }
        }
        return [("requests", .array(requests)), ("events", .array(events)), decidedRules.member]
    }
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
    var value: JSONValue { .sorted(["rule": .string(rule), "name": .string(name), "line": .string(line)]) }

    /// The table of some lines.
    static func table(_ lines: [ExplainedLine]) -> ReportTable {
        ReportTable([.text(), .text()], lines.map { [.text($0.name), .text($0.line)] })
    }
}
