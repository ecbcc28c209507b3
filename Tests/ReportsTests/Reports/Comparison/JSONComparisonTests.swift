import Foundation
import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

/// The JSON of a comparison has its figures.
@Suite struct ComparisonAsJSONTests {
    @Test(arguments: Exhaustive.seeds(1...80, each: 16)) func hasTheFigures(seed: UInt64) throws {
        var before = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        var after = RandomAccount(seed: ~seed, flags: [.init(name: "extra-two", isRisk: false)])
        var capture = RandomCapture(seed: seed << 16, flags: ["extra-one", "extra-two", "zz-unknown"])
        let summary = try ComparisonBench.compare(
            capture.records(40).map(\.line).joined(), before: before.text(), after: after.text())
        let comparison = try #require(summary.comparison)
        try expect(
            JSONComparisonLines.read(ComparisonReport(comparison).bytes(as: .json)), equals: comparison.changes.lines)
    }
}

/// The lines of a comparison's figures, read out of its JSON.
enum JSONComparisonLines {
    private typealias Object = [String: Any]

    /// Reads the JSON of a comparison; figures that are 0 have no line.
    static func read(_ bytes: [UInt8]) throws -> [String: String] {
        let report = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
        let changes = try #require(report["changes"] as? Object)
        let annotations = try #require(changes["annotations"] as? Object)
        let unevaluated = (changes["judged"] as? Object)?["unjudged"] as? Object
        var counts: [String: Any?] = [
            "attestations": changes["attestations"], "devices": changes["devices"],
            "locked-out": changes["locked-out"], "let-in": changes["let-in"], "unjudged": unevaluated?["devices"],
            "annotations": annotations["attestations"], "annotations/appearing": annotations["appearing"],
            "annotations/disappearing": annotations["disappearing"],
        ]
        for lifetime in objects(changes["lifetimes"]) {
            counts["lifetimes/\(text(lifetime["before"]))/\(text(lifetime["after"]))"] = lifetime["attestations"]
        }
        for side in ["gained", "lost"] {
            for (flag, count) in try #require(annotations[side] as? Object) {
                counts["annotations/\(side)/\(flag)"] = count
            }
        }
        var lines: [String: String] = [:]
        for title in ["rejected", "accepted"] {
            let change = try #require(changes["newly-\(title)"] as? Object)
            counts["\(title)/attestations"] = change["attestations"]
            counts["\(title)/devices"] = change["devices"]
            lines.merge(Self.lines(of: change, title)) { $1 }
        }
        for case (let name, let count as Int) in counts where count > 0 { lines[name] = String(count) }
        return lines
    }

    private static func objects(_ value: Any?) -> [Object] { value as? [Object] ?? [] }

    private static func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "" }

    private static func lines(of change: Object, _ title: String) -> [String: String] {
        var lines: [String: String] = [:]
        for kind in ["flag", "filter", "other", "app", "version", "system"] {
            for part in objects(change[kind + "s"]) {
                lines["\(title)/\(kind)/\(text(part["name"]))"] =
                    "\(text(part["attestations"])) of \(text(part["devices"])), first \(text(part["example"]))"
            }
        }
        for (number, example) in objects(change["examples"]).enumerated() {
            let sides = ["before", "after"].map { side in
                let side = example[side] as? Object ?? [:]
                return "\(text(side["verdict"])) \(text(side["policy"])) \(side["rejections"] as? [String] ?? [])"
            }
            lines["\(title)/example \(number)"] =
                "\(text(example["device"])) \(text(example["time"])) \(text(example["attestations"])) "
                + "\(example["flags"] as? [String] ?? []) \(sides.joined(separator: " → "))"
        }
        return lines
    }
}
