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
struct JSONComparisonLines: Decodable {
    private let changes: Changes

    private struct Changes: Decodable {
        let attestations: Int
        let devices: Int
        let newlyRejected: Change
        let newlyAccepted: Change
        let evaluated: Evaluated
        let lockedOut: Int
        let letIn: Int
        let lifetimes: [Lifetime]
        let annotations: Annotations

        enum CodingKeys: String, CodingKey {
            case attestations
            case devices
            case newlyRejected = "newly-rejected"
            case newlyAccepted = "newly-accepted"
            case evaluated = "judged"
            case lockedOut = "locked-out"
            case letIn = "let-in"
            case lifetimes
            case annotations
        }
    }

    private struct Evaluated: Decodable {
        let unevaluated: Unevaluated

        enum CodingKeys: String, CodingKey { case unevaluated = "unjudged" }

        struct Unevaluated: Decodable {
            let devices: Int
        }
    }

    private struct Change: Decodable {
        let attestations: Int
        let devices: Int
        let flags: [Part]
        let filters: [Part]
        let others: [Part]
        let apps: [Part]
        let versions: [Part]
        let systems: [Part]
        let examples: [Example]
    }

    private struct Part: Decodable {
        let name: String
        let attestations: Int
        let devices: Int
        let example: String
    }

    private struct Example: Decodable {
        let device: String
        let time: String
        let attestations: Int
        let flags: [String]
        let before: Side
        let after: Side
    }

    private struct Side: Decodable {
        let verdict: String
        let policy: String
        let rejections: [String]

        var line: String { "\(verdict) \(policy) \(rejections)" }
    }

    private struct Lifetime: Decodable {
        let before: Int
        let after: Int
        let attestations: Int
    }

    private struct Annotations: Decodable {
        let attestations: Int
        let appearing: Int
        let disappearing: Int
        let gained: [String: Int]
        let lost: [String: Int]
    }

    /// Reads the JSON of a comparison.
    static func read(_ bytes: [UInt8]) throws -> [String: String] {
        try JSONDecoder().decode(JSONComparisonLines.self, from: Data(bytes)).lines
    }

    private var lines: [String: String] {
        var lines: [String: String] = [:]
        let annotations = changes.annotations
        var counts = [
            "attestations": changes.attestations, "devices": changes.devices, "locked-out": changes.lockedOut,
            "unjudged": changes.evaluated.unevaluated.devices,
            "let-in": changes.letIn, "annotations": annotations.attestations,
            "annotations/appearing": annotations.appearing, "annotations/disappearing": annotations.disappearing,
        ]
        for lifetime in changes.lifetimes {
            counts["lifetimes/\(lifetime.before)/\(lifetime.after)"] = lifetime.attestations
        }
        for (flag, count) in annotations.gained { counts["annotations/gained/\(flag)"] = count }
        for (flag, count) in annotations.lost { counts["annotations/lost/\(flag)"] = count }
        for (title, change) in [("rejected", changes.newlyRejected), ("accepted", changes.newlyAccepted)] {
            counts["\(title)/attestations"] = change.attestations
            counts["\(title)/devices"] = change.devices
            lines.merge(Self.lines(of: change, title)) { $1 }
        }
        for (name, count) in counts where count > 0 { lines[name] = String(count) }
        return lines
    }

    private static func lines(of change: Change, _ title: String) -> [String: String] {
        var lines: [String: String] = [:]
        for (kind, parts) in [
            ("flag", change.flags), ("filter", change.filters), ("other", change.others), ("app", change.apps),
            ("version", change.versions), ("system", change.systems),
        ] {
            for part in parts {
                lines["\(title)/\(kind)/\(part.name)"] =
                    "\(part.attestations) of \(part.devices), first \(part.example)"
            }
        }
        for (number, example) in change.examples.enumerated() {
            lines["\(title)/example \(number)"] =
                "\(example.device) \(example.time) \(example.attestations) \(example.flags) "
                + "\(example.before.line) → \(example.after.line)"
        }
        return lines
    }
}
