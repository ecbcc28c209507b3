internal import Documents
internal import PolicyEngine
package import Scenarios

/// An event of a scenario as a device met it, in words.
package struct EventExplanation {
    private let trace: EventTrace

    /// - Parameter trace: An event, or several in a row that were the same.
    package init(_ trace: EventTrace) { self.trace = trace }

    /// The event as a section: what it was, and what that means.
    package var section: ReportSection {
        let details = trace.details
        var heading = ReportText(stringLiteral: "")
        if let device = details.device { heading = ReportText(device.description, .strong) + " " }
        heading = heading + "\(times)  "
        if let (word, isGood) = result { heading = heading + ReportText(word, isGood ? .good : .bad) + "  " }
        let subject = [details.group, words.subject].compactMap(\.self).filter { !$0.isEmpty }
        heading = heading + ReportText(subject.joined(separator: " "))
        let rows: [[ReportTable.Cell]] = lines.map { [.text($0.name), .text($0.line)] }
        return ReportSection(.notice(heading), table: ReportTable([.text(), .text()], rows))
    }

    /// The event as JSON.
    var value: JSONValue {
        let details = trace.details
        var fields: [ExactText: JSONValue] = [
            "event": .string(words.kind), "first": .string(trace.first.description),
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
        switch trace.details.event {
        case .fetch(_, let fetched), .call(_, _, _, let fetched):
            (fetched.result, ["SUCCESS", "match"].contains(fetched.result) && fetched.attestation?.passed != false)
        case .launch, .reinstall, .factoryReset, .bind, .binding, .network, .set, .serve, .approov, .outage, .cancel:
            nil
        }
    }

    // The kind of step, and its words behind the group in the heading.
    private var words: (kind: String, subject: String) {
        switch trace.details.event {
        case .fetch(let domain, _): ("fetch", "fetches" + (domain.map { " for \($0)" } ?? ""))
        case .call(let kind, let about, _, _): (kind, about.isEmpty ? kind : "\(kind) \(about)")
        case .launch: ("launch", "launch")
        case .reinstall: ("reinstall", "reinstall")
        case .factoryReset: ("factory-reset", "factory-reset")
        case .bind: ("bind", "bind")
        case .binding: ("binding", "binding")
        case .network(let state, _): ("network", "network \(state.rawValue)")
        case .set: ("set", "set")
        case .serve: ("serve", "serve")
        case .approov: ("approov", "approov")
        case .outage(let kind, _): ("outage", "outage \(kind.rawValue)")
        case .cancel: ("account", "account cancelled")
        }
    }

    private struct Line {
        let rule: String
        let name: String
        let line: String
    }

    private var lines: [Line] {
        switch trace.details.event {
        case .fetch(_, let fetched): Self.lines(fetched, rule: "R14.1", name: "token")
        case .call(let kind, _, let rule, let fetched): Self.lines(fetched, rule: rule, name: kind)
        case .launch:
            [
                Line(
                    rule: "R14.1", name: "app",
                    line: "it starts anew: the token in memory is gone, and it loads what it stored")
            ]
        case .reinstall(let id):
            [Line(rule: "R1.3", name: "app", line: "it is installed anew, and has the device ID \(id)")]
        case .factoryReset(let id):
            [Line(rule: "R1.3", name: "device", line: "it is reset, and has the device ID \(id)")]
        case .bind: [Line(rule: "R14.1", name: "binding", line: "tokens are bound to the data of the step from now on")]
        case .binding(let every):
            [
                Line(
                    rule: "R19.1a", name: "binding",
                    line: "what tokens are bound to changes every \(DurationText.print(every))")
            ]
        case .network(let state, let proxy): [Line(rule: "R14.2", name: "network", line: Self.network(state, proxy))]
        case .set(let keys):
            [Line(rule: "R14.2c", name: "device", line: "from now on it is otherwise: \(keys.joined(separator: ", "))")]
        case .serve(let line): [Line(rule: "R18.6", name: "backends", line: line)]
        case .approov(let line): [Line(rule: "R1.5", name: "command", line: line)]
        case .outage(let kind, let end): [Line(rule: "R14.3", name: "service", line: Self.outage(kind, end))]
        case .cancel:
            [Line(rule: "R20", name: "service", line: "it does not answer the apps of the account any more")]
        }
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

    private static func network(_ state: NetworkState, _ proxy: EventTrace.Between?) -> String {
        switch state {
        case .ok: return "everything arrives"
        case .none: return "there is none, and the client knows"
        case .poor: return "requests get lost"
        case .mitm:
            let whither =
                proxy?.domains.map { "to \($0.joined(separator: ", "))" } ?? "to everything, the service included"
            let trust = proxy?.isTrusted == true ? "trusts" : "does not trust"
            return "somebody is on the way \(whither); the platform \(trust) the certificate"
        }
    }

    private static func outage(_ kind: Outages.Kind, _ end: Instant?) -> String {
        let whose =
            switch kind {
            case .primary: "the primary service does"
            case .failover: "the failover does"
            case .all: "no service does"
            }
        return "\(whose) not answer, \(end.map { "up to \($0)" } ?? "from now on")"
    }
}
