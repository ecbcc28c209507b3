import Figures
import Foundation
import PolicyEngine
import Replay

extension Figure {
    /// All that was counted, on one line: equal figures give equal lines.
    var line: String { String(decoding: partial.line, as: UTF8.self) }
}

extension ReplaySummary {
    /// All that was counted, on one line each; `nil` where the input was refused.
    var lines: String? { figures.map { $0.line + (fetches?.line ?? "") } }
}

extension Comparison {
    /// The figures of both sides and of the changes, on one line each.
    var lines: String {
        let sides = [before, after].map { $0.figures.line + ($0.fetches?.line ?? "") }
        // Parts hold more of changes than is reported in the end, such as examples that others replace.
        let reported = String(decoding: changes.reported(.attestations).line, as: UTF8.self)
        return (sides + [reported, difference.line] + unevaluated + beyondCaptures).joined(separator: "\n")
    }
}

extension ComparisonFigures {
    /// The figures, one line for each that is not 0.
    var lines: [String: String] {
        var lines: [String: String] = [:]
        func note(_ name: String, _ count: Int) {
            if count > 0 { lines[name] = String(count) }
        }
        note("attestations", attestations)
        note("devices", devices)
        note("unjudged", unevaluated.devices)
        note("locked-out", lockedOut)
        note("let-in", letIn)
        for change in lifetimes { note("lifetimes/\(change.before)/\(change.after)", change.attestations) }
        note("annotations", annotations.attestations)
        note("annotations/appearing", annotations.appearing)
        note("annotations/disappearing", annotations.disappearing)
        for (flag, count) in annotations.gained { note("annotations/gained/\(flag)", count) }
        for (flag, count) in annotations.lost { note("annotations/lost/\(flag)", count) }
        lines.merge(rejected.lines("rejected")) { $1 }
        lines.merge(accepted.lines("accepted")) { $1 }
        return lines
    }
}

extension ChangeFigures {
    fileprivate func lines(_ title: String) -> [String: String] {
        var lines: [String: String] = [:]
        if attestations > 0 { lines["\(title)/attestations"] = String(attestations) }
        if devices > 0 { lines["\(title)/devices"] = String(devices) }
        for split in splits {
            for part in split.parts {
                lines["\(title)/\(split.kind)/\(part.name)"] =
                    "\(part.attestations) of \(part.devices), first \(part.example)"
            }
        }
        for (number, example) in examples.enumerated() {
            let sides = [example.before, example.after].map {
                "\($0.isValid ? "pass" : "fail") \($0.policy) \($0.reasons.map(\.name))"
            }
            lines["\(title)/example \(number)"] =
                "\(example.device) \(example.time) \(example.attestations) \(example.flags) "
                + sides.joined(separator: " → ")
        }
        return lines
    }
}

/// Tests name metrics as reports do.
extension Metric: ExpressibleByStringInterpolation {
    package init(stringLiteral name: String) {
        guard let metric = Metric.init(_:)(name) else { preconditionFailure("no metric has the name \(name)") }
        self = metric
    }
}

/// A decision as a replay writes it.
struct DecisionLine: Decodable, Hashable {
    let device: String
    let verdict: String
    let policy: String
    let rejections: [String]
    let flags: [String]
    let annotations: [String]?
    let filters: [String]
    let lifetime: Int

    var passed: Bool { verdict == "pass" }

    /// Reads lines.
    static func read(_ lines: [String]) throws -> [DecisionLine] {
        try lines.map { try JSONDecoder().decode(DecisionLine.self, from: Data($0.utf8)) }
    }
}
