internal import PolicyEngine

/// Finds records that are the same as one before them, as those of a capture that was joined or delivered twice are.
///
/// In the order of time, records that are the same lie within one second, so no more is remembered than the last second, and
/// the contents of records are looked at only where a device has two records in one second.
struct RepeatedRecords {
    // The devices and seconds of the records so far, and of each the record of the block that is not among the contents yet.
    private var seen = NumberTable()
    private var unread: [Int?] = []
    private var contents = NumberTable()
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
        _ records: ParsedRecords<some Sendable>, isInOrder: Bool, content: (Int) -> ArraySlice<UInt8>
    ) -> [Int] {
        var start = unread.count
        let repeated = records.indices.filter { !isNew($0, records.head($0), content) }
        if isInOrder, let latest = records.last?.head.time, latest != records.first?.head.time {
            forget()
            start = 0
            for index in records.indices.reversed() {
                guard records.head(index).time == latest else { break }
                _ = isNew(index, records.head(index), content)
            }
        }
        for number in start..<unread.count { read(number, content) }
        count += records.count
        repeatedCount += repeated.count
        return repeated
    }

    private mutating func isNew(_ index: Int, _ head: RecordHead, _ content: (Int) -> ArraySlice<UInt8>) -> Bool {
        guard let number = note(index, head) else { return true }
        read(number, content)
        let known = contents.count
        return contents.intern(digest(content(index))) == known
    }

    // Returns the number of the device and second, if a record of it came before.
    @inline(__always)
    private mutating func note(_ index: Int, _ head: RecordHead) -> Int? {
        let second = UInt64(bitPattern: Int64(head.time.secondsSinceEpoch))
        let product = head.id.hash(seed: hash.seed).multipliedFullWidth(by: second ^ hash.first)
        let number = seen.intern(product.high ^ product.low)
        guard number == unread.count else { return number }
        unread.append(index)
        return nil
    }

    private mutating func read(_ number: Int, _ content: (Int) -> ArraySlice<UInt8>) {
        guard let index = unread[number] else { return }
        _ = contents.intern(digest(content(index)))
        unread[number] = nil
    }

    // Blank lines behind a record, and the end of its last line, are no part of it.
    private func digest(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.map { $0 + 1 }
        return hash.hash(bytes.span, range: 0..<(end ?? bytes.startIndex) - bytes.startIndex)
    }

    private mutating func forget() {
        seen.removeAll()
        contents.removeAll()
        unread.removeAll(keepingCapacity: true)
    }
}
