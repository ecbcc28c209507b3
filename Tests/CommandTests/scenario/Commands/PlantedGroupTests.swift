import Foundation
import PolicyEngine
import Testing

@testable import TestSupport
@testable import scenario

/// `diff --who` on whole captures: a cause that is planted comes first, and without one few captures report a group.
@Suite struct PlantedGroupTests {
    private struct Cause {
        var version, system, network: Int?

        /// True if a device showed all values: versions, systems and networks, where they are given.
        func isShown(by device: DrawnDevice) -> Bool {
            (version.map { $0 == device.version } ?? true) && (system.map { $0 == device.system } ?? true)
                && (network.map(device.networks.contains) ?? true)
        }

        var condition: String {
            [
                version.map { "app-version=5.\($0)" }, system.map { "os-version=\"Android \($0 + 7)\"" },
                network.map { "ip/16=10.\($0).0.0/16" },
            ].compactMap(\.self).joined(separator: " and ")
        }
    }

    private static let causes = [
        Cause(network: 1), Cause(version: 2), Cause(version: 0, network: 0), Cause(system: 1),
        Cause(version: 1, system: 0),
    ]

    private static func draw(_ seed: UInt64, count: Int, _ cause: Cause?) -> [DrawnDevice] {
        var chance = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            var device = DrawnDevice(&chance)
            device.isRooted = chance.happens(cause.map { $0.isShown(by: device) ? 60 : 2 } ?? 6)
            return device
        }
    }

    private static func groups(_ devices: [DrawnDevice]) throws -> [[String: Any]] {
        let run = try ToolRun(
            "diff @day.jsonl --account=@loose.yaml --change='policy -set default,default,default' "
                + "--who=app-version,os-version,ip/16 --format=json --jobs=2",
            files: [
                "day.jsonl": DrawnDevice.capture(devices),
                "loose.yaml": "account: shop\npolicy: default,allow-root,default\n",
            ])
        expect(run.status, equals: .success, "\(run.error)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let found = (report["changes"] as? [String: Any])?["groups"] as? [String: Any]
        expect(found?["devices"] as? Int, equals: devices.count)
        expect(found?["newly-rejected"] as? Int, equals: devices.count(where: \.isRooted))
        return try #require(found?["groups"] as? [[String: Any]])
    }

    @Test(arguments: 0..<Exhaustive.count(5, whole: 50)) func thePlantedCauseIsFirst(seed: Int) throws {
        let cause = Self.causes[seed % Self.causes.count]
        let devices = Self.draw(UInt64(seed), count: 1500, cause)
        let first = try #require(try Self.groups(devices).first)
        expect(first["condition"] as? String, equals: cause.condition)
        expect(first["devices"] as? Int, equals: devices.count(where: cause.isShown))
        expect(first["newly-rejected"] as? Int, equals: devices.count { $0.isRooted && cause.isShown(by: $0) })
    }

    // Of 200 captures, 5 % are 10. In fewer, as many as are by chance in one of 1,000 cases: 4 of 20.
    @Test func withoutACauseFewCapturesReportAny() throws {
        let count = Exhaustive.count(20, whole: 200)
        let reporting = try (0..<count).count { seed in
            try !Self.groups(Self.draw(UInt64(1000 + seed), count: 300, nil)).isEmpty
        }
        #expect(reporting <= (count == 200 ? 10 : 4), "\(reporting)")
    }
}

/// A device of a capture that is drawn by chance, with the values that it showed.
struct DrawnDevice {
    let version, system: Int
    let networks: Set<Int>
    var isRooted = false

    /// Draws the values; the first ones are more frequent than the others.
    init(_ chance: inout SplitMix64) {
        version = chance.below(1 + chance.below(4))
        system = chance.below(1 + chance.below(4))
        networks = Set((0...chance.below(2)).map { _ in chance.below(1 + chance.below(8)) })
    }

    /// A record of each device and network, as JSON Lines.
    static func capture(_ devices: [DrawnDevice]) -> String {
        var lines: [String] = []
        for (number, device) in devices.enumerated() {
            for network in device.networks.sorted() {
                let time = Instant(secondsSinceEpoch: 1_595_498_400 + lines.count)
                lines.append(
                    #"{"time":"\#(time)","device-id":"\#(DeviceID(first: UInt64(number), second: 9))","flags":""#
                        + #"\#(device.isRooted ? "rooted" : "")","app-version":"5.\#(device.version)","#
                        + #""ip":"10.\#(network).1.\#(number % 250)","#
                        + #""device":"Android \#(device.system + 7), A, B, C, de"}"# + "\n")
            }
        }
        return lines.joined()
    }
}
