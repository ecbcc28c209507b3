internal import PolicyEngine

/// The keys of a capture: which field each one stands for, and whether a record gave it twice.
///
/// A record may have ``CaptureLimits/keys`` different ones. Those that nobody needs are known for a while, which makes
/// them cheap, and forgotten once there are many: whatever a record holds, the ones behind it are read as before.
struct KeyTable {
    private var names: ValueTable
    // By number of the name, counted from 0.
    private var keys: [Key] = []
    private var record = 0
    // The different keys of the record so far.
    private var count = 0
    // The key that was taken before, whose successor in earlier records is tried first.
    private var previous = 0
    // The names and keys that are never forgotten.
    private let needed: (names: ValueTable, keys: [Key])
    private let neededNames: [String]
    private let likeness: KeyLikeness
    // The keys that look like others, by the number that stands for them in place of a field.
    private var lookAlikes: [CaptureSlip.Kind] = []

    private struct Key {
        /// How the name is recognised quickly.
        let pattern: KeyPattern
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

    /// What became of a key.
    enum Taken {
        /// It goes to a field; -1 for a key that nobody needs, and less for one that looks like another.
        case field(Int)
        case duplicate, tooMany
    }

    /// - Parameter fields: The keys that somebody needs.
    init(_ fields: [(name: String, field: Int)]) {
        // Bounded by this type itself.
        names = ValueTable(capacity: .max)
        var identities: [Int: Int] = [:]
        for (name, field) in fields {
            let bytes = Array(name.utf8)
            _ = names.intern(bytes.span, range: 0..<bytes.count)
            let identity = identities[field] ?? keys.count
            identities[field] = identity
            keys.append(
                Key(
                    pattern: KeyPattern(bytes.span, range: 0..<bytes.count), field: Int32(field),
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

    /// What a key is that looks like another.
    ///
    /// - Parameter field: What it was taken for, below -1.
    func slip(_ field: Int) -> CaptureSlip.Kind { lookAlikes[-2 - field] }

    /// Starts another record.
    mutating func beginRecord() {
        record += 1
        count = 0
        if keys.count > CaptureLimits.keys { forget() }
    }

    /// The length of the key that stands at an offset, if it is the one that came behind the key before the last time.
    func expectedLength(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let expected = keys[Int(keys[previous].successor)].pattern
        return expected.stands(in: bytes, at: offset) ? expected.count : nil
    }

    /// Takes the key that is expected, which was found.
    mutating func takeExpected() -> Taken {
        let (place, record) = (Int(keys[previous].successor), record)
        guard count < CaptureLimits.keys else { return .tooMany }
        previous = place
        count += 1
        return Self.take(place, record: record, hasValue: true, among: &keys)
    }

    /// Takes a key of the record.
    ///
    /// - Parameter hasValue: Whether it comes with a value; without one it leaves room for another key of its meaning.
    mutating func take(_ bytes: Span<UInt8>, range: Range<Int>, hasValue: Bool = true) -> Taken {
        guard count < CaptureLimits.keys else { return .tooMany }
        let place = place(of: bytes, range: range)
        previous = place
        count += 1
        return Self.take(place, record: record, hasValue: hasValue, among: &keys)
    }

    private static func take(_ place: Int, record: Int, hasValue: Bool, among keys: inout [Key]) -> Taken {
        var keys = keys.mutableSpan
        guard keys[place].latestRecord != record else { return .duplicate }
        keys[place].latestRecord = record
        guard hasValue else { return .field(Int(keys[place].field)) }
        let identity = Int(keys[place].identity)
        guard keys[identity].latestValue != record else { return .duplicate }
        keys[identity].latestValue = record
        return .field(Int(keys[place].field))
    }

    private mutating func place(of bytes: Span<UInt8>, range: Range<Int>) -> Int {
        let guess = Int(keys[previous].successor)
        if keys[guess].pattern.count == range.count, keys[guess].pattern.stands(in: bytes, at: range.lowerBound) {
            return guess
        }
        let place = names.intern(bytes, range: range).offset
        if place == keys.count {
            keys.append(
                Key(
                    pattern: KeyPattern(bytes, range: range), field: field(ofNew: bytes, range: range),
                    identity: Int32(place)))
        }
        keys[previous].successor = Int32(place)
        return place
    }

    // At first sight only, so that records pay nothing for it.
    private mutating func field(ofNew bytes: Span<UInt8>, range: Range<Int>) -> Int32 {
        let name = RecordFields.text(range, in: bytes)
        guard let meant = likeness.key(lookingLike: name) else { return -1 }
        lookAlikes.append(.key(ExactText(name), meant: meant))
        return Int32(-1 - lookAlikes.count)
    }

    private mutating func forget() {
        let latestValues = keys.prefix(needed.keys.count).map(\.latestValue)
        (names, keys) = needed
        for (place, value) in latestValues.enumerated() { keys[place].latestValue = value }
        lookAlikes.removeAll()
        previous = 0
    }
}
