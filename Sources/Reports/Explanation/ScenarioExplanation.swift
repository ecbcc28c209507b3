package import PolicyEngine
package import Scenarios

/// The steps of a device in a scenario, in words.
package struct ScenarioExplanation: PlainReport {
    private let traces: [StepTrace]

    /// - Parameter traces: The steps, in the order of time.
    package init(_ traces: [StepTrace]) { self.traces = traces }

    /// A section for each, in the order of time.
    package var sections: [ReportSection] {
        traces.map { trace in
            switch trace {
            case .request(let request): RequestExplanation(request).section
            case .event(let event): EventExplanation(event).section
            }
        }
    }

    /// The same: `"requests":[…],"events":[…]`, each list in the order of time.
    package var members: [(key: String, value: JSONValue)] {
        var (requests, events): ([JSONValue], [JSONValue]) = ([], [])
        for trace in traces {
            switch trace {
            case .request(let request): requests.append(RequestExplanation(request).value)
            case .event(let event): events.append(EventExplanation(event).value)
            }
        }
        return [("requests", .array(requests)), ("events", .array(events))]
    }
}
