import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `compare` on whole captures: of the same population few differ, and a difference that is planted comes first.
@Suite struct PlantedDriftTests {
    private static func draw(_ seed: UInt64, count: Int, rooted percent: Int = 6) -> [DrawnDevice] {
        var chance = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            var device = DrawnDevice(&chance)
            device.isRooted = chance.happens(percent)
            return device
        }
    }

    /// The values whose shares differ.
    private static func drifts(_ old: [DrawnDevice], _ new: [DrawnDevice]) throws -> [[String: Any]] {
        let run = try ToolRun(
            "compare @old.jsonl @new.jsonl --account=@loose.yaml "
                + "--keys=flags,app-version,os-version,ip/16 --format=json --jobs=2",
            files: [
                "old.jsonl": DrawnDevice.capture(old), "new.jsonl": DrawnDevice.capture(new),
                "loose.yaml": "account: shop\npolicy: default,allow-root,default\n",
            ])
        expect(run.status, equals: .success, "\(run.error)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let values = try #require(report["values"] as? [[String: Any]])
        return values.filter { $0["drifts"] as? Bool == true }
    }

    // Of 200 pairs, 5 % are 10. In fewer, as many as are by chance in one of 1,000 cases: 4 of 20.
    @Test func capturesOfTheSamePopulationRarelyDiffer() throws {
        let count = Exhaustive.count(20, whole: 200)
        let reporting = try (0..<count).count { pair in
            let seed = UInt64(2 * pair)
            return try !Self.drifts(Self.draw(seed, count: 300), Self.draw(seed + 1, count: 250 + pair)).isEmpty
        }
        #expect(reporting <= (count == 200 ? 10 : 4), "\(reporting)")
    }

    /// Rooted devices are 6 % before and 18 % after: as many as have the two flags that the engine gives such devices.
    @Test(arguments: 0..<Exhaustive.count(UInt64(5), whole: 50)) func aPlantedDifferenceIsFoundFirst(
        seed: UInt64
    ) throws {
        let (old, new) = (Self.draw(1000 + seed, count: 900), Self.draw(2000 + seed, count: 900, rooted: 18))
        let first = try #require(try Self.drifts(old, new).first)
        #expect(["rooted", "risky-device"].contains(first["value"] as? String), "\(first)")
        expect(first["before"] as? Int, equals: old.count(where: \.isRooted))
        expect(first["after"] as? Int, equals: new.count(where: \.isRooted))
    }
}
