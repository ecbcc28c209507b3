/// The devices of a scenario as records of a capture, by group, without times: what a test sends in place of records of its
/// own (R23.4).
package struct PopulationRecords: Sendable {
    // By group, in the order of its devices; each a JSON object.
    private let records: [String: [[UInt8]]]

    /// Draws the devices as they are at the scenario's start. Facts that the service finds out about them, such as
    /// registrations and DeviceCheck, are found out at their first attestation.
    ///
    /// - Parameter scenario: One with a single account, which finds it out.
    /// - Throws: ``GenerationFailure`` for a scenario with several accounts or without devices.
    /// - Complexity: O(devices), in memory too.
    package init(_ scenario: Scenario) throws(GenerationFailure) {
        guard let account = scenario.onlyAccount else { throw .severalAccounts }
        guard scenario.deviceCount > 0 else { throw .nobody }
        var population = AttestingPopulation(scenario, account: account, seed: scenario.seed)
        var renderer = RecordRenderer(population, format: .jsonl, includesVerdicts: false)
        var (records, device): ([String: [[UInt8]]], Int) = ([:], 0)
        for group in scenario.groups {
            for _ in 0..<group.count {
                var line: [UInt8] = []
                let decision = population.attest(device, at: scenario.start)
                renderer.append(device, decision, of: population, to: &line)
                records[group.name, default: []].append(Self.withoutTime(line))
                device += 1
            }
        }
        self.records = records
    }

    // The time is the first member, and has no comma of its own.
    private static func withoutTime(_ line: [UInt8]) -> [UInt8] {
        guard let comma = line.firstIndex(of: UInt8(ascii: ",")) else { return line }
        return [UInt8(ascii: "{")] + line[(comma + 1)...].dropLast()
    }

    /// The groups, in the order of their names' bytes.
    package var groups: [String] { records.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// The devices of a group; `nil` where there is no such group.
    package subscript(group: String) -> [[UInt8]]? { records[group] }
}
