internal import CValueLookup
internal import PolicyEngine

/// Values by their bytes, each with the number of what was found in it; many are looked for at once.
///
/// A hash only says where to look: a value is found by all of its bytes. Half of the slots or more are free.
struct ValueSlots: Sendable {
    private var buckets = SlotMemory(bucketCount: 16)
    // The records of the values one behind the other, then some more, since a step may read behind a value.
    private var records = AlignedArray<UInt8>()
    /// The number of bytes of all records: of the values, and of the numbers with them.
    private(set) var byteCount = 0
    /// The number of values.
    private(set) var count = 0
    private let instructions: value_lookup_instructions
    private let tagBits: UInt32
    private let keys = processKeys

    /// The maximum number of rows of one lookup.
    static var rowsAtOnce: Int { Int(value_lookup_rows) }
    private static var step: Int { Int(value_lookup_step) }
    private static var slotsByBucket: Int { Int(value_bucket_slots) }
    private static var none: UInt32 { .max }
    /// Bytes that are added at a time.
    private static var extra: Int { 4096 }

    // Seeded anew in each process, so that nobody can write a capture whose values all fall into one slot. Only where values
    // lie depends on it.
    private static let processKeys: value_lookup_keys = {
        func words() -> (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) {
            func word() -> UInt64 { .random(in: .min ... .max) }
            return (word(), word(), word(), word(), word(), word(), word(), word())
        }
        return value_lookup_keys(seed: words(), first: words(), second: words())
    }()

    /// - Parameters:
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    ///   - tagBits: The bits of hashes that count: all, unless a test wants values to collide.
    init(instructions: VectorInstructions, tagBits: UInt32) {
        self.instructions = instructions.lookupCode
        self.tagBits = tagBits
        records.append(repeating: 0, count: Self.step)
    }

    /// Looks for the values of some rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - range: Which of them, no more than ``rowsAtOnce``.
    ///   - column: Which value of each.
    ///   - besides: A column; rows that have a value there are left out.
    ///   - answers: Takes what is known of them.
    /// - Returns: The number that had a value.
    func find(
        _ rows: borrowing ValueRows, _ range: Range<Int>, column: Int, besides: Int?, into answers: inout Answers
    ) -> Int {
        unsafe withTable { table in
            unsafe rows.withColumn(column, besides: besides, of: range) { column in
                unsafe answers.read { numbers, misses in
                    var (keys, table, column) = unsafe (keys, table, column)
                    var raw = unsafe value_answers(found: numbers, misses: misses, miss_count: 0, value_count: 0)
                    // SAFETY: the table has a free slot and a step behind its values; answers have room for all rows, and the
                    // column has no more rows. Values outside its memory are refused.
                    let isSound = unsafe value_lookup(instructions, &keys, &table, &column, &raw)
                    precondition(isSound, "values lie inside their memory")
                    return unsafe (raw.miss_count, raw.value_count)
                }
            }
        }
    }

    /// Adds a value.
    ///
    /// - Parameter number: The number of what was found in it.
    /// - Returns: True if it was not there before.
    mutating func insert(_ value: Span<UInt8>, _ range: Range<Int>, number: UInt32) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= value.count, "the range lies inside the bytes")
        let tag = tag(of: value, range)
        guard self.number(of: value, range, tag: tag) == Self.none else { return false }
        add(value, range, tag: tag, number: number)
        return true
    }

    /// The number of what was found in a value, which is added if it was not there before.
    ///
    /// - Parameter number: The number of what is found in a value that is added.
    mutating func intern(_ value: Span<UInt8>, _ range: Range<Int>, number: UInt32) -> UInt32 {
        precondition(range.lowerBound >= 0 && range.upperBound <= value.count, "the range lies inside the bytes")
        let tag = tag(of: value, range)
        let known = self.number(of: value, range, tag: tag)
        guard known == Self.none else { return known }
        add(value, range, tag: tag, number: number)
        return number
    }

    private mutating func add(_ value: Span<UInt8>, _ range: Range<Int>, tag: UInt32, number: UInt32) {
        let start = append(value_record(length: UInt32(range.count), found: number), value, range)
        count += 1
        let isCrowded = count * 2 > buckets.count * Self.slotsByBucket
        if isCrowded || !isKnownUniquelyReferenced(&buckets) { buckets = buckets.copy(isLarger: isCrowded) }
        buckets.insert(tag: tag, start: UInt32(start))
    }

    private func tag(of value: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        unsafe value.withUnsafeBufferPointer { buffer in
            var keys = keys
            // SAFETY: the range lies inside the value's memory, of which no more is read.
            let start = unsafe buffer.baseAddress.map { unsafe $0 + range.lowerBound }
            return unsafe value_lookup_tag(instructions, &keys, start, range.count) & tagBits
        }
    }

    /// The number of what was found in a value; `nil` for one that is not kept.
    func number(of value: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        precondition(range.lowerBound >= 0 && range.upperBound <= value.count, "the range lies inside the bytes")
        let number = number(of: value, range, tag: tag(of: value, range))
        return number == Self.none ? nil : number
    }

    private func number(of value: Span<UInt8>, _ range: Range<Int>, tag: UInt32) -> UInt32 {
        unsafe value.withUnsafeBufferPointer { buffer in
            unsafe withTable { table in
                var table = unsafe table
                // SAFETY: as above; the table has a free slot, where the search ends.
                let start = unsafe buffer.baseAddress.map { unsafe $0 + range.lowerBound }
                return unsafe value_table_found(&table, tag, start, range.count)
            }
        }
    }

    // Returns where the record starts.
    private mutating func append(_ record: value_record, _ value: Span<UInt8>, _ range: Range<Int>) -> Int {
        let size = MemoryLayout<value_record>.size + range.count
        let start = byteCount
        let missing = start + size + Self.step - records.count
        if missing > 0 { records.append(repeating: 0, count: max(missing, Self.extra)) }
        unsafe records.withUnsafeMutableStart { records in
            unsafe value.withUnsafeBytes { value in
                let room = unsafe UnsafeMutableRawPointer(records + start)
                // SAFETY: the range lies inside the value's memory, and there is room for it and the record.
                unsafe room.storeBytes(of: record, as: value_record.self)
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: value[range])
                guard let first = bytes.baseAddress else { return }
                unsafe (room + MemoryLayout<value_record>.size).copyMemory(from: first, byteCount: bytes.count)
            }
        }
        byteCount = start + size
        return start
    }

    @inline(__always)
    private func withTable<Result>(_ body: (value_table) -> Result) -> Result {
        unsafe records.withUnsafeStart { records in
            // SAFETY: the table names memory that lives through the call.
            withExtendedLifetime(buckets) { buckets in
                unsafe body(
                    value_table(
                        buckets: buckets.start, bucket_count: buckets.count, records: records,
                        tag_bits: tagBits))
            }
        }
    }
}

/// The memory of a table's slots, where no bucket lies in two lines of the cache, as it might in an array.
// SAFETY: whoever writes into it is the only one who refers to it (``ValueSlots/insert``).
@safe
private final class SlotMemory: @unchecked Sendable {
    let start: UnsafeMutablePointer<value_bucket>
    /// The number of buckets: a power of two.
    let count: Int

    /// - Parameter bucketCount: The number of buckets; all slots are free.
    init(bucketCount: Int) {
        count = bucketCount
        let size = MemoryLayout<value_bucket>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bucketCount * size, alignment: size)
        // SAFETY: the memory has room for that number of buckets, and belongs to nobody else.
        unsafe start = memory.bindMemory(to: value_bucket.self, capacity: bucketCount)
        unsafe value_table_clear(start, bucketCount)
    }

    deinit {
        // SAFETY: allocated above; buckets need no cleaning up.
        unsafe start.deallocate()
    }

    func copy(isLarger: Bool) -> SlotMemory {
        let other = SlotMemory(bucketCount: isLarger ? count * 2 : count)
        // SAFETY: the other one is empty, and has room for as many or more.
        unsafe value_table_move(start, count, other.start, other.count)
        return other
    }

    func insert(tag: UInt32, start: UInt32) {
        // SAFETY: half of the slots are free, or more.
        unsafe value_table_insert(self.start, count, tag, start)
    }
}

extension ValueSlots {
    /// The results of a lookup.
    struct Answers: Sendable {
        /// By row, the number of what was found in its value; 0 where nothing is known of it.
        private(set) var numbers = [UInt32](repeating: 0, count: rowsAtOnce)
        // The rows whose value is not there.
        private var missed = [UInt32](repeating: 0, count: rowsAtOnce)
        private var missCount = 0

        /// The rows whose value is not there, in rising order.
        var misses: ArraySlice<UInt32> { missed[..<missCount] }

        @unsafe
        fileprivate mutating func read(
            _ fill: (UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?) -> (misses: Int, values: Int)
        ) -> Int {
            let counts = unsafe numbers.withUnsafeMutableBufferPointer { numbers in
                unsafe missed.withUnsafeMutableBufferPointer { unsafe fill(numbers.baseAddress, $0.baseAddress) }
            }
            missCount = counts.misses
            return counts.values
        }
    }
}

extension VectorInstructions {
    fileprivate var lookupCode: value_lookup_instructions {
        switch self {
        case .none: value_lookup_scalar
        // On ARM; x86-64 has no way of its own for 16 bytes at a time, and takes 8.
        case .sse2: value_lookup_neon
        case .avx2: value_lookup_avx2
        case .avx512: value_lookup_avx512
        }
    }
}
