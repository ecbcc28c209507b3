/// Gives 64-bit keys dense numbers, in order of first sight.
package struct NumberTable: Sendable {
    /// The keys by number.
    package private(set) var keys: [UInt64] = []
    // The number plus one; 0: free. Open addressing with linear probing.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// Makes an empty table.
    package init() {}

    /// The number of keys in the table.
    package var count: Int { keys.count }

    /// The number of a key, given one at first sight.
    ///
    /// - Complexity: O(1) amortised; allocates only as the table grows.
    package mutating func intern(_ key: UInt64) -> Int {
        let slot = slot(of: key)
        if slots[slot] != 0 { return Int(slots[slot]) - 1 }
        keys.append(key)
        slots[slot] = UInt32(keys.count)
        if keys.count * 2 > slots.count { grow() }
        return keys.count - 1
    }

    /// The number of a key that has one.
    ///
    /// - Complexity: O(1).
    package func number(of key: UInt64) -> Int? {
        let number = slots[slot(of: key)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Forgets all keys, and keeps the memory.
    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
    }

    // The slot of a key, or the free one that it would have.
    private func slot(of key: UInt64) -> Int {
        var slot = firstSlot(of: key)
        while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func firstSlot(of key: UInt64) -> Int {
        let product = (key ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return Int(truncatingIfNeeded: product.high ^ product.low) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (number, key) in keys.enumerated() {
            slots[slot(of: key)] = UInt32(number + 1)
        }
    }
}
