internal import Documents
internal import PolicyEngine
package import Scenarios

/// The steps of a device in a scenario, in words.
package enum ScenarioExplanation {
    /// A section for each, in the order of time.
    package static func sections(of traces: [StepTrace]) -> [ReportSection] {
        traces.map { trace in
            switch trace {
            case .request(let request): RequestExplanation(request).section
            case .event(let event): EventExplanation(event).section
            }
        }
    }

    /// The same as JSON on one line, newline included: `{"version":1,"requests":[…],"events":[…]}`, each list in the order of
    /// time.
    package static func json(of traces: [StepTrace]) -> [UInt8] {
        var (requests, events): ([JSONValue], [JSONValue]) = ([], [])
        for trace in traces {
            switch trace {
            case .request(let request): requests.append(RequestExplanation(request).value)
            case .event(let event): events.append(EventExplanation(event).value)
            }
        }
        var output = JSONBytes()
        JSONValue.ordered([("version", .integer(1)), ("requests", .array(requests)), ("events", .array(events))])
            .write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }
}
