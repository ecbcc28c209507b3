internal import PolicyEngine

/// The head of a record of a capture: its own data, attributes and flags aside.
struct RecordHead: Sendable {
    /// Whose it is.
    let id: DeviceID
    let time: Instant
    /// The device's system, by its `device` attribute (R13.1).
    let system: OperatingSystem
    /// True if the service passed it; `nil` if the record has no `rejection-flags` (present and empty means passed).
    let capturedVerdict: Bool?
    // Blocks are much shorter than 2 GiB.
    private let lineNumber: Int32
    private let start: Int32
    private let end: Int32

    init(
        id: DeviceID, time: Instant, system: OperatingSystem, capturedVerdict: Bool?, line: Int, range: Range<Int>
    ) {
        (self.id, self.time, self.system, self.capturedVerdict) = (id, time, system, capturedVerdict)
        (lineNumber, start, end) = (Int32(line), Int32(range.lowerBound), Int32(range.upperBound))
    }

    /// The line at which it starts, counted from 1 at the start of its block.
    var line: Int { Int(lineNumber) }

    /// The range of the record in its block.
    var range: Range<Int> { Int(start)..<Int(end) }
}

/// The fields of a record's own data beside other attributes, by their index in ``RecordFields``.
enum RecordField {
    static let deviceID = 0
    static let time = 1
    static let flags = 2
    static let rejections = 3
    static let device = 4
    /// Behind these come the attributes that only filters and reports need.
    static let count = 5

    /// The keys under which captures write them; the list of flags has three names.
    static let names: [(name: String, field: Int)] = [
        ("device-id", deviceID), ("time", time), ("public-flags", flags), ("flags-all", flags), ("flags", flags),
        ("rejection-flags", rejections), ("device", device),
    ]
}
