internal import Documents
internal import PolicyEngine
internal import Scenarios

/// An event of a scenario as a device met it, in words.
struct EventExplanation {
    private let trace: EventTrace

    /// - Parameter trace: An event, or several in a row that were the same.
    init(_ trace: EventTrace) { self.trace = trace }

    /// The event as a section: what it was, and what that means.
    var section: ReportSection {
        let details = trace.details
        var heading = ReportText(stringLiteral: "")
        if let device = details.device { heading = ReportText(device.description, .strong) + " " }
        heading = heading + "\(times)  "
        if let (word, isGood) = result { heading = heading + ReportText(word, isGood ? .good : .bad) + "  " }
        let subject = [details.group, event.subject].compactMap(\.self).filter { !$0.isEmpty }
        heading = heading + ReportText(subject.joined(separator: " "))
        let rows: [[ReportTable.Cell]] = lines.map { [.text($0.name), .text($0.line)] }
        return ReportSection(.notice(heading), table: ReportTable([.text(), .text()], rows))
    }

    /// The event as JSON.
    var value: JSONValue {
        let details = trace.details
        var fields: [ExactText: JSONValue] = [
            "event": .string(event.kind), "first": .string(trace.first.description),
            "last": .string(trace.last.description), "times": .integer(trace.count),
            "steps": .array(
                lines.map { .sorted(["rule": .string($0.rule), "name": .string($0.name), "line": .string($0.line)]) }),
        ]
        if let device = details.device { fields["device"] = .string(device.description) }
        if let group = details.group { fields["group"] = .string(group) }
        if let (word, _) = result { fields["result"] = .string(word) }
        return .sorted(fields)
    }

    private var times: String {
        trace.count == 1 ? "\(trace.first)" : "\(trace.first) to \(trace.last), \(trace.count.grouped) times"
    }

    // The result of the event, and true if it is as it should be; `nil` for events that always end the same.
    private var result: (word: String, isGood: Bool)? {
        event.fetched.map { fetched in
            (fetched.result, ["SUCCESS", "match"].contains(fetched.result) && fetched.attestation?.passed != false)
        }
    }

    private var event: EventTrace.Event { trace.details.event }

    private struct Line {
        let rule: String
        let name: String
        let line: String
    }

    private var lines: [Line] {
        event.fetched.map { Self.lines($0, rule: event.rule, name: event.name) }
            ?? [Line(rule: event.rule, name: event.name, line: event.line)]
    }

    private static func lines(_ fetched: EventTrace.Fetched, rule: String, name: String) -> [Line] {
        guard let attestation = fetched.attestation else {
            return [Line(rule: rule, name: name, line: "\(fetched.result), without an attestation")]
        }
        let source = fetched.isCached ? "from the cache; its attestation" : "after an attestation, which"
        let verdict = attestation.passed ? "passed" : "failed: \(attestation.rejections.joined(separator: ", "))"
        let flags = attestation.flags.isEmpty ? "none" : attestation.flags.joined(separator: ", ")
        return [
            Line(rule: rule, name: name, line: "\(fetched.result), \(source) \(verdict)"),
            Line(rule: "R10.8", name: "flags", line: flags),
            Line(rule: "R10.9", name: "policy", line: attestation.policy),
            Line(rule: "R10.11", name: "lifetime", line: "\(attestation.lifetime) s"),
        ]
    }
}
