internal import Documents
internal import PolicyEngine

/// The mistakes in all captures of a replay: each kind is reported once, with the number of records that have it.
struct MistakeLog {
    private var mistakes: [CaptureMistake.Kind: Mistake] = [:]
    private var keys = 0
    private var hasMoreKeys = false

    private struct Mistake {
        let place: RecordPlace
        var records: Int
    }

    /// The maximum number of keys that are reported.
    static let limit = 20

    /// Takes the mistakes in the block that comes next.
    ///
    /// - Parameters:
    ///   - found: The findings in the block.
    ///   - place: The place of a line of the block.
    mutating func add(_ found: CaptureMistakes, at place: (Int) -> RecordPlace) {
        for mistake in found.all where mistakes[mistake.kind] != nil || hasRoom(for: mistake.kind) {
            mistakes[mistake.kind, default: Mistake(place: place(mistake.line), records: 0)].records +=
                mistake.records
        }
    }

    // Keys come in the order of the records, wherever blocks end; what there is one of is reported in any case.
    private mutating func hasRoom(for kind: CaptureMistake.Kind) -> Bool {
        guard case .key = kind else { return true }
        guard keys < Self.limit else {
            hasMoreKeys = true
            return false
        }
        keys += 1
        return true
    }

    /// Adds a warning for each.
    func warn(_ diagnostics: inout Diagnostics) {
        let warnings = mistakes.map { kind, mistake in
            let (message, hint) = Self.words(for: kind, records: mistake.records)
            return Diagnostic(
                severity: .warning, file: mistake.place.path, line: mistake.place.line,
                message: mistake.place.message(message), hint: hint)
        }
        // One record may have several.
        let sorted = warnings.sorted { ($0.file, $0.line ?? 0, $0.message) < ($1.file, $1.line ?? 0, $1.message) }
        diagnostics.add(sorted)
        guard hasMoreKeys else { return }
        diagnostics.add(
            Diagnostic(
                severity: .warning, file: "scenario",
                message: "more than \(Self.limit) unknown keys look like known ones; the others are not shown"))
    }

    private static func words(for kind: CaptureMistake.Kind, records: Int) -> (message: String, hint: String?) {
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
                "\(count) no list of flags, which counts as an empty list",
                "`public-flags`, `flags-all` or `flags` holds it, empty where none is set"
            )
        }
    }
}
