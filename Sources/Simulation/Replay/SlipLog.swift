internal import PolicyEngine

/// The slips of all captures of a replay: each kind is told once, with how many records have it.
struct SlipLog {
    private var slips: [CaptureSlip.Kind: Slip] = [:]
    private var hasMore = false

    private struct Slip {
        let path: String
        let line: Int
        var records: Int
    }

    /// How many kinds are told.
    static let limit = 20

    /// Takes the slips of the block that comes next.
    ///
    /// - Parameters:
    ///   - found: What is in the block.
    ///   - path: The capture.
    ///   - lines: The lines of the capture before the block.
    mutating func take(_ found: CaptureSlips, path: String, behind lines: Int) {
        for slip in found.all {
            if slips[slip.kind] != nil || slips.count < Self.limit {
                slips[slip.kind, default: Slip(path: path, line: lines + slip.line, records: 0)].records +=
                    slip.records
            } else {
                hasMore = true
            }
        }
    }

    /// Adds a warning for each.
    func warn(_ diagnostics: inout Diagnostics) {
        for (kind, slip) in slips.sorted(by: { ($0.value.path, $0.value.line) < ($1.value.path, $1.value.line) }) {
            let (message, hint) = Self.words(for: kind, records: slip.records)
            diagnostics.add(
                Diagnostic(severity: .warning, file: slip.path, line: slip.line, message: message, hint: hint))
        }
        guard hasMore else { return }
        diagnostics.add(
            Diagnostic(
                severity: .warning, file: "scenario",
                message: "more than \(Self.limit) kinds of slips; the others are not shown"))
    }

    private static func words(for kind: CaptureSlip.Kind, records: Int) -> (message: String, hint: String?) {
        let count = records == 1 ? "1 record has" : "\(records.grouped) records have"
        switch kind {
        case .key(let name, let meant):
            return (
                "\(count) the unknown key \(name.text.quoted), which is not read as \(meant.quoted)",
                "did you mean \(meant.quoted)?"
            )
        case .semicolons:
            return (
                "\(count) a list of flags with `;`, which is read as part of a flag's name",
                "flags are joined by commas alone"
            )
        case .noFlags:
            return (
                "\(count) no list of flags, which is read as no flag at all",
                "`public-flags`, `flags-all` or `flags` holds it, empty where none is set"
            )
        }
    }
}
