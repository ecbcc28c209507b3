internal import Figures
internal import PolicyEngine

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
