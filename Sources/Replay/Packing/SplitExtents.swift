internal import Figures
internal import PolicyEngine

/// Notes of the captures that are split what whoever replays a part has to know of the whole.
struct SplitExtents {
    private(set) var origin = SplitOrigin()
    // The number of captures that were begun.
    private var begun = 0

    /// - Parameter captures: The captures, of which nothing was read yet.
    init(_ captures: [SplitOrigin.Capture]) { origin.captures = captures }

    /// Takes a block in the order of the records.
    mutating func add(_ slot: ReplaySlot<PackMatcher.Matches>) {
        if slot.startsCapture { begun += 1 }
        let index = max(0, begun - 1)
        let (lines, columns, path) = (origin.captures[index].lines, slot.columns, slot.path)
        let place = { (line: Int) in
            columns?.place(ofLine: line) ?? RecordPlace(path: path, line: line + lines)
        }
        for record in slot.parsed.malformed.prefix(max(0, ProblemLog.limit - origin.problems.count)) {
            let place = place(record.problem.line)
            origin.problems.append(
                SplitOrigin.Problem {
                    ($0.file, $0.line, $0.hint) = (place.path, place.line, record.problem.hint)
                    $0.message = place.message(record.problem.message)
                })
        }
        origin.captures[index].add(slot, place)
    }
}

extension SplitOrigin.Capture {
    fileprivate mutating func add(_ slot: ReplaySlot<PackMatcher.Matches>, _ place: (Int) -> RecordPlace) {
        let parsed = slot.parsed
        records += parsed.records.count
        malformed += parsed.malformed.count
        lines += parsed.lineCount
        if first == nil, let head = parsed.records.first?.head {
            (first, firstLine) = (head.time, place(head.line).line)
        }
        latest = parsed.records.last?.head.time ?? latest
        if slot.block.isLast, slot.format == .info, slot.block.lacksFinalNewline { isCut = true }
    }
}
