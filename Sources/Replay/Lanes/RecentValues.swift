/// Values that were worked out just before, by their keys, where working one out costs more than looking for it. Of two keys in the
/// same slot, the later one stays.
struct RecentValues<Key: Mixed, Value> {
    private var slots: [(key: Key, value: Value)?] = []

    private static var binaryLogarithm: UInt64 { 12 }

    private static func slot(of key: Key) -> Int {
        Int(truncatingIfNeeded: (key.mixedBits &* 0x9E37_79B9_7F4A_7C15) >> (64 - binaryLogarithm))
    }

    /// The value of a key; `nil` where it is not known.
    subscript(key: Key) -> Value? {
        get {
            guard !slots.isEmpty, let slot = slots[Self.slot(of: key)], slot.key == key else { return nil }
            return slot.value
        }
        set {
            if slots.isEmpty { slots = Array(repeating: nil, count: 1 << Int(Self.binaryLogarithm)) }
            slots[Self.slot(of: key)] = newValue.map { (key, $0) }
        }
    }
}
