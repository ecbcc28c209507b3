import Figures
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
