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

    private struct Key {
        /// The field, or `nil` for a key that nobody needs.
        let field: Int?
        /// Keys that mean the same share an identity, so that giving both counts as giving one twice.
        let identity: Int
        /// The latest record that gave it.
        var latestRecord = 0
        /// The latest record that gave it or another of its identity a value; kept at the identity.
        var latestValue = 0
        /// The key that came behind this one the last time; records of a capture mostly have one order.
        var successor = 0
    }

    /// Why a key cannot be taken.
    enum Refusal {
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
            keys.append(Key(field: field, identity: identity))
        }
        needed = (names, keys)
    }

    /// Starts another record.
    mutating func beginRecord() {
        record += 1
        count = 0
        if keys.count > CaptureLimits.keys { forget() }
    }

    /// Takes a key of the record.
    ///
    /// - Parameter hasValue: Whether it comes with a value; without one it leaves room for another key of its meaning.
    /// - Returns: Its field, `nil` for one that nobody needs; or why it is refused.
    mutating func take(
        _ bytes: Span<UInt8>, range: Range<Int>, hasValue: Bool = true
    ) -> (field: Int?, refusal: Refusal?) {
        guard count < CaptureLimits.keys else { return (nil, .tooMany) }
        let place = place(of: bytes, range: range)
        if place == keys.count { keys.append(Key(field: nil, identity: place)) }
        keys[previous].successor = place
        previous = place
        guard keys[place].latestRecord != record else { return (nil, .duplicate) }
        keys[place].latestRecord = record
        count += 1
        guard hasValue else { return (keys[place].field, nil) }
        let identity = keys[place].identity
        guard keys[identity].latestValue != record else { return (nil, .duplicate) }
        keys[identity].latestValue = record
        return (keys[place].field, nil)
    }

    private mutating func place(of bytes: Span<UInt8>, range: Range<Int>) -> Int {
        let guess = keys[previous].successor
        if names.isValue(guess, bytes, range: range) { return guess }
        return names.intern(bytes, range: range).offset
    }

    private mutating func forget() {
        (names, keys) = needed
        previous = 0
    }
}
