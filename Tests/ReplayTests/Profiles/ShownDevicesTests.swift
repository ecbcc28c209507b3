import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Devices by the values that they showed, in parts of a comparison.
@Suite struct ShownDevicesTests {
    // Rows of a device's values and counts, drawn by chance.
    private static func draw(_ seed: UInt64) -> [(values: [String], outcome: DeviceOutcome, doubted: DeviceOutcome)] {
        var chance = SplitMix64(seed: seed)
        let outcomes: [DeviceOutcome] = [.unknown, .unaffected, .rejected]
        return (0..<200).map { _ in
            let values = ["a", "b", "\"", "ü", ""].filter { _ in chance.happens(40) }
            return (values, outcomes[chance.below(3)], outcomes[chance.below(3)])
        }
    }

    private static func profiles(
        _ rows: some Sequence<(values: [String], outcome: DeviceOutcome, doubted: DeviceOutcome)>, isInDoubt: Bool
    ) -> DeviceProfiles {
        var profiles = DeviceProfiles(keys: ["app-version", "flags"], isInDoubt: isInDoubt)
        for (index, row) in rows.enumerated() {
            let numbers = row.values.enumerated().map { profiles.number(of: $1, key: $0 % 2) }
            profiles.add(
                numbers, device: DeviceID(first: UInt64(index), second: 0), row.outcome, inDoubt: row.doubted)
        }
        return profiles
    }

    private static func read(_ text: String) throws -> ShownDevices {
        try ShownDevices(PartialReader(try JSONParser.parse(Array(text.utf8), maximumNesting: 8)))
    }

    private static func text(_ shown: ShownDevices) -> String { String(decoding: shown.partial.bytes, as: UTF8.self) }

    private static func counts(_ profiles: DeviceProfiles) -> [Set<String>: [Int]] {
        let values = profiles.values
        var counts: [Set<String>: [Int]] = [:]
        profiles.forEachDevice { numbers, count in
            let shown = Set(numbers.indices.map { "\(values[Int(numbers[$0])].key) \(values[Int(numbers[$0])].text)" })
            let known = counts[shown] ?? [0, 0]
            counts[shown] = [known[0] + count.devices, known[1] + count.affected]
        }
        return counts
    }

    @Test(arguments: 1...UInt64(20)) func partsAddUpToTheWhole(seed: UInt64) throws {
        let rows = Self.draw(seed)
        let isInDoubt = seed % 3 == 0
        let whole = Self.profiles(rows, isInDoubt: isInDoubt)
        var parts = [Array(rows[..<70]), Array(rows[70..<110]), [], Array(rows[110...])].map { rows in
            // A part without devices has no record that would say which are new.
            Self.profiles(rows, isInDoubt: isInDoubt || rows.isEmpty).shown
        }
        if seed % 2 == 0 { parts.reverse() }
        var sum = try Self.read(Self.text(parts[0]))
        for part in parts.dropFirst() { sum.add(try Self.read(Self.text(part))) }
        #expect(Self.counts(DeviceProfiles(sum)) == Self.counts(whole) && !Self.counts(whole).isEmpty)
        #expect(Self.text(sum) == Self.text(whole.shown))
    }

    static let wrong = [
        #"{"keys":["a"],"in-doubt":false,"values":[[1,"x"]],"groups":[]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"],[0,"x"]],"groups":[]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 0 1 0 1"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 0 1 0 0 0"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 0 1 0 0","1 0 1 0 0"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 2 1 0 0"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["-1 -1 1 0 0"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 0 1"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":["1 0 1 0  0"]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]],"groups":[7]}"#,
        #"{"keys":["a"],"in-doubt":false,"values":[[0,"x"]]}"#,
    ]

    @Test(arguments: wrong) func whatNoPartHasIsRefused(_ text: String) {
        #expect(throws: PartialFailure.self) { try Self.read(text) }
    }
}
