/// Numbers for keys, from 0 on in the order of first sight.
///
/// Text of captures, which comes as bytes, is numbered by ``Interner``.
// Without the attribute of the type, no other module would have these functions made for its keys.
@usableFromInline
package struct Numbering<Key: Hashable & Sendable>: Sendable {
    /// The keys by number.
    @usableFromInline package private(set) var keys: [Key] = []
    // The number plus one; 0: free. Open addressing with linear probing, of which at most half is taken.
    @usableFromInline var slots: [UInt32] = Array(repeating: 0, count: 16)

    /// - Parameter keys: The keys that have numbers from the start.
    @inlinable
    package init(_ keys: [Key] = []) {
        for key in keys { _ = number(of: key) }
    }

    /// The number of keys that have a number.
    @inlinable package var count: Int { keys.count }

    /// A key by its number.
    @inlinable
    package subscript(number: Int) -> Key { keys[number] }

    /// The number of a key that has one; otherwise `nil`.
    ///
    /// - Complexity: O(1).
    @inlinable
    package func known(_ key: Key) -> Int? {
        let number = slots[slot(of: key)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// The number of a key, given one at first sight: ``count`` is larger then.
    ///
    /// - Complexity: O(1) amortised; allocates only as the numbers grow.
    @inlinable
    package mutating func number(of key: Key) -> Int {
        let slot = slot(of: key)
        if slots[slot] != 0 { return Int(slots[slot]) - 1 }
        keys.append(key)
        slots[slot] = UInt32(keys.count)
        if keys.count * 2 > slots.count { grow() }
        return keys.count - 1
    }

    /// Forgets all keys, and keeps the memory.
    @inlinable
    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
    }

    // The slot of a key, or the free one that it would have.
    @inlinable
    func slot(of key: Key) -> Int {
        let mask = slots.count - 1
        var slot = Self.hash(key) & mask
        while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
        return slot
    }

    // Numbers come by the record, so they are mixed in a few instructions; the type is known where this is compiled.
    @inlinable
    static func hash(_ key: Key) -> Int {
        guard let number = key as? UInt64 else { return key.hashValue }
        let product = (number ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }

    @inlinable
    mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (number, key) in keys.enumerated() {
            slots[slot(of: key)] = UInt32(number + 1)
        }
    }
}
