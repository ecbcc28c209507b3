internal import PolicyEngine

extension FetchCounter {
    /// Counts the fetches of a capture.
    ///
    /// - Parameters:
    ///   - file: The capture.
    ///   - zones: The time zones that it may name.
    ///   - problems: Takes what is wrong with its lines.
    ///   - malformed: Keeps the lines that make no sense.
    /// - Returns: How many lines make no sense.
    mutating func read(
        _ file: CaptureFile, zones: TimeZones, problems: inout ProblemLog, malformed: inout LineFile
    ) throws(ReplayFailure) -> Int {
        var reader = try ReplayFailure.wrapping { () throws(CaptureFailure) in try FetchReader(file, zones: zones) }
        var malformedCount = 0
        while let (line, content) = try Self.next(&reader) {
            switch content {
            case .fetch(let id, let time): count(id, at: time)
            case .malformed(let message, let hint):
                malformedCount += 1
                problems.note(RecordProblem(line: line, message: message, hint: hint), path: file.path)
                guard malformed.isOpen else { continue }
                var bytes: [UInt8] = []
                reader.copyLine(to: &bytes)
                try malformed.write(bytes)
            }
        }
        if reader.lacksFinalNewline { problems.noteCut(path: file.path) }
        return malformedCount
    }

    private static func next(
        _ reader: inout FetchReader
    ) throws(ReplayFailure) -> (line: Int, content: FetchLine)? {
        do throws(CaptureFailure) {
            return try reader.next()
        } catch {
            throw .capture(error)
        }
    }
}
