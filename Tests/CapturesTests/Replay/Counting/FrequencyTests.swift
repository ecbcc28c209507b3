import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Values of attributes by their frequency.
@Suite struct FrequencyTests {
    // One value in two is one of few, the others are rarely the same.
    private static func draw(_ chance: inout SplitMix64, _ number: Int) -> String? {
        if chance.happens(10) { return nil }
        if chance.happens(50) { return "10.0.0.\(chance.below(1 + chance.below(20)))" }
        return "192.0.\(chance.below(100)).\(chance.below(100))"
    }

    private static let capture = CountedCapture(seed: 7, records: 5000, devices: 300, draw)

    @Test(arguments: [1, 2, 3, 7], [false, true]) func everyValueIsCountedExactly(jobs: Int, sorts: Bool) throws {
        let frequency = try Self.capture.frequency(jobs: jobs, sorts: sorts) { $0.chunk = 512 }
        #expect(frequency.isExact && frequency.restAtMost == 0)
        expect(frequency.absent, equals: Self.capture.absent)
        expect(frequency.present, equals: Self.capture.records - Self.capture.absent)
        expect(frequency.different, equals: Self.capture.values.count)
        expect(frequency.commonest.count, equals: Self.capture.values.count)
        for value in frequency.commonest {
            let truth = try #require(Self.capture.values[value.text])
            #expect(value.attestations == truth.attestations && value.failed == truth.failed)
            expect(value.devices, equals: truth.devices.count)
        }
        let order = frequency.commonest.map { ($0.attestations, $0.text) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0.0 > $1.0 || $0.0 == $1.0 && $0.1 < $1.1 })
    }

    @Test(arguments: [1, 2, 5, 40]) func whatDoesNotFitIsBoundedAndTheBoundHolds(kept: Int) throws {
        let frequency = try Self.capture.frequency {
            $0.chunk = 100
            $0.keptValues = kept
        }
        #expect(!frequency.isExact && frequency.different == nil)
        for value in frequency.commonest {
            let truth = try #require(Self.capture.values[value.text])
            #expect((value.attestations...value.attestations + value.missed).contains(truth.attestations))
            #expect((value.failed...value.failed + value.missed).contains(truth.failed))
            #expect((value.devices...value.devices + value.missedDevices).contains(truth.devices.count))
            #expect(value.missed <= frequency.present / kept)
        }
        // Whatever is more frequent than the bound is there.
        let shown = Set(frequency.commonest.map(\.text))
        let others = Self.capture.values.filter { !shown.contains($0.key) }
        #expect(!others.isEmpty && others.allSatisfy { $0.value.attestations <= frequency.restAtMost })
        #expect(frequency.restAtMost <= max(1, frequency.present / kept))
    }

    @Test func nothingIsMissedOfWhatIsFrequentFromTheStart() throws {
        let frequency = try Self.capture.frequency {
            $0.chunk = 100
            $0.keptValues = 40
        }
        let first = try #require(frequency.commonest.first)
        #expect(first.text == "10.0.0.0" && first.missed == 0)
        expect(first.attestations, equals: Self.capture.values["10.0.0.0"]?.attestations)
        expect(first.devices, equals: Self.capture.values["10.0.0.0"]?.devices.count)
    }

    @Test(arguments: [(values: 5, pairs: 1_000_000), (values: 1000, pairs: 50), (values: 3, pairs: 20)])
    func whatIsBoundedDoesNotDependOnTheThreads(values: Int, pairs: Int) throws {
        let found = try [1, 2, 3, 8].map { jobs in
            try Self.capture.frequency(jobs: jobs) {
                ($0.chunk, $0.keptValues, $0.keptPairs) = (64, values, pairs)
            }
        }
        #expect(Set(found).count == 1 && !found[0].isExact)
    }

    // As many attestations of one device, each with a value of its own.
    private static func different(_ count: Int, _ limit: (inout CountingRequest) -> Void) throws -> AttributeFrequency {
        try CountedCapture(seed: 1, records: count, devices: 1) { _, number in "10.0.0.\(number)" }.frequency {
            $0.chunk = 1
            limit(&$0)
        }
    }

    /// Values are let go of where there are more than twice as many as are kept: with 4, the ninth.
    @Test(arguments: [(8, true), (9, false)]) func twiceTheKeptValuesAreCountedExactly(count: Int, isExact: Bool) throws
    {
        try expect(Self.different(count) { $0.keptValues = 4 }.isExact, equals: isExact)
    }

    /// With 3 pairs beside the first value of a device, the fourth is one too many; then the next record is not seen.
    @Test(arguments: [(5, true), (6, false)]) func theKeptPairsAreCountedExactly(count: Int, isExact: Bool) throws {
        try expect(Self.different(count) { $0.keptPairs = 3 }.isExact, equals: isExact)
    }

    @Test func devicesAreBoundedWhereTheirValuesAreTooMany() throws {
        let frequency = try Self.capture.frequency {
            $0.chunk = 100
            $0.keptPairs = 200
        }
        #expect(frequency.different == Self.capture.values.count && !frequency.isExact)
        for value in frequency.commonest {
            let truth = try #require(Self.capture.values[value.text])
            #expect(value.attestations == truth.attestations && value.missed == 0)
            #expect((value.devices...value.devices + value.missedDevices).contains(truth.devices.count))
        }
    }

    // Every value comes once, so that all are as frequent as any other.
    @Test(arguments: [1, 4]) func valuesThatComeOnceAreForgottenInTurn(jobs: Int) throws {
        let capture = CountedCapture(seed: 1, records: 3000, devices: 40) { _, number in "value \(number)" }
        let frequency = try capture.frequency(jobs: jobs) { ($0.chunk, $0.keptValues) = (50, 100) }
        #expect(frequency.present == 3000 && frequency.commonest.allSatisfy { $0.attestations == 1 })
        // 3000 attestations over 100 values.
        #expect(frequency.restAtMost <= 30 && frequency.restAtMost >= 1)
    }

    @Test func longValuesTakeTheRoomOfMany() throws {
        let capture = CountedCapture(seed: 3, records: 400, devices: 40) { _, number in
            String(repeating: "x", count: 500) + "\(number % 100)"
        }
        let frequency = try capture.frequency { ($0.chunk, $0.keptBytes) = (40, 5000) }
        #expect(!frequency.isExact)
        for value in frequency.commonest {
            #expect((value.attestations...value.attestations + value.missed).contains(4))
        }
    }

    @Test func theCommonestAreReported() throws {
        let frequency = try Self.capture.frequency { $0.top = 3 }
        let truth = Self.capture.values.map { ($0.value.attestations, $0.key) }.sorted { $0 > $1 }
        expect(frequency.commonest.map(\.text), equals: truth.prefix(3).map(\.1))
        #expect(frequency.restAtMost == truth[3].0 && frequency.different == truth.count)
    }
}

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
