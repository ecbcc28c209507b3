/// Lines that one shard wrote for a block.
struct WrittenLines: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each one ends.
    private(set) var ends: [Int] = []

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func append(_ line: [UInt8]) {
        bytes += line
        ends.append(bytes.count)
    }

    /// One of them.
    subscript(place: Int) -> ArraySlice<UInt8> { bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]] }
}
