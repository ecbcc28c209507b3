internal import Columns
internal import PolicyEngine

/// The device IDs of a dictionary, each read when a record has it for the first time.
struct KeyedDevices {
    private var dictionary: ColumnDictionary?
    // By key.
    private var ids: [DeviceID] = []
    private var states: [State] = []

    private enum State: UInt8 { case unknown, valid, invalid }

    private static let placeholder = DeviceID(first: 0, second: 0)

    /// Takes the dictionary of the next records.
    mutating func begin(_ dictionary: ColumnDictionary) {
        guard self.dictionary != dictionary else { return }
        self.dictionary = dictionary
        ids = Array(repeating: Self.placeholder, count: dictionary.values.count)
        states = Array(repeating: .unknown, count: dictionary.values.count)
    }

    /// The ID of a key; `nil` where there is none.
    @inline(__always)
    mutating func id(_ key: Int) -> DeviceID? {
        if states[key] == .unknown { read(key) }
        return states[key] == .valid ? ids[key] : nil
    }

    @inline(never)
    private mutating func read(_ key: Int) {
        guard let dictionary else { return }
        let (bytes, value) = (dictionary.bytes, dictionary.values[key])
        let id = value.isAbsent ? nil : DeviceID(column: bytes.span, value.range, isText: dictionary.isText)
        (ids[key], states[key]) = (id ?? Self.placeholder, id == nil ? .invalid : .valid)
    }
}

extension DeviceID {
    /// Reads the ID of a device from a column.
    ///
    /// - Parameters:
    ///   - bytes: The memory.
    ///   - range: The value.
    ///   - isText: True for the text of an ID, false for its 16 bytes.
    /// - Returns: `nil` for what is no ID, or not one of a device.
    init?(column bytes: Span<UInt8>, _ range: Range<Int>, isText: Bool) {
        if isText {
            guard let id = DeviceID(bytes, range: range) else { return nil }
            self = id
        } else {
            guard range.count == 16 else { return nil }
            let (first, second) = (bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound + 8))
            self.init(first: first.byteSwapped, second: second.byteSwapped)
        }
        if isFilteredPolicy { return nil }
    }
}
