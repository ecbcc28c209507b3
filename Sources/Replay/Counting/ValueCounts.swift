internal import PolicyEngine

/// The counts of an attribute by one shard within a chunk of the records.
struct ValueCounts: Sendable {
    private var values = ValueTable(capacity: .max)
    /// By value.
    private(set) var counts: [Counts] = []
    /// Each value with a device that has it, in the order of the records; the same may come again.
    private(set) var pairs: [Pair] = []
    /// Attestations without the attribute.
    var absent = 0

    struct Counts: Sendable {
        var attestations: Int32 = 0
        var failed: Int32 = 0
    }

    struct Pair: Sendable {
        let value: UInt32
        let device: UInt32
    }

    /// True if nothing was counted.
    var isEmpty: Bool { counts.isEmpty && absent == 0 }

    /// Counts an attestation with the attribute.
    mutating func count(_ value: Span<UInt8>, range: Range<Int>, device: DeviceIndex, passed: Bool) {
        let number = values.intern(value, range: range).offset
        if number == counts.count { counts.append(Counts()) }
        counts[number].attestations += 1
        if !passed { counts[number].failed += 1 }
        pairs.append(Pair(value: UInt32(number), device: UInt32(device.offset)))
    }

    /// The bytes of a value.
    func bytes(ofValue number: Int) -> [UInt8] { values.bytes(ofValueAt: number) }
}
