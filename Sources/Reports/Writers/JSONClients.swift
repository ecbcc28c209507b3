internal import Figures
internal import PolicyEngine

/// Writes the effects of a change on all that clients of a scenario get as JSON (R19a).
enum JSONClients {
    /// A list of `{"kind":…,"events":n,"devices":n,"worse":{…},"better":{…},"differences":[…]}`, in the order of kinds.
    static func value(of clients: ClientChanges) -> JSONValue {
        .array(
            clients.parts.map { part in
                .sorted([
                    "kind": .string(part.kind.rawValue), "events": .integer(part.events),
                    "devices": .integer(part.devices), "worse": .sorted(members(part.worse)),
                    "better": .sorted(members(part.better)), "differences": .array(part.differences.map(difference)),
                ])
            })
    }

    /// The requests that are no longer accepted: `{"requests":n,"devices":n}`.
    static func blocked(_ clients: ClientChanges) -> JSONValue {
        let count = clients[.request]?.worse ?? ClientChanges.Count()
        return .sorted(["requests": .integer(count.events), "devices": .integer(count.devices)])
    }

    private static func difference(_ difference: ClientChanges.Difference) -> JSONValue {
        var members = members(difference.count)
        members["effect"] = .string(difference.effect.rawValue)
        members["before"] = .string(difference.before)
        members["after"] = .string(difference.after)
        members["example"] = .string(difference.example.description)
        return .sorted(members)
    }

    private static func members(_ count: ClientChanges.Count) -> [ExactText: JSONValue] {
        ["events": .integer(count.events), "devices": .integer(count.devices)]
    }
}
