internal import Documents
internal import Figures
internal import PolicyEngine

/// The problems of the records of a replay: the first of each kind are reported, the others counted.
struct ProblemLog {
    private(set) var diagnostics = Diagnostics()
    private let severity: Diagnostic.Severity
    private var malformed = 0
    private(set) var disordered = 0
    // A hint is given once; the records that follow need it no more.
    private var hints: Set<String> = []

    /// The maximum number of problems of a kind that are reported.
    static let limit = 20

    /// - Parameter isFatal: True if malformed records refuse the input.
    init(isFatal: Bool) {
        severity = isFatal ? .error : .warning
    }

    mutating func note(_ problem: RecordProblem, path: String) {
        note(problem, at: RecordPlace(path: path, line: problem.line))
    }

    /// Notes a problem in a record, whose place is more than the line of the problem.
    mutating func note(_ problem: RecordProblem, at place: RecordPlace) {
        malformed += 1
        guard malformed <= Self.limit else { return }
        diagnostics.add(
            Diagnostic(
                severity: severity, file: place.path, line: place.line, message: place.message(problem.message),
                hint: once(problem.hint)))
    }

    private mutating func once(_ hint: String?) -> String? {
        hint.flatMap { hints.insert($0).inserted ? $0 : nil }
    }

    mutating func noteOrder(_ time: Instant, after latest: Instant, at place: RecordPlace) {
        disordered += 1
        guard disordered <= Self.limit else { return }
        diagnostics.add(
            Diagnostic(
                severity: .error, file: place.path, line: place.line,
                message: place.message("record of \(time) after one of \(latest)"),
                hint: once("--sort puts records into the order of time")))
    }

    mutating func noteCut(path: String) {
        diagnostics.add(
            Diagnostic(
                severity: .warning, file: path,
                message: "the last line has no newline; the capture may have been cut"))
    }

    /// R7.2.
    mutating func noteLimit(_ filter: Figures.FilterFigures, isFatal: Bool = false) {
        let warning = filter.limitWarning(file: "filter \(filter.name)")
        diagnostics.add(isFatal ? warning.refusingParts : warning)
    }

    /// R13.1.
    mutating func noteOtherApps(isFatal: Bool = false) {
        let warning = Diagnostic(severity: .warning, file: "apps", message: Figures.otherApps)
        diagnostics.add(isFatal ? warning.refusingParts : warning)
    }

    /// Counts further malformed records that are not available.
    mutating func count(malformed count: Int) { malformed += count }

    /// The diagnostics, with what was only counted.
    func closed() -> Diagnostics {
        var diagnostics = diagnostics
        for (count, what) in [(malformed, "malformed records"), (disordered, "records out of order")]
        where count > Self.limit {
            diagnostics.add(
                Diagnostic(
                    severity: what == "malformed records" ? severity : .error, file: "scenario",
                    message: "and \((count - Self.limit).grouped) more \(what)"))
        }
        return diagnostics
    }
}

extension Diagnostic {
    /// The same as an error, since it depends on the records of all parts which ones it is about.
    var refusingParts: Diagnostic {
        Diagnostic(
            severity: .error, file: file, line: line, message: message,
            hint: "which records that are depends on all parts; `--shard` without `scenario split` reads them all")
    }
}

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
    ///
    /// - Parameter isRepeating: False if records that repeat another are few, or if some of them were not seen, since records are out
    ///   of the order of time.
    func warn(_ diagnostics: inout Diagnostics, ofRepeated isRepeating: Bool) {
        let warnings = mistakes.filter { isRepeating || $0.key != .repeated }.map { kind, mistake in
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
        case .noFlags:
            return (
                "\(count) no list of flags, which counts as an empty list",
                "`public-flags`, `flags-all` or `flags` holds it, empty where none is set"
            )
        case .repeated:
            return (
                "\(count) all that a record before has, and each is counted once more",
                "a capture that was joined or delivered twice holds its records twice"
            )
        }
    }
}

extension SplitParts {
    /// Notes the errors in the records of all devices.
    func note(in log: inout ProblemLog) {
        var latest: Instant?
        var unlisted = malformedCount
        for (part, base) in zip(parts, bases) {
            for capture in part.origin.captures {
                if let first = capture.first, let before = latest, first < before {
                    let line = capture.firstLine.map { $0 + base.line }
                    log.noteOrder(first, after: before, at: RecordPlace(path: capture.identity.path, line: line))
                }
                latest = [latest, capture.latest].compactMap(\.self).max()
                if capture.isCut { log.noteCut(path: capture.identity.path) }
            }
            for problem in part.origin.problems {
                unlisted -= 1
                let line = problem.line.map { $0 + base.line }
                log.note(
                    RecordProblem(line: line ?? 0, message: problem.message, hint: problem.hint),
                    at: RecordPlace(path: problem.file, line: line))
            }
        }
        log.count(malformed: max(0, unlisted))
    }
}
