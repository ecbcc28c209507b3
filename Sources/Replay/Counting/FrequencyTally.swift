internal import Documents
internal import Figures
internal import PolicyEngine

/// Counts the values of one attribute: exactly as long as they fit, else with a bound on what is missed.
///
/// This is Space-Saving (Metwally, Agrawal, El Abbadi 2005) taken a chunk at a time. If there are more than twice as many
/// values as are kept, those with the lowest bounds go. A value that comes afterwards may have been one of those, so its bound
/// is raised by the highest bound that went. As each that went had a bound as high as what is added for one that comes, the
/// bounds of all add up to the attestations at most: with *k* values kept, a *k*-th of the attestations is missed of none. That
/// holds unless so long values come that fewer than *k* are kept.
///
/// The result depends on the chunks and on nothing else: ties go by the bytes of the values.
struct FrequencyTally {
    private let request: CountingRequest
    private var values = Interner(capacity: .max)
    private var entries: [Entry] = []
    private var byteCount = 0
    // The highest bound of a value that went; 0 while none did.
    private var floor = 0
    // By shard and device: the number of the first value.
    private var firsts: [[UInt32]] = []
    // Further values of devices.
    private var further = Numbering<UInt64>()
    // True if there were too many of those, so that devices are no longer counted.
    private var areDevicesMissed = false
    private(set) var present = 0
    private(set) var absent = 0

    private struct Entry {
        var attestations = 0
        var failed = 0
        var devices = 0
        /// Attestations that may have come before, and were forgotten.
        let missed: Int
        /// Attestations whose devices were not looked at.
        var unseen = 0

        /// The most attestations that there may have been.
        var bound: Int { attestations + missed }
    }

    init(_ request: CountingRequest) {
        self.request = request
    }

    /// Adds what all shards counted in a chunk, and then lets go of what does not fit.
    ///
    /// - Parameter chunk: By shard.
    mutating func add(_ chunk: [ValueCounts]) {
        for (shard, counts) in chunk.enumerated() where !counts.isEmpty { add(counts, of: shard) }
        if entries.count > 2 * request.keptValues || byteCount > 2 * request.keptBytes { shrink() }
        if further.count > request.keptPairs {
            areDevicesMissed = true
            (further, firsts) = (Numbering<UInt64>(), [])
        }
    }

    private mutating func add(_ counts: ValueCounts, of shard: Int) {
        absent += counts.absent
        var numbers: [Int] = []
        numbers.reserveCapacity(counts.counts.count)
        for (index, count) in counts.counts.enumerated() {
            let number = self.number(of: counts.bytes(ofValue: index))
            numbers.append(number)
            let attestations = Int(count.attestations)
            present += attestations
            entries[number].attestations += attestations
            entries[number].failed += Int(count.failed)
            if areDevicesMissed { entries[number].unseen += attestations }
        }
        guard !areDevicesMissed else { return }
        while firsts.count <= shard { firsts.append([]) }
        for pair in counts.pairs { note(numbers[Int(pair.value)], of: Int(pair.device), shard: shard) }
    }

    private mutating func number(of value: [UInt8]) -> Int {
        let number = values.intern(value.span, range: 0..<value.count).offset
        if number == entries.count {
            entries.append(Entry(missed: floor))
            byteCount += value.count
        }
        return number
    }

    private mutating func note(_ value: Int, of device: Int, shard: Int) {
        if device >= firsts[shard].count {
            firsts[shard].append(contentsOf: repeatElement(Self.none, count: device + 1 - firsts[shard].count))
        }
        let first = firsts[shard][device]
        guard first != Self.none else {
            firsts[shard][device] = UInt32(value)
            entries[value].devices += 1
            return
        }
        guard first != UInt32(value) else { return }
        let count = further.count
        if further.number(of: Self.key(value, device, shard)) == count { entries[value].devices += 1 }
    }

    // A device without a value so far, and one whose first value went.
    private static var none: UInt32 { .max }
    private static var gone: UInt32 { .max - 1 }

    // There are at most 1,024 shards (`--jobs`), and fewer values than 2^22 in any chunk and kept.
    private static func key(_ value: Int, _ device: Int, _ shard: Int) -> UInt64 {
        UInt64(value) << 42 | UInt64(shard) << 32 | UInt64(device)
    }
}

// MARK: Letting go

extension FrequencyTally {
    private mutating func shrink() {
        let ranked = ranked()
        var (kept, bytes) = (0, 0)
        while kept < min(ranked.count, request.keptValues) {
            bytes += values.bytes(ofValueAt: ranked[kept]).count
            guard bytes <= request.keptBytes else { break }
            kept += 1
        }
        guard kept < ranked.count else { return }
        floor = max(floor, entries[ranked[kept]].bound)
        keep(Array(ranked.prefix(kept)))
    }

    // The values, those of the highest bound first. Few differ in their bytes alone, so their hashes go before.
    private func ranked() -> [Int] {
        let keys = entries.indices.map { number in
            (number: number, bound: entries[number].bound, hash: Self.hash(values.bytes(ofValueAt: number)))
        }
        let sorted = keys.sorted { left, right in
            if left.bound != right.bound { return left.bound > right.bound }
            if left.hash != right.hash { return left.hash < right.hash }
            return values.bytes(ofValueAt: left.number)
                .lexicographicallyPrecedes(values.bytes(ofValueAt: right.number))
        }
        return sorted.map(\.number)
    }

    // FNV-1a: the same in every process, unlike the hashes of tables.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    // Numbers the values that are kept anew.
    private mutating func keep(_ numbers: [Int]) {
        let (before, oldEntries, oldFurther) = (values, entries, further)
        var renumbered = [UInt32](repeating: Self.gone, count: entries.count)
        (values, entries, byteCount, further) = (Interner(capacity: .max), [], 0, Numbering<UInt64>())
        for number in numbers {
            let bytes = before.bytes(ofValueAt: number)
            renumbered[number] = UInt32(values.intern(bytes.span, range: 0..<bytes.count).offset)
            entries.append(oldEntries[number])
            byteCount += bytes.count
        }
        for shard in firsts.indices {
            for device in firsts[shard].indices where firsts[shard][device] < Self.gone {
                firsts[shard][device] = renumbered[Int(firsts[shard][device])]
            }
        }
        for key in oldFurther.keys where renumbered[Int(key >> 42)] != Self.gone {
            _ = further.number(of: UInt64(renumbered[Int(key >> 42)]) << 42 | key & (1 << 42 - 1))
        }
    }
}

// MARK: Result

extension FrequencyTally {
    /// The frequencies of the values.
    ///
    /// - Parameter attribute: The key of the attribute.
    func frequency(of attribute: String) -> AttributeFrequency {
        let sorted = entries.indices.map { (number: $0, count: entries[$0].attestations) }.sorted { left, right in
            if left.count != right.count { return left.count > right.count }
            return values.bytes(ofValueAt: left.number)
                .lexicographicallyPrecedes(values.bytes(ofValueAt: right.number))
        }
        let bounds = sorted.dropFirst(request.top).map { entries[$0.number].bound }
        var frequency = AttributeFrequency(attribute)
        (frequency.present, frequency.absent) = (present, absent)
        frequency.different = floor == 0 ? entries.count : nil
        frequency.restAtMost = max(floor, bounds.max() ?? 0)
        frequency.commonest = sorted.prefix(request.top).map { value($0.number) }
        return frequency
    }

    private func value(_ number: Int) -> AttributeFrequency.Value {
        let entry = entries[number]
        var value = AttributeFrequency.Value(String(decoding: values.bytes(ofValueAt: number), as: UTF8.self))
        (value.attestations, value.failed, value.devices) = (entry.attestations, entry.failed, entry.devices)
        (value.missed, value.missedDevices) = (entry.missed, entry.missed + entry.unseen)
        return value
    }
}

/// The counts of an attribute by one shard within a chunk of the records.
struct ValueCounts: Sendable {
    private var values = Interner(capacity: .max)
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

/// Brings together what the shards of a replay count, chunk by chunk in the order of the records.
///
/// A chunk is a fixed count of records by their numbers, whichever block or shard they are in. It is added once all shards are
/// past it. So the result does not depend on how many shards there are, or which of them is ahead.
final class FrequencyTallies: Sendable {
    private let state: Lock<State>
    private let request: CountingRequest

    /// By attribute, what a shard counted within a chunk.
    typealias Chunk = [ValueCounts]

    private struct State {
        var tallies: [FrequencyTally]
        var shards = 0
        // The chunk that is added next.
        var next = 0
        // By chunk and shard.
        var waiting: [Int: [Int: Chunk]] = [:]
    }

    init(_ request: CountingRequest) {
        self.request = request
        state = Lock(State(tallies: request.keys.map { _ in FrequencyTally(request) }))
    }

    /// Takes another shard in.
    ///
    /// - Returns: Its number.
    func join() -> Int {
        state.withLock { state in
            state.shards += 1
            return state.shards - 1
        }
    }

    /// Takes what a shard counted within a chunk that it is past.
    func hand(over counts: Chunk, of chunk: Int, by shard: Int) {
        state.withLock { state in
            state.waiting[chunk, default: [:]][shard] = counts
            while let found = state.waiting[state.next], found.count == state.shards {
                Self.add(found, to: &state.tallies)
                state.waiting[state.next] = nil
                state.next += 1
            }
        }
    }

    /// Takes what is left of a shard, at the end, by chunk.
    func hand(overRest rest: [Int: Chunk], by shard: Int) {
        state.withLock { state in
            for (chunk, counts) in rest { state.waiting[chunk, default: [:]][shard] = counts }
        }
    }

    /// Adds what is left of all shards.
    ///
    /// - Returns: The counts, in the order of the request.
    func finish() -> [AttributeFrequency] {
        state.withLock { state in
            for chunk in state.waiting.keys.sorted() { Self.add(state.waiting[chunk] ?? [:], to: &state.tallies) }
            state.waiting = [:]
            return zip(request.keys, state.tallies).map { $1.frequency(of: $0.text) }
        }
    }

    private static func add(_ chunk: [Int: Chunk], to tallies: inout [FrequencyTally]) {
        let shards = (chunk.keys.max() ?? -1) + 1
        for attribute in tallies.indices {
            tallies[attribute].add(
                (0..<shards).map { shard in chunk[shard]?[attribute] ?? ValueCounts() })
        }
    }
}
