/// Numbers for the distinct values of one attribute, which are bytes: from 1 on in the order of first sight.
package struct Interner: Sendable {
    /// The number of values that are kept; `.max` keeps all.
    package var capacity: Int
    // True if only the kept values matter (`isNarrow`), and if every value does for good (`isWide`).
    private var isNarrow = false
    private var isWide = false
    // True if too many values were new, so that looking for them cost more than it saved.
    private var isBypassed = false
    private var lookups = 0
    private var misses = 0
    // The kept values one behind the other; value *n* lies between ends[n - 1] and ends[n].
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots: [Slot] = Array(repeating: Slot.free, count: 64)
    private var transient: [UInt8] = []

    private struct Slot {
        /// The upper half of the hash.
        let tag: UInt32
        /// 0: free.
        let number: UInt32
        // The range of the value, so that comparing it needs no look into `ends`: 38 bits of start, 26 of length.
        private let index: UInt64

        static let free = Slot(tag: 0, number: 0, range: 0..<0)

        init(tag: UInt32, number: UInt32, range: Range<Int>) {
            self.tag = tag
            self.number = number
            index = UInt64(range.lowerBound) << 26 | UInt64(range.count)
        }

        var range: Range<Int> {
            let start = Int(index >> 26)
            return start..<start + Int(index & 0x3FF_FFFF)
        }
    }

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package mutating func intern(_ value: Span<UInt8>, range: Range<Int>) -> ValueNumber {
        if isNarrow { return narrowNumber(of: value, range: range) }
        if isBypassed { return pass(value, range: range) }
        return keep(value, range: range, limit: capacity)
    }

    /// The number of a value that has one; otherwise `nil`.
    package func known(_ value: Span<UInt8>, range: Range<Int>) -> ValueNumber? {
        let number = slots[slot(of: value, range: range, hash: ByteHash.process.hash(value, range: range))].number
        return number == 0 ? nil : ValueNumber(number: number)
    }

    /// Makes all but some values ``ValueNumber/other``, unless all are kept or others matter.
    mutating func narrow(to values: [[UInt8]]) {
        guard capacity != .max, !isWide else { return }
        isNarrow = true
        for value in values { _ = keep(value.span, range: 0..<value.count, limit: .max) }
    }

    /// Makes every value matter from now on.
    mutating func widen() {
        isWide = true
        isNarrow = false
    }

    // There are few, and most differ in length already.
    private func narrowNumber(of value: Span<UInt8>, range: Range<Int>) -> ValueNumber {
        for number in 1..<ends.count where ends[number] - ends[number - 1] == range.count {
            if isValue(number - 1, value, range: range) { return ValueNumber(number: UInt32(number)) }
        }
        return .other
    }

    private mutating func keep(_ value: Span<UInt8>, range: Range<Int>, limit: Int) -> ValueNumber {
        keep(value, range: range, hash: ByteHash.process.hash(value, range: range), limit: limit)
            ?? pass(value, range: range)
    }

    // `nil` for a value that is not kept.
    private mutating func keep(_ value: Span<UInt8>, range: Range<Int>, hash: UInt64, limit: Int) -> ValueNumber? {
        let slot = slot(of: value, range: range, hash: hash)
        if slots[slot].number != 0 {
            lookups += 1
            return ValueNumber(number: slots[slot].number)
        }
        guard ends.count <= limit else {
            noteMiss()
            return nil
        }
        value.append(range, to: &bytes)
        ends.append(bytes.count)
        let number = UInt32(ends.count - 1)
        slots[slot] = Slot(tag: Self.tag(hash), number: number, range: self.range(of: number))
        if ends.count * 2 > slots.count { slots = rehashed(slotCount: slots.count * 2) }
        return ValueNumber(number: number)
    }

    private mutating func pass(_ value: Span<UInt8>, range: Range<Int>) -> ValueNumber {
        transient.removeAll(keepingCapacity: true)
        value.append(range, to: &transient)
        return .transient
    }

    // A miss once the table is full: when every fourth lookup is one, the table is not worth its cache lines.
    private mutating func noteMiss() {
        lookups += 1
        misses += 1
        guard lookups >= Self.trial else { return }
        isBypassed = misses * 4 > lookups
        (lookups, misses) = (0, 0)
    }

    /// Lookups after which it is seen whether the table is worth it.
    private static let trial = 16_384

    /// True if the value at an array index is the given one.
    package func isValue(_ offset: Int, _ value: Span<UInt8>, range: Range<Int>) -> Bool {
        let kept = bytes.span
        return kept.hasSameBytes(in: ends[offset]..<ends[offset + 1], as: value, in: range)
    }

    /// The memory in which a value lies, and where; an absent one lies nowhere.
    // Inlined, so that one array is handed over and not the whole table copied.
    @inline(__always)
    func index(of value: ValueNumber) -> (bytes: [UInt8], range: Range<Int>) {
        if value == .transient { return (transient, 0..<transient.count) }
        if value == .absent || value == .other { return ([], 0..<0) }
        return (bytes, ends[Int(value.number) - 1]..<ends[Int(value.number)])
    }

    /// The bytes of the value at an array index.
    package func bytes(ofValueAt offset: Int) -> [UInt8] { Array(bytes[ends[offset]..<ends[offset + 1]]) }

    package func text(of value: ValueNumber) -> String {
        if value == .transient { return String(decoding: transient, as: UTF8.self) }
        if value == .absent || value == .other { return "" }
        return String(decoding: bytes[range(of: value.number)], as: UTF8.self)
    }

    private func range(of number: UInt32) -> Range<Int> {
        ends[Int(number) - 1]..<ends[Int(number)]
    }

    private func slot(of value: Span<UInt8>, range: Range<Int>, hash: UInt64) -> Int {
        let mask = slots.count - 1
        let tag = Self.tag(hash)
        let kept = bytes.span
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].number != 0 {
            if slots[slot].tag == tag, kept.hasSameBytes(in: slots[slot].range, as: value, in: range) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private func rehashed(slotCount: Int) -> [Slot] {
        var larger = Array(repeating: Slot.free, count: slotCount)
        let kept = bytes.span
        let mask = larger.count - 1
        for number in 1..<UInt32(ends.count) {
            let hash = ByteHash.process.hash(kept, range: range(of: number))
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot].number != 0 { slot = (slot + 1) & mask }
            larger[slot] = Slot(tag: Self.tag(hash), number: number, range: range(of: number))
        }
        return larger
    }

    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }
}

/// A distinct value of one attribute by its number in an ``AttributeTable``.
public struct ValueNumber: Hashable, Sendable {
    let number: UInt32

    /// The attribute is not there.
    package static let absent = ValueNumber(number: 0)
    /// A value that is not kept: the latest that was interned for its attribute.
    package static let transient = ValueNumber(number: .max)

    /// A value that is none of those that matter (``AttributeTable/narrow(_:to:)``).
    static let other = ValueNumber(number: .max - 1)

    init(number: UInt32) {
        self.number = number
    }

    /// The number as an array index; kept values start at 0.
    package var offset: Int { Int(number) - 1 }
}

extension ValueNumber {
    /// The kept value at an array index.
    package init(offset: Int) {
        self.init(number: UInt32(offset + 1))
    }
}
