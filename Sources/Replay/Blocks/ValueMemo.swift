internal import PolicyEngine

/// What was found in values, kept by their bytes: most values of a capture come again and again.
///
/// A hash only says where to look: what is kept of a value is found by all of its bytes.
struct ValueMemo<Found: Finding, Hash: ValueHash>: Sendable {
    private var slots: [Slot] = Array(repeating: .free, count: 64)
    // The values one behind the other.
    private var bytes: [UInt8] = []
    // What was found, each once, since that is mostly the same; and where it stands.
    private var findings: [Found] = []
    private var findingIndices: [Found: UInt32] = [:]
    private var count = 0
    private let limit: Int
    private let hash = Hash()
    private var lookups = 0
    private var missCount = 0
    /// Whether so many values were new, once as many were kept as may be, that looking costs more than it saves.
    private(set) var isUseless = false
    // Of the rows at hand.
    private var hashes = [UInt64](repeating: 0, count: batch)

    // 16 bytes, so that none lies in two lines of the cache.
    private struct Slot {
        /// The upper half of the hash, by which the slot was chosen.
        let tag: UInt32
        /// The length of the value; negative for a free slot.
        let length: Int32
        let start: UInt32
        /// What was found, by its index.
        let found: UInt32

        static var free: Slot { Slot(tag: 0, length: -1, start: 0, found: 0) }

        var range: Range<Int> { Int(start)..<Int(start) &+ Int(length) }
    }

    private static var lineBytes: Int { 64 }
    private static var nearFindings: Int { 16 }
    /// How many rows may be looked for at once.
    static var batch: Int { 64 }
    /// Bytes that are kept, whatever the values.
    private static var byteLimit: Int { 16 * 1024 * 1024 }
    /// Lookups after which it is seen whether they are worth it.
    private static var trial: Int { 16_384 }
    /// Slots that lie in the nearest memory anyhow.
    private static var nearSlots: Int { 1024 }

    /// - Parameter limit: How many values are kept.
    init(limit: Int) {
        self.limit = limit
    }

    /// Looks for the values of some rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - range: Which of them; few enough that what is fetched from memory for all is still near when its turn comes.
    ///   - column: Which value of each.
    ///   - besides: A column; rows that have a value there are left out.
    ///   - misses: Takes the rows whose value is not kept.
    ///   - found: Takes what was found in each row's value besides what is there; nothing of rows without one.
    /// - Complexity: O(length of the values).
    mutating func find(
        _ rows: borrowing ValueRows, _ range: Range<Int>, column: Int, besides: Int? = nil, misses: inout [Int32],
        into found: inout [Found]
    ) {
        precondition(range.count <= Self.batch && range.upperBound <= found.count, "few rows, each with its result")
        let (plain, copied) = (rows.bytes, rows.copied)
        lookups &+= prepare(rows, range, column: column, plain.span, copied.span)
        var all = found.mutableSpan
        let (slots, hashes, kept, findings) = (slots.span, hashes.span, bytes.span, findings.span)
        for row in range {
            let value = rows[row, column]
            if value.isAbsent { continue }
            if let besides, !rows[row, besides].isAbsent { continue }
            // SAFETY: a hash for each row of the range was worked out just now; there are fewer than fit.
            let hash = unsafe hashes[unchecked: row &- range.lowerBound]
            let slot = Self.slot(
                of: value.isPlain ? plain.span : copied.span, range: value.range, hash: hash, among: slots, kept)
            // SAFETY: the mask of the slots keeps the slot inside them, and the row is one of the range.
            if unsafe slots[unchecked: slot].length >= 0 {
                unsafe all[unchecked: row].formUnion(findings[Int(slots[unchecked: slot].found)])
            } else {
                misses.append(Int32(truncatingIfNeeded: row))
            }
        }
    }

    // Works out the hashes, and has the slots and the values behind them fetched from memory. Returns how many rows have one.
    @inline(__always)
    private mutating func prepare(
        _ rows: borrowing ValueRows, _ range: Range<Int>, column: Int, _ plain: Span<UInt8>, _ copied: Span<UInt8>
    ) -> Int {
        var count = 0
        let (hash, mask, isFar) = (self.hash, slots.count &- 1, slots.count > Self.nearSlots)
        let (slots, kept) = (slots, bytes)
        var hashes = hashes.mutableSpan
        for row in range {
            let value = rows[row, column]
            if value.isAbsent { continue }
            let number = hash.hash(value.isPlain ? plain : copied, range: value.range)
            count &+= 1
            // SAFETY: there is room for a hash of each row of a range.
            unsafe hashes[unchecked: row &- range.lowerBound] = number
            if isFar { slots.prefetch(Int(Self.tag(number)) & mask) }
        }
        guard isFar else { return count }
        for offset in 0..<range.count {
            // SAFETY: as above; the mask keeps the slot inside the slots. A hash of rows before does no harm.
            let number = unsafe hashes[unchecked: offset]
            let slot = unsafe slots.span[unchecked: Int(Self.tag(number)) & mask]
            guard slot.tag == Self.tag(number) else { continue }
            // A value lies in several lines; the processor itself goes on where there are many.
            kept.prefetch(slot.range.lowerBound)
            kept.prefetch(slot.range.upperBound &- 1)
            if slot.length > Self.lineBytes { kept.prefetch(slot.range.lowerBound &+ Self.lineBytes) }
        }
        return count
    }

    /// Keeps what was found in a value that was missed, while there is room.
    mutating func keep(_ found: Found, for value: Span<UInt8>, range: Range<Int>) {
        missCount += 1
        let isFull = count >= limit || bytes.count + range.count > Self.byteLimit
        if lookups >= Self.trial {
            // An eighth of misses costs more than it saves; a memo that is not full yet may fill.
            isUseless = isFull && missCount * 8 > lookups
            (lookups, missCount) = (0, 0)
            if isUseless { return forget() }
        }
        guard !isFull else { return }
        let hash = self.hash.hash(value, range: range)
        let slot = Self.slot(of: value, range: range, hash: hash, among: slots.span, bytes.span)
        // The rows at hand may have had it twice.
        guard slots[slot].length < 0 else { return }
        let start = UInt32(bytes.count)
        value.append(range, to: &bytes)
        slots[slot] = Slot(tag: Self.tag(hash), length: Int32(range.count), start: start, found: index(of: found))
        count += 1
        if count * 2 > slots.count { grow() }
    }

    @inline(__always)
    private static func slot(
        of value: Span<UInt8>, range: Range<Int>, hash: UInt64, among slots: Span<Slot>, _ kept: Span<UInt8>
    ) -> Int {
        let (mask, tag) = (slots.count &- 1, tag(hash))
        var slot = Int(tag) & mask
        // SAFETY: the mask keeps the slot inside the slots.
        while unsafe slots[unchecked: slot].length >= 0 {
            if unsafe slots[unchecked: slot].tag == tag,
                kept.hasSameBytes(in: unsafe slots[unchecked: slot].range, as: value, in: range)
            {
                break
            }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    // Lets go of the memory.
    private mutating func forget() {
        (slots, bytes) = (Array(repeating: .free, count: 64), [])
        (findings, findingIndices) = ([], [:])
    }

    private mutating func index(of found: Found) -> UInt32 {
        // Few findings make most values.
        if let known = findings.prefix(Self.nearFindings).firstIndex(of: found) { return UInt32(known) }
        if let known = findingIndices[found] { return known }
        findings.append(found)
        findingIndices[found] = UInt32(findings.count - 1)
        return UInt32(findings.count - 1)
    }

    private mutating func grow() {
        var larger = Array(repeating: Slot.free, count: slots.count * 2)
        let mask = larger.count - 1
        for kept in slots where kept.length >= 0 {
            var slot = Int(kept.tag) & mask
            while larger[slot].length >= 0 { slot = (slot + 1) & mask }
            larger[slot] = kept
        }
        slots = larger
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }
}

/// Says where a table looks for bytes first.
protocol ValueHash: Sendable {
    init()

    /// The hash of a part of some bytes; equal bytes have equal ones.
    func hash(_ bytes: Span<UInt8>, range: Range<Int>) -> UInt64
}

/// The hash of this process.
struct ProcessHash: ValueHash {
    private let seeded = ByteHash.process

    func hash(_ bytes: Span<UInt8>, range: Range<Int>) -> UInt64 { seeded.hash(bytes, range: range) }
}
