import PolicyEngine

@testable import Figures
@testable import Replay
@testable import TestSupport

/// A capture drawn by chance, and what is in it, counted by itself.
struct CountedCapture {
    /// JSON Lines.
    private(set) var text = ""
    /// By value: attestations, failed ones, and devices.
    private(set) var values: [String: (attestations: Int, failed: Int, devices: Set<Int>)] = [:]
    private(set) var absent = 0
    let records: Int

    /// - Parameters:
    ///   - seed: Draws all.
    ///   - records: How many attestations.
    ///   - devices: How many devices there are at most.
    ///   - draw: Draws a value; `nil` for a record without the attribute.
    init(seed: UInt64, records: Int, devices: Int, _ draw: (inout SplitMix64, Int) -> String?) {
        self.records = records
        var chance = SplitMix64(seed: seed)
        for number in 0..<records {
            let (device, isRooted) = (chance.below(devices), chance.happens(20))
            let value = draw(&chance, number)
            text += Self.record(number, device, isRooted ? "rooted" : "", value)
            guard let value else {
                absent += 1
                continue
            }
            var counts = values[value] ?? (0, 0, [])
            counts.attestations += 1
            counts.failed += isRooted ? 1 : 0
            counts.devices.insert(device)
            values[value] = counts
        }
    }

    private static func record(_ number: Int, _ device: Int, _ flags: String, _ value: String?) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: count - String(number).count) + String(number)
        }
        let clock = "\(digits(number / 3600, 2)):\(digits(number / 60 % 60, 2)):\(digits(number % 60, 2))"
        return #"{"time":"2020-07-23T\#(clock)Z","device-id":"Device\#(digits(device, 15))A==","flags":"\#(flags)""#
            + (value.map { #","ip":"\#($0)""# } ?? "") + "}\n"
    }

    /// The frequency of `ip` as a replay counts it.
    func frequency(
        jobs: Int = 1, sorts: Bool = false, _ edit: (inout CountingRequest) -> Void = { _ in }
    ) throws -> AttributeFrequency {
        let folder = try TemporaryFolder(["capture": text])
        var request = ReplayRequest(captures: [folder.path("capture")], account: Account())
        (request.jobs, request.sorts, request.blockBytes) = (jobs, sorts, 4096)
        var counting = CountingRequest(attributes: ["ip"], top: 1_000_000)
        edit(&counting)
        request.counting = counting
        guard let frequency = request.run().figures?.frequencies?.first else { throw TestFailure("nothing is counted") }
        return frequency
    }
}
