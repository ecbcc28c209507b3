internal import Figures
internal import PolicyEngine

/// Counts the fetches of each device.
struct FetchCounter: Sendable {
    private var devices = DeviceTable()
    private var counts: [Int] = []
    private var span: ClosedRange<Instant>?
    private let part: DeviceShard?
    private let choice: RecordChoice

    /// - Parameters:
    ///   - part: The devices that are counted; `nil` for all.
    ///   - choice: The devices among these; a span of time has no meaning, since fetches may have no time.
    init(of part: DeviceShard? = nil, _ choice: RecordChoice = RecordChoice()) {
        (self.part, self.choice) = (part, choice)
    }

    mutating func count(_ id: DeviceID, at time: Instant?) {
        guard part?.contains(id) ?? true, choice.includes(id) else { return }
        let device = devices.intern(id)
        if device.offset == counts.count { counts.append(0) }
        counts[device.offset] += 1
        guard let time else { return }
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    /// The devices that fetched.
    var identifiers: [DeviceID] { counts.indices.map { devices[DeviceIndex(offset: $0)] } }

    /// The number of fetches of a device.
    func count(of id: DeviceID) -> Int { devices.index(of: id).map { counts[$0.offset] } ?? 0 }

    /// The figures of the fetches.
    ///
    /// - Parameter verdict: The verdict of a device's latest attestation, `nil` for one that never attested; without it the
    ///   fetches are not weighed.
    func figures(verdict: ((DeviceID) -> Bool?)?) -> FetchFigures {
        var figures = FetchFigures()
        figures.total = counts.reduce(0, +)
        figures.devices = counts.count
        figures.span = span
        let all = counts.indices.map { (devices[DeviceIndex(offset: $0)], counts[$0]) }
        figures.most = FetchFigures.first(
            of: all.map { device in FetchFigures.Device { ($0.id, $0.fetches) = device } })
        for index in figures.most.indices {
            figures.most[index].passed = verdict.flatMap { $0(figures.most[index].id) }
        }
        guard let verdict else { return figures }
        figures.weights = all.reduce(into: FetchFigures.Weights()) { weights, device in
            switch verdict(device.0) {
            case true?: weights.passed += device.1
            case false?: weights.failed += device.1
            case nil: weights.unknown += device.1
            }
        }
        return figures
    }
}

extension FetchCounter {
    /// Counts the fetches of a capture.
    ///
    /// - Parameters:
    ///   - file: The capture.
    ///   - zones: The time zones that it may name.
    ///   - problems: Takes what is wrong with its lines.
    ///   - malformed: Keeps the lines that make no sense.
    /// - Returns: The number of lines that make no sense.
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
                reader.lines.copyLine(to: &bytes)
                try malformed.write(bytes)
            }
        }
        if reader.lines.lacksFinalNewline { problems.noteCut(path: file.path) }
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
