import Testing

@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Devices by the values that they showed, against a plain count.
@Suite struct DeviceProfilesTests {
    // A record as the test knows it.
    private struct Drawn {
        let device: String
        let flags: [String]
        let ip, version: String?

        func line(_ number: Int) -> String {
            let minute = number / 60 % 60
            let seconds = number % 60
            let clock = "10:\(minute < 10 ? "0" : "")\(minute):\(seconds < 10 ? "0" : "")\(seconds)"
            let list = flags.joined(separator: ",")
            return #"{"time":"2020-07-23T\#(clock)Z","device-id":"\#(device)","flags":"\#(list)""#
                + (ip.map { #","ip":"\#($0)""# } ?? "") + (version.map { #","app-version":"\#($0)""# } ?? "") + "}\n"
        }
    }

    private static func draw(_ seed: UInt64) -> [Drawn] {
        var chance = SplitMix64(seed: seed)
        return (0..<600).map { _ in
            let number = chance.below(150)
            let digits = String(repeating: "0", count: 15 - String(number).count) + String(number)
            return Drawn(
                device: "Device\(digits)A==",
                flags: ["rooted", "frida", "odd"].filter { _ in chance.happens(15) },
                ip: chance.happens(80)
                    ? chance.happens(90) ? "10.\(chance.below(3)).0.\(chance.below(9))" : "2001:db8::\(chance.below(2))"
                    : nil,
                version: chance.happens(90) ? "\(chance.below(3)).\(chance.below(4))" : nil)
        }
    }

    // By the values that a device showed: the devices, and the newly rejected ones among them.
    private static func reference(_ records: [Drawn]) -> [Set<String>: [Int]] {
        var shown: [String: Set<String>] = [:]
        var rejected: Set<String> = []
        for record in records {
            let network = record.ip.map { address in
                address.contains(":")
                    ? "ip/16 2001:db8::/32"
                    : "ip/16 " + address.split(separator: ".").prefix(2).joined(separator: ".") + ".0.0/16"
            }
            let major = record.version.map { "app-version~major \($0.prefix(1))" }
            shown[record.device, default: []].formUnion(
                [network, major, record.ip.map { "ip \($0)" }].compactMap(\.self) + record.flags.map { "flags \($0)" }
                    + ["time/hour 2020-07-23T10Z"])
            if record.flags.contains("rooted"), !record.flags.contains("frida") { rejected.insert(record.device) }
        }
        var groups: [Set<String>: [Int]] = [:]
        for (device, values) in shown {
            let counts = groups[values] ?? [0, 0]
            groups[values] = [counts[0] + 1, counts[1] + (rejected.contains(device) ? 1 : 0)]
        }
        return groups
    }

    private static func profiles(_ records: [Drawn], jobs: Int) throws -> DeviceProfiles {
        let folder = try TemporaryFolder(["capture": records.enumerated().map { $1.line($0) }.joined()])
        var before = Account()
        before.policy.rejection = RejectionPolicy(preset: .allowRoot)
        var replay = ReplayRequest(captures: [folder.path("capture")], account: before)
        (replay.jobs, replay.blockBytes) = (jobs, 4096)
        var request = ComparisonRequest(replay: replay, after: Account())
        request.profileKeys = [
            ProfileKey(try RecordKey("ip/16")), ProfileKey(try RecordKey("app-version~major")), .flags,
            ProfileKey(try RecordKey("ip")), ProfileKey(try RecordKey("time/hour")),
        ]
        let summary = CaptureComparison(request).run()
        return try #require(summary.profiles)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func groupsAreThoseOfAPlainCount(seed: UInt64) throws {
        let records = Self.draw(seed)
        let profiles = try Self.profiles(records, jobs: 2)
        let expected = Self.reference(records)
        expect(profiles.groups, equals: expected)
        #expect(expected.values.contains { $0[1] > 0 } && expected.values.contains { $0[1] == 0 })
        expect(profiles.count, equals: Set(records.map(\.device)).count)
    }

    @Test func groupsDoNotDependOnTheThreads() throws {
        let records = Self.draw(4)
        let first = try Self.profiles(records, jobs: 1)
        for jobs in [2, 3, 7] {
            let other = try Self.profiles(records, jobs: jobs)
            #expect(other.groups == first.groups && other.counts == first.counts)
        }
    }

    @Test func aReplayKnowsFiltersAndVerdicts() throws {
        let lines = [("A", "rooted"), ("B", ""), ("A", "")].enumerated().map { number, record in
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"Device00000000000000\#(record.0)A==","#
                + #""flags":"\#(record.1)"}"# + "\n"
        }
        let folder = try TemporaryFolder(["capture": lines.joined()])
        var account = Account()
        let id = "Device00000000000000BA=="
        account.filters = [try Filter(name: "tester", test: .exact(key: "device-id", value: id))]
        let request = ReplayRequest(captures: [folder.path("capture")], account: account)
        let profiles = try #require(
            CaptureProfile(request, keys: [.verdict, .filters, .flags]).profiles)
        expect(
            profiles.counts,
            equals: [
                "verdict fail": 1, "verdict pass": 2, "filters tester": 1, "flags new-did": 2, "flags risky-device": 1,
                "flags rooted": 1,
            ])
    }

    /// Profiles of other readers have other numbers for the same values.
    @Test func profilesOfTwoReadersAddUp() throws {
        let records = Self.draw(5)
        let isFirst = { (record: Drawn) in record.device < "Device000000000000070" }
        var sum = try Self.profiles(records.filter(isFirst), jobs: 1)
        sum.add(try Self.profiles(records.filter { !isFirst($0) }, jobs: 2))
        #expect(sum.groups == Self.reference(records) && sum.count == Set(records.map(\.device)).count)
    }

    @Test func commonDevicesAreCounted() throws {
        func devices(_ numbers: Range<Int>) throws -> DeviceProfiles {
            let lines = numbers.map { number in
                #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DeviceID(first: UInt64(number), second: 7))","flags":""}"#
                    + "\n"
            }
            let folder = try TemporaryFolder(["capture": lines.joined()])
            let request = ReplayRequest(captures: [folder.path("capture")], account: Account())
            return try #require(CaptureProfile(request, keys: [.verdict]).profiles)
        }
        try expect(devices(0..<30).commonDevices(with: devices(20..<45)), equals: 10)
    }
}

extension DeviceProfiles {
    /// By the values that devices showed: the devices, and the newly rejected ones among them.
    fileprivate var groups: [Set<String>: [Int]] {
        let values = values
        var groups: [Set<String>: [Int]] = [:]
        forEachDevice { numbers, count in
            let shown = numbers.indices.map { values[Int(numbers[$0])] }
            // Each value is there once.
            expect(Set(shown).count, equals: shown.count)
            let known = groups[Set(shown.map(name))] ?? [0, 0]
            groups[Set(shown.map(name))] = [known[0] + count.devices, known[1] + count.affected]
        }
        return groups
    }

    /// By value, the devices that showed it.
    fileprivate var counts: [String: Int] {
        Dictionary(uniqueKeysWithValues: shownValues.map { (name($0.value), $0.devices) })
    }

    private func name(_ value: Value) -> String { "\(keys[value.key]) \(value.text)" }
}

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
        try #require(ShownDevices(partial: JSONParser.parse(Array(text.utf8), maximumNesting: 8)))
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
        expect(Self.text(sum), equals: Self.text(whole.shown))
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

    @Test(arguments: wrong) func whatNoPartHasIsRefused(_ text: String) throws {
        let content = try JSONParser.parse(Array(text.utf8), maximumNesting: 8)
        #expect(ShownDevices(partial: content) == nil)
    }
}
