import Documents
import Figures
import Replay

/// The result of a replay, with everything that it wrote.
struct Replayed {
    let summary: ReplaySummary
    /// The lines of the decisions; `nil` when none were written.
    let decisions: [String]?
    /// The bytes of the malformed records that were kept.
    let kept: [UInt8]?
    /// The files that are left in the folder beside the captures.
    let files: [String]

    /// The problems that were reported, a line each, by the file's name alone.
    var messages: [String] {
        summary.diagnostics.all.map { diagnostic in
            let file = diagnostic.file.split(separator: "/").last.map(String.init) ?? ""
            let line = diagnostic.line.map { ":\($0)" } ?? ""
            let hint = diagnostic.hint.map { "; hint: \($0)" } ?? ""
            return "\(file)\(line): \(diagnostic.severity.rawValue): \(diagnostic.message)\(hint)"
        }
    }

    /// True if the input was refused: figures are then not reported.
    var isRefused: Bool { summary.figures == nil && summary.diagnostics.hasErrors }

    /// A metric, 0 where nothing was counted.
    func metric(_ name: String) -> Int { summary.figures?.metrics[Metric(stringLiteral: name)] ?? 0 }
}
