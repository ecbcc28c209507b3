package import PolicyEngine

/// Counts the fetches of each device.
package struct FetchCounter: Sendable {
    private var devices = DeviceTable()
    private var counts: [Int] = []
    private var span: ClosedRange<Instant>?
    private let part: DeviceShard?

    /// - Parameter part: The devices that are counted; `nil` for all.
    init(of part: DeviceShard? = nil) {
        self.part = part
    }

    mutating func count(_ id: DeviceID, at time: Instant?) {
        guard part?.contains(id) ?? true else { return }
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
    /// - Parameter verdict: The verdict of a device's latest attestation, `nil` for one that never attested; without
    ///   it the fetches are not weighed.
    func figures(verdict: ((DeviceID) -> Bool?)?) -> FetchFigures {
        var figures = FetchFigures()
        figures.total = counts.reduce(0, +)
        figures.devices = counts.count
        figures.span = span
        let all = counts.indices.map { (devices[DeviceIndex(offset: $0)], counts[$0]) }
        figures.most = FetchFigures.first(
            of: all.map { FetchFigures.Device(id: $0.0, fetches: $0.1, passed: nil) })
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

/// The fetch counts of devices.
package struct FetchFigures: Hashable, Sendable {
    /// Fetches in all.
    package var total = 0
    /// Devices that fetched.
    package var devices = 0
    /// Malformed lines that were left out.
    package var malformed = 0
    /// The first and the last time among the fetches.
    package var span: ClosedRange<Instant>?
    /// The devices that fetch most, most first; at most ``mostLimit``.
    package var most: [Device] = []
    /// The fetches by the verdict of the device's latest attestation, where a capture has it.
    package var weights: Weights?

    /// The maximum number of devices that are named.
    package static let mostLimit = 10

    /// Those of some devices that fetch most. Ties go by the text of the ID, so that the order does not depend on that of the
    /// capture.
    static func first(of devices: [Device]) -> [Device] {
        let sorted = devices.sorted { ($1.fetches, $0.id.description) < ($0.fetches, $1.id.description) }
        return Array(sorted.prefix(mostLimit))
    }

    /// Adds the figures of other devices.
    mutating func add(_ other: FetchFigures) {
        total += other.total
        devices += other.devices
        malformed += other.malformed
        most = Self.first(of: most + other.most)
        if let more = other.span {
            span = span.map { min($0.lowerBound, more.lowerBound)...max($0.upperBound, more.upperBound) } ?? more
        }
        guard let more = other.weights else { return }
        let own = weights ?? Weights()
        weights = Weights(
            passed: own.passed + more.passed, failed: own.failed + more.failed, unknown: own.unknown + more.unknown)
    }

    package struct Device: Hashable, Sendable {
        package var id: DeviceID
        package var fetches: Int
        /// The verdict of its latest attestation, where a capture has it.
        package var passed: Bool?
    }

    package struct Weights: Hashable, Sendable {
        package var passed = 0
        package var failed = 0
        /// Fetches of devices that the capture lacks.
        package var unknown = 0
    }
}
