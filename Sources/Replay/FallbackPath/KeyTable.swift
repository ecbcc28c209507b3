internal import PolicyEngine

/// The keys of a capture: which field each one stands for, and whether a record gave it twice.
///
/// A record may have ``CaptureLimits/keys`` different ones. Those that nobody needs are known for a while, which makes
/// them cheap, and forgotten once there are many: whatever a record holds, the ones behind it are read as before.
struct KeyTable {
    private var names: Interner
    // By number of the name, counted from 0.
    private var keys: [Key] = []
    private var record = 0
    // The different keys of the record so far.
    private var count = 0
    // The key that was taken before, whose successor in earlier records is tried first.
    private var previous = 0
    // The names and keys that are never forgotten.
    private let needed: (names: Interner, keys: [Key])
    private let neededNames: [String]
    private let likeness: KeyLikeness
    private let listsOthers: Bool
    /// The keys that nobody needs and some record gave, where they are listed; one may be there twice.
    private(set) var others: [String] = []
    // The keys that look like others, by the number that stands for them in place of a field.
    private var lookAlikes: [CaptureMistake.Kind] = []
    /// The number of orders of keys that are remembered.
    private static let orderLimit = 64

    // The keys of the record so far, in their order, and those that were asked about before.
    private var order: [Int] = []
    private var knownOrders: Set<[Int]> = []

    private struct Key {
        /// The bytes by which the name is recognised quickly.
        let pattern: ShortKey
        /// The field, or -1 for a key that nobody needs; less for one that looks like another.
        let field: Int32
        /// Keys that mean the same share an identity, so that giving both counts as giving one twice.
        let identity: Int32
        /// The key that came behind this one the last time; records of a capture mostly have one order.
        var successor: Int32 = 0
        /// The latest record that gave it.
        var latestRecord = 0
        /// The latest record that gave it or another of its identity a value; kept at the identity.
        var latestValue = 0
    }

    /// The result of taking a key.
    enum Taken {
        /// It goes to a field; -1 for a key that nobody needs, and less for one that looks like another.
        case field(Int)
        case duplicate, tooMany
    }

    /// - Parameters:
    ///   - fields: The keys that somebody needs.
    ///   - listsOthers: True if the others are listed.
    init(_ fields: [(name: String, field: Int)], listsOthers: Bool = false) {
        self.listsOthers = listsOthers
        // Bounded by this type itself.
        names = Interner(capacity: .max)
        var identities: [Int: Int] = [:]
        for (name, field) in fields {
            let bytes = Array(name.utf8)
            _ = names.intern(bytes.span, range: 0..<bytes.count)
            let identity = identities[field] ?? keys.count
            identities[field] = identity
            keys.append(
                Key(
                    pattern: ShortKey(bytes.span, range: 0..<bytes.count), field: Int32(field),
                    identity: Int32(identity)))
        }
        needed = (names, keys)
        neededNames = fields.map(\.name)
        likeness = KeyLikeness(neededNames)
    }

    /// The keys that somebody needs and some record gave a value.
    var seenNames: [String] {
        zip(neededNames, keys).filter { keys[Int($0.1.identity)].latestValue > 0 }.map(\.0)
    }

    /// The mistake in a key that looks like another.
    ///
    /// - Parameter field: What it was taken for, below -1.
    func mistake(_ field: Int) -> CaptureMistake.Kind { lookAlikes[-2 - field] }

    /// The keys of the record so far that have a value, in their order, as ``RecordWalk`` takes them.
    ///
    /// - Parameter separator: What is between a key and its value.
    /// - Returns: None where one of them looks like another, or is long; `nil` where they were asked about before.
    mutating func order(separator: String) -> [KeyTemplate.Key]? {
        guard !knownOrders.contains(order) else { return nil }
        if knownOrders.count >= Self.orderLimit { knownOrders.removeAll() }
        knownOrders.insert(order)
        var found: [KeyTemplate.Key] = []
        for index in order {
            let pattern = names.bytes(ofValueAt: index) + Array(separator.utf8)
            guard keys[index].field >= -1, pattern.count <= KeyPattern.limit else { return [] }
            found.append(
                KeyTemplate.Key(
                    pattern: KeyPattern(pattern), field: Int(keys[index].field),
                    identity: Int(keys[index].identity)))
        }
        return found
    }

    /// Starts another record.
    mutating func beginRecord() {
        record += 1
        count = 0
        order.removeAll(keepingCapacity: true)
        if keys.count > CaptureLimits.keys { forget() }
    }

    /// The length of the key at an offset, if it is the one that came behind the key before the last time.
    func expectedLength(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let expected = keys[Int(keys[previous].successor)].pattern
        return expected.stands(in: bytes, at: offset) ? expected.count : nil
    }

    /// Takes the key that is expected, which was found.
    mutating func noteExpected() -> Taken {
        let (index, record) = (Int(keys[previous].successor), record)
        guard count < CaptureLimits.keys else { return .tooMany }
        previous = index
        count += 1
        order.append(index)
        return Self.note(index, record: record, hasValue: true, among: &keys)
    }

    /// Takes a key of the record.
    ///
    /// - Parameter hasValue: Whether it comes with a value; without one it leaves room for another key of its meaning.
    mutating func note(_ bytes: Span<UInt8>, range: Range<Int>, hasValue: Bool = true) -> Taken {
        guard count < CaptureLimits.keys else { return .tooMany }
        let index = index(of: bytes, range: range)
        previous = index
        count += 1
        // A key that says nothing counts as left out, so that whoever knows the order knows that each was seen.
        if hasValue { order.append(index) }
        return Self.note(index, record: record, hasValue: hasValue, among: &keys)
    }

    private static func note(_ index: Int, record: Int, hasValue: Bool, among keys: inout [Key]) -> Taken {
        var keys = keys.mutableSpan
        guard keys[index].latestRecord != record else { return .duplicate }
        keys[index].latestRecord = record
        guard hasValue else { return .field(Int(keys[index].field)) }
        let identity = Int(keys[index].identity)
        guard keys[identity].latestValue != record else { return .duplicate }
        keys[identity].latestValue = record
        return .field(Int(keys[index].field))
    }

    private mutating func index(of bytes: Span<UInt8>, range: Range<Int>) -> Int {
        let guess = Int(keys[previous].successor)
        if keys[guess].pattern.count == range.count, keys[guess].pattern.stands(in: bytes, at: range.lowerBound) {
            return guess
        }
        let index = names.intern(bytes, range: range).offset
        if index == keys.count {
            keys.append(
                Key(
                    pattern: ShortKey(bytes, range: range), field: field(ofNew: bytes, range: range),
                    identity: Int32(index)))
        }
        keys[previous].successor = Int32(index)
        return index
    }

    // At first sight only, so that records pay nothing for it.
    private mutating func field(ofNew bytes: Span<UInt8>, range: Range<Int>) -> Int32 {
        let name = bytes.text(range)
        // One that is not UTF-8 makes its record malformed.
        if listsOthers, name.utf8.span.hasSameBytes(as: bytes.extracting(range)) { others.append(name) }
        guard let meant = likeness.key(lookingLike: name) else { return -1 }
        lookAlikes.append(.key(ExactText(name), meant: meant))
        return Int32(-1 - lookAlikes.count)
    }

    private mutating func forget() {
        let latestValues = keys.prefix(needed.keys.count).map(\.latestValue)
        (names, keys) = needed
        for (index, value) in latestValues.enumerated() { keys[index].latestValue = value }
        lookAlikes.removeAll()
        previous = 0
        knownOrders.removeAll()
    }
}

/// The bytes of a short key as two words, so that looking for it takes two comparisons.
private struct ShortKey {
    /// The length of the key; 0 for one that is too long for this, and is never found.
    let count: Int
    private let head: UInt64
    private let tail: UInt64
    // Of the head, where the key is shorter than a word.
    private let mask: UInt64

    private static let wordBytes = 8

    /// - Parameters:
    ///   - bytes: The memory of the key.
    ///   - range: The whole key.
    init(_ bytes: Span<UInt8>, range: Range<Int>) {
        guard !range.isEmpty, range.count <= 2 * Self.wordBytes else {
            (count, head, tail, mask) = (0, 1, 0, 0)
            return
        }
        var (head, tail) = (UInt64(0), UInt64(0))
        for (index, offset) in range.prefix(Self.wordBytes).enumerated() {
            head |= UInt64(bytes[offset]) << UInt64(8 * index)
        }
        for (index, offset) in range.suffix(Self.wordBytes).enumerated() {
            tail |= UInt64(bytes[offset]) << UInt64(8 * index)
        }
        count = range.count
        self.head = head
        self.tail = tail
        mask = range.count >= Self.wordBytes ? .max : 1 << UInt64(8 * range.count) - 1
    }

    /// True if the key is at an offset; never where fewer than two words are left.
    @inline(__always)
    func stands(in bytes: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + 2 * Self.wordBytes <= bytes.count, bytes.word(at: offset) & mask == head else { return false }
        return mask != .max || bytes.word(at: offset + count - Self.wordBytes) == tail
    }
}
