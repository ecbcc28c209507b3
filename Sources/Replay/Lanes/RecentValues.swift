/// Values that were worked out just before, by their keys, where working one out costs more than looking for it. Of two keys in the
/// same slot, the later one stays.
struct RecentValues<Key: Mixed, Value> {
    // Apart, since most looks need the key alone.
    private var keys: [Key?] = []
    private var values: [Value?] = []

    private static var binaryLogarithm: UInt64 { 12 }

    private static func slot(of key: Key) -> Int {
        Int(truncatingIfNeeded: (key.mixedBits &* 0x9E37_79B9_7F4A_7C15) >> (64 - binaryLogarithm))
    }

    /// The value of a key; `nil` where it is not known.
    subscript(key: Key) -> Value? {
        get {
            guard !keys.isEmpty else { return nil }
            let slot = Self.slot(of: key)
            return keys[slot] == key ? values[slot] : nil
        }
        set {
            if keys.isEmpty {
                keys = Array(repeating: nil, count: 1 << Int(Self.binaryLogarithm))
                values = Array(repeating: nil, count: keys.count)
            }
            let slot = Self.slot(of: key)
            (keys[slot], values[slot]) = (key, newValue)
        }
    }
}
