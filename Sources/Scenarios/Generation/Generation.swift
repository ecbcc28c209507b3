package import Documents
package import PolicyEngine

/// The size, the times and the form of a capture that is to be generated.
package struct GenerationRequest: Sendable {
    /// The number of attestations, up to ``eventLimit``.
    package let count: Int
    /// When the first may come; `nil` for the start of the scenario.
    package var start: Instant?
    /// Seconds from the start up to the end, at least 1.
    package var duration = Self.day
    /// Goes before the scenario's own.
    package var seed: UInt64?
    /// The form of the records.
    package var format = GeneratedFormat.info
    /// True if the records have the reasons for which the service rejected devices.
    package var includesVerdicts = false
    /// The path that the capture is written to; `-` is standard output.
    package var path = OutputFile.standardOutput

    /// The most attestations of a capture: 10^12, about half a petabyte.
    package static let eventLimit = 1_000_000_000_000
    private static let day = 86_400

    /// - Parameter count: 1 through ``eventLimit``.
    package init(count: Int) {
        self.count = count
    }
}

extension GenerationRequest {
    /// Generates the capture: the devices of a scenario attest as their activity says, and the service keeps what it sees.
    ///
    /// Steps and expectations of the scenario are not looked at: devices stay as they are at its start.
    ///
    /// - Parameter progress: Gets now and then how far it is.
    /// - Throws: ``GenerationFailure``; a file is then as before.
    /// - Complexity: O(devices + attestations + seconds); memory O(devices).
    package func generate(from scenario: Scenario, progress: Progress = Progress()) throws(GenerationFailure) {
        guard let account = scenario.onlyAccount else { throw .severalAccounts }
        guard !scenario.groups.isEmpty else { throw .nobody }
        let (seed, start) = (seed ?? scenario.seed, start ?? scenario.start)
        // The last second lies before the end.
        guard start + duration + -1 <= Self.latest else { throw .tooLate }
        let span = start..<start + duration
        guard let schedule = ActivitySchedule(scenario.groups, count: count, in: span, seed: seed) else {
            throw .noActivity
        }
        let population = AttestingPopulation(scenario, account: account, seed: seed)
        do throws(FileFailure) {
            var file = try OutputFile(path: path)
            try write(schedule, of: population, to: &file, progress)
            try file.finish()
        } catch {
            throw .output(path: path, error)
        }
    }

    // The last second of the year 9999.
    private static let latest = Instant(secondsSinceEpoch: 253_402_300_799)
    // Bytes gathered before they are handed over.
    private static let blockBytes = 1 << 17

    private func write(
        _ schedule: ActivitySchedule, of population: consuming AttestingPopulation, to file: inout OutputFile,
        _ progress: Progress
    ) throws(FileFailure) {
        var (schedule, population) = (schedule, population)
        var renderer = RecordRenderer(population, format: format, includesVerdicts: includesVerdicts)
        var (block, written) = ([UInt8](), 0)
        while let (device, time) = schedule.next() {
            let decision = population.attest(device, at: time)
            renderer.append(device, decision, of: population, to: &block)
            written += 1
            guard block.count >= Self.blockBytes else { continue }
            try file.write(block)
            block.removeAll(keepingCapacity: true)
            progress.report(records: written, of: count)
        }
        try file.write(block)
    }
}

/// Why no capture could be generated, or only a part of one.
package enum GenerationFailure: Hashable, Sendable {
    /// A capture is one of a single account.
    case severalAccounts
    /// The scenario has no devices.
    case nobody
    /// The times would not have four digits for the year.
    case tooLate
    /// No rhythm lets anyone attest in the span.
    case noActivity
    /// The capture could not be written.
    case output(path: String, FileFailure)
}

extension GenerationFailure: DescribedError {
    /// The failure in words: lower case, no final period.
    package var description: String {
        switch self {
        case .severalAccounts: "a capture cannot be generated from a scenario with several accounts"
        case .nobody: "the scenario has no devices"
        case .tooLate: "the capture would go beyond the year 9999"
        case .noActivity: "no device attests in that time: all weights of `rhythm` are 0 there"
        case .output(_, let failure): failure.description
        }
    }

    package var hint: String? {
        switch self {
        case .severalAccounts: "a capture is one of a single account"
        case .noActivity: "the hours of `rhythm` are those of UTC"
        case .nobody, .tooLate, .output: nil
        }
    }

    /// The file that could not be written; `nil` where the scenario is to blame.
    package var output: String? {
        guard case .output(let path, _) = self else { return nil }
        return path == OutputFile.standardOutput ? "standard output" : path
    }
}

/// The form of a generated capture (formats: Captures, 1 and 3).
package enum GeneratedFormat: String, Hashable, Sendable, CaseIterable {
    /// Device information, as `device -getInfo` prints it.
    case info
    /// JSON Lines.
    case jsonl

    /// A key and its value as they are written in a record behind others.
    func field(_ key: String, _ value: String) -> [UInt8] {
        switch self {
        case .info: return Array((InformationText.pair(key, value) + "\n").utf8)
        case .jsonl:
            var json = JSONBytes()
            json.raw(",")
            json.string(key)
            json.raw(":")
            json.string(value)
            return json.bytes
        }
    }
}
