internal import Documents
internal import Figures
internal import PolicyEngine

/// The problems of the records of a replay: the first of each kind are reported, the others counted.
struct ProblemLog {
    private(set) var diagnostics = Diagnostics()
    private let severity: Diagnostic.Severity
    private var malformed = 0
    private var disordered = 0
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
