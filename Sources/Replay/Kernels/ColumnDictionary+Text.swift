internal import Columns
internal import PolicyEngine

extension ColumnDictionary {
    /// Hands over the text of a value: of the bytes of a device's ID, the usual text of the ID.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - body: Takes the memory and the range of the text in it.
    /// - Returns: `nil` if the value is absent, or is bytes that are no ID of a device.
    func withText<Result>(ofKey key: Int32, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result? {
        let (value, bytes) = (values[Int(key)], bytes)
        guard !value.isAbsent else { return nil }
        if isText { return body(bytes.span, value.range) }
        guard let id = DeviceID(column: bytes.span, value.range, isText: false) else { return nil }
        var text: [UInt8] = []
        id.append(to: &text)
        return body(text.span, 0..<text.count)
    }

    /// The keys of the values whose text is one of a few.
    ///
    /// - Complexity: O(values · texts), of which most differ in their length or first byte.
    func keys(ofTexts texts: [[UInt8]]) -> [Int32] {
        let sought = isText ? texts : texts.compactMap { DeviceID($0.span, range: 0..<$0.count)?.bytes }
        let (bytes, values) = (bytes, values)
        var keys: [Int32] = []
        for text in sought {
            for key in values.indices where values[key].range.count == text.count && !values[key].isAbsent {
                if bytes.span.extracting(values[key].range).isEqual(to: text.span) { keys.append(Int32(key)) }
            }
        }
        return keys
    }
}

extension Span<UInt8> {
    // True if a span of the same length has the same bytes.
    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        for index in indices where self[index] != other[index] { return false }
        return true
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
