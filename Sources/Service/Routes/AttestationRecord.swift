internal import HTTP
internal import PolicyEngine
internal import Scenarios

/// The body of `POST /attest` (R23.4).
enum AttestationRecord {
    /// The record that a body is, or names.
    ///
    /// - Parameters:
    ///   - body: A record of a capture as JSON without its time, or the group of a population.
    ///   - population: The devices that have groups.
    /// - Throws: ``Refusal``.
    static func record(_ body: [UInt8], in population: PopulationRecords?) throws(Refusal) -> [UInt8] {
        let members = try RequestBody.object(body)
        if members.contains(where: { $0.name == "time" }) {
            throw .badField("time", "the time is the clock's, so a record has none", hint: "leave `time` out")
        }
        guard let group = members.first(where: { $0.name == "group" }) else {
            if members.contains(where: { $0.name == "device-id" }) { return body }
            let group = population?.groups.first.map { "{\"group\": \"\($0)\"}" }
            throw .badField(
                "device-id", "the body names no device",
                hint: group.map { "such as \($0), or a record with `device-id`" } ?? "a record has `device-id`")
        }
        return try record(ofGroup: group.value, members, in: population)
    }

    private static func record(
        ofGroup value: JSONContent, _ members: [JSONMember], in population: PopulationRecords?
    ) throws(Refusal) -> [UInt8] {
        guard let population else {
            throw .badField("group", "there are no groups", hint: "`--population` names a scenario that has some")
        }
        guard let name = value.text, let devices = population[name] else {
            let names = population.groups.map { "`\($0)`" }.joined(separator: ", ")
            throw .badField("group", "there is no such group", hint: "there are \(names)")
        }
        for member in members where member.name != "group" && member.name != "number" {
            throw .badField(member.name.text, "a group has `number` besides, and nothing else")
        }
        let given = members.first { $0.name == "number" }?.value
        guard let number = given == nil ? 1 : given?.integer, (1...devices.count).contains(number) else {
            throw .badField("number", "the group has the devices 1 to \(devices.count)")
        }
        return devices[number - 1]
    }
}
