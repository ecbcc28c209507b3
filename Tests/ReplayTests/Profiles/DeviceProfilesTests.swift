import Testing

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
                ip: chance.happens(80) ? "10.\(chance.below(3)).0.\(chance.below(9))" : nil,
                version: chance.happens(90) ? "\(chance.below(3)).\(chance.below(4))" : nil)
        }
    }

    // By the values that a device showed: the devices, and the newly rejected ones among them.
    private static func reference(_ records: [Drawn]) -> [Set<String>: [Int]] {
        var shown: [String: Set<String>] = [:]
        var rejected: Set<String> = []
        for record in records {
            let network = record.ip.map { address in
                "ip/16 " + address.split(separator: ".").prefix(2).joined(separator: ".") + ".0.0/16"
            }
            let major = record.version.map { "app-version~major \($0.prefix(1))" }
            shown[record.device, default: []].formUnion(
                [network, major].compactMap(\.self) + record.flags.map { "flags \($0)" })
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
        ]
        let summary = CaptureComparison(request).run()
        return try #require(summary.profiles)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func groupsAreThoseOfAPlainCount(seed: UInt64) throws {
        let records = Self.draw(seed)
        let profiles = try Self.profiles(records, jobs: 2)
        var found: [Set<String>: [Int]] = [:]
        for (numbers, group) in profiles.groups {
            let values = numbers.map { profiles.values[Int($0)] }
            found[Set(values.map { "\(profiles.keys[$0.key]) \($0.text)" })] = [group.devices, group.affected]
        }
        let expected = Self.reference(records)
        #expect(found == expected)
        #expect(expected.values.contains { $0[1] > 0 } && expected.values.contains { $0[1] == 0 })
        #expect(profiles.devices.count == Set(records.map(\.device)).count)
    }

    @Test func groupsDoNotDependOnTheThreads() throws {
        let records = Self.draw(4)
        let first = try Self.profiles(records, jobs: 1)
        for jobs in [2, 3, 7] {
            let other = try Self.profiles(records, jobs: jobs)
            #expect(other.values == first.values && other.groups == first.groups)
            #expect(other.deviceCounts == first.deviceCounts)
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
        let texts = profiles.values.map { "\(profiles.keys[$0.key]) \($0.text)" }
        #expect(
            texts == [
                "verdict fail", "verdict pass", "filters tester", "flags new-did", "flags risky-device", "flags rooted",
            ])
        #expect(profiles.deviceCounts == [1, 2, 1, 2, 1, 1])
    }
}
