import Documents
import Replay

/// What a replay came to, with everything that it wrote.
struct Replayed {
    let outcome: ReplaySummary
    /// The lines of the decisions; `nil` when none were written.
    let decisions: [String]?
    /// The bytes of the malformed records that were kept.
    let kept: [UInt8]?
    /// What is left in the folder beside the captures.
    let files: [String]

    /// What was reported, one line a problem, by the file's name alone.
    var messages: [String] {
        outcome.diagnostics.all.map { diagnostic in
            let file = diagnostic.file.split(separator: "/").last.map(String.init) ?? ""
            let line = diagnostic.line.map { ":\($0)" } ?? ""
            let hint = diagnostic.hint.map { "; hint: \($0)" } ?? ""
            return "\(file)\(line): \(diagnostic.severity.rawValue): \(diagnostic.message)\(hint)"
        }
    }

    /// Whether the input was refused: figures are then not reported.
    var isRefused: Bool { outcome.figures == nil && outcome.diagnostics.hasErrors }

    /// A metric, 0 where nothing was counted.
    func metric(_ name: String) -> Int { outcome.figures?.metrics[Metric(stringLiteral: name)] ?? 0 }
}
