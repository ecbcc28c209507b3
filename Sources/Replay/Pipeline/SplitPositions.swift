internal import Documents
internal import PolicyEngine

/// The original positions of the records of a chunk of split captures.
struct SplitPositions {
    /// The numbers of the valid records among all.
    let indices: [Int]
    // By record: its first line in the chunk, and in the capture.
    private let lines: [(chunk: Int, capture: Int)]

    fileprivate init(indices: [Int], lines: [(chunk: Int, capture: Int)]) {
        (self.indices, self.lines) = (indices, lines)
    }

    /// The line of the capture that is at a line of the chunk.
    ///
    /// - Complexity: O(log n).
    func line(_ line: Int) -> Int {
        var (lower, upper) = (0, lines.count)
        while upper - lower > 1 {
            let middle = (lower + upper) / 2
            if lines[middle].chunk <= line { lower = middle } else { upper = middle }
        }
        guard lower < lines.count else { return line }
        return lines[lower].capture + line - lines[lower].chunk
    }
}

extension ReplaySlot {
    /// Finds the original positions of the records. Some that were valid when they were split may be malformed to an account.
    ///
    /// - Parameter origins: The origins of the chunk's records, in their order.
    /// - Throws: ``ReplayFailure`` where they are others.
    func positions(_ origins: RecordOrigins) throws(ReplayFailure) -> SplitPositions {
        guard parsed.records.count + parsed.malformed.count == origins.indices.count else {
            guard let chunk else { return SplitPositions(indices: [], lines: []) }
            throw .capture(.damaged(path: chunk.file.path, format: "split"))
        }
        let isUsual = parsed.malformed.isEmpty && parsed.mistakes.all.isEmpty
        guard !isUsual else { return SplitPositions(indices: origins.indices, lines: []) }
        let sound = parsed.records.map { (start: $0.head.range.lowerBound, isSound: true) }
        let others = parsed.malformed.map { (start: $0.range.lowerBound, isSound: false) }
        let all = (sound + others).sorted { $0.start < $1.start }
        var (indices, lines): ([Int], [(Int, Int)]) = ([], [])
        var (line, offset) = (1, 0)
        for (number, record) in all.enumerated() {
            line += block.bytes[offset..<record.start].count { $0 == UInt8(ascii: "\n") }
            offset = record.start
            lines.append((line, origins.lines[number]))
            if record.isSound { indices.append(origins.indices[number]) }
        }
        return SplitPositions(indices: indices, lines: lines)
    }
}

extension SplitCaptures {
    /// Notes what is wrong with the records of all devices.
    func note(in log: inout ProblemLog) {
        for problem in problems {
            switch problem.kind {
            case .malformed(let message, let hint):
                log.note(RecordProblem(line: problem.line, message: message, hint: hint), path: problem.path)
            case .disorder(let time, let latest):
                log.noteOrder(time, after: latest, at: RecordPlace(path: problem.path, line: problem.line))
            }
        }
        log.count(malformed: unlisted.malformed, disordered: unlisted.disordered)
        for path in cutCaptures { log.noteCut(path: path) }
    }
}
