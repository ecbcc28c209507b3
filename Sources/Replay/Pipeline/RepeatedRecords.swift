internal import PolicyEngine

/// Finds records that are the same as one before them, as those of a capture that was joined or delivered twice are.
///
/// In the order of time, records that are the same lie within one second, so no more is remembered than the last second, and
/// the contents of records are looked at only where a device has two records in one second.
struct RepeatedRecords {
    // The latest time; `nil` where all times count.
    private var second: Instant?
    // The devices and seconds of the records so far, and of each the record of the block that is not among the contents yet.
    private var seen = Numbering<UInt64>()
    private var unread: [Int?] = []
    private var contents = Numbering<UInt64>()
    // The records so far, and those that repeat another.
    private var (count, repeatedCount) = (0, 0)
    private let hash = ByteHash.process

    /// True if a twentieth of the records or more repeat another, which is no coincidence. Few devices attest twice in one second,
    /// but some do, above all in captures that were generated.
    var areMany: Bool { repeatedCount * 20 >= count }

    /// Takes the records of the block that comes next.
    ///
    /// - Parameters:
    ///   - records: The valid ones.
    ///   - isInOrder: False if records that are the same may lie anywhere, so that all are remembered.
    ///   - content: The bytes of a record, by its index.
    /// - Returns: The indices of those that repeat another.
    mutating func add(
        _ records: ParsedRecords, isInOrder: Bool, content: (Int) -> ArraySlice<UInt8>
    ) -> [Int] {
        let known = isInOrder ? 0 : unread.count
        var repeated: [Int] = []
        if isInOrder {
            addSeconds(of: records, content, &repeated)
        } else {
            add(records.indices, of: records, content, &repeated)
        }
        for number in unread.indices.dropFirst(known) { read(number, content) }
        count += records.count
        repeatedCount += repeated.count
        return repeated
    }

    private mutating func addSeconds(
        of records: ParsedRecords, _ content: (Int) -> ArraySlice<UInt8>, _ repeated: inout [Int]
    ) {
        var start = records.startIndex
        while start < records.endIndex {
            let time = records.head(start).time
            var end = start + 1
            while end < records.endIndex, records.head(end).time == time { end += 1 }
            if time != second { forget() }
            second = time
            // A record repeats another only if two records of a second are of one device, unless the second began before the block
            // or does not end in it.
            if !unread.isEmpty || end == records.endIndex || Self.mayRepeat(start..<end, of: records) {
                add(start..<end, of: records, content, &repeated)
            }
            start = end
        }
    }

    // True if two of some records are of one device, or there are too many to look at each two.
    private static func mayRepeat(_ range: Range<Int>, of records: ParsedRecords) -> Bool {
        if range.count > fewRecords { return true }
        for one in range {
            let id = records.head(one).id
            for other in range.lowerBound..<one where records.head(other).id == id { return true }
        }
        return false
    }

    private static let fewRecords = 16

    private mutating func add(
        _ range: Range<Int>, of records: ParsedRecords, _ content: (Int) -> ArraySlice<UInt8>, _ repeated: inout [Int]
    ) {
        for index in range {
            if let number = note(index, records.head(index)), isSame(index, as: number, content) {
                repeated.append(index)
            }
        }
    }

    // True if a record repeats one of the same device and second. Apart from the rest, since few records have such a one.
    @inline(never)
    private mutating func isSame(_ index: Int, as number: Int, _ content: (Int) -> ArraySlice<UInt8>) -> Bool {
        read(number, content)
        let known = contents.count
        return contents.number(of: digest(content(index))) != known
    }

    // Returns the number of the device and second, if a record of it came before.
    @inline(__always)
    private mutating func note(_ index: Int, _ head: RecordHead) -> Int? {
        let second = UInt64(bitPattern: Int64(head.time.secondsSinceEpoch))
        let product = head.id.hash(seed: hash.seed).multipliedFullWidth(by: second ^ hash.first)
        let number = seen.number(of: product.high ^ product.low)
        guard number == unread.count else { return number }
        unread.append(index)
        return nil
    }

    private mutating func read(_ number: Int, _ content: (Int) -> ArraySlice<UInt8>) {
        guard let index = unread[number] else { return }
        _ = contents.number(of: digest(content(index)))
        unread[number] = nil
    }

    // Blank lines behind a record, and the end of its last line, are no part of it.
    private func digest(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.map { $0 + 1 }
        return hash.hash(bytes.span, range: 0..<(end ?? bytes.startIndex) - bytes.startIndex)
    }

    private mutating func forget() {
        guard !unread.isEmpty else { return }
        seen.removeAll()
        contents.removeAll()
        unread.removeAll(keepingCapacity: true)
    }
}
