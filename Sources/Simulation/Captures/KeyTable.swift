internal import PolicyEngine

/// The keys of a capture: which field each one stands for, and whether a record gave it twice.
struct KeyTable {
    private var names: ValueTable
    // By number of the name, counted from 0.
    private var keys: [Key] = []
    private var record = 0
    // The key that was taken before, whose successor in earlier records is tried first.
    private var previous = 0

    private struct Key {
        /// The field, or `nil` for a key that nobody needs.
        let field: Int?
        /// Keys that mean the same share an identity, so that giving both counts as giving one twice.
        let identity: Int
        /// The latest record that gave it; kept at its identity.
        var latestRecord = 0
        /// The key that came behind this one the last time; records of a capture mostly have one order.
        var successor = 0
    }

    /// Why a key cannot be taken.
    enum Refusal {
        case duplicate, tooMany
    }

    /// - Parameter fields: The keys that somebody needs.
    init(_ fields: [(name: String, field: Int)]) {
        names = ValueTable(capacity: CaptureLimits.keys)
        var identities: [Int: Int] = [:]
        for (name, field) in fields {
            let bytes = Array(name.utf8)
            _ = names.intern(bytes.span, range: 0..<bytes.count)
            let identity = identities[field] ?? keys.count
            identities[field] = identity
            keys.append(Key(field: field, identity: identity))
        }
    }

    /// Starts another record.
    mutating func beginRecord() { record += 1 }

    /// Takes a key of the record.
    ///
    /// - Returns: Its field, `nil` for one that nobody needs; or why it is refused.
    mutating func take(_ bytes: Span<UInt8>, range: Range<Int>) -> (field: Int?, refusal: Refusal?) {
        let place = place(of: bytes, range: range)
        guard place < CaptureLimits.keys else { return (nil, .tooMany) }
        if place == keys.count { keys.append(Key(field: nil, identity: place)) }
        keys[previous].successor = place
        previous = place
        let identity = keys[place].identity
        guard keys[identity].latestRecord != record else { return (nil, .duplicate) }
        keys[identity].latestRecord = record
        return (keys[place].field, nil)
    }

    private mutating func place(of bytes: Span<UInt8>, range: Range<Int>) -> Int {
        let guess = keys[previous].successor
        if names.isValue(guess, bytes, range: range) { return guess }
        return names.intern(bytes, range: range).offset
    }
}
