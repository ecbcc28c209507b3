/// Numbers for keys, from 0 on in the order of first sight.
///
/// Text of captures, which comes as bytes, is numbered by ``Interner``.
package struct Numbering<Key: Hashable & Sendable>: Sendable {
    /// The keys by number.
    @usableFromInline package private(set) var keys: [Key]
    @usableFromInline var numbers: [Key: Int]

    /// - Parameter keys: The keys that have numbers from the start, each once.
    @inlinable
    package init(_ keys: [Key] = []) {
        self.keys = keys
        numbers = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    }

    /// The number of keys that have a number.
    @inlinable package var count: Int { keys.count }

    /// A key by its number.
    @inlinable
    package subscript(number: Int) -> Key { keys[number] }

    /// The number of a key that has one; otherwise `nil`.
    @inlinable
    package func known(_ key: Key) -> Int? { numbers[key] }

    /// The number of a key, given one at first sight: ``count`` is larger then.
    ///
    /// - Complexity: O(1) amortised.
    @inlinable
    package mutating func number(of key: Key) -> Int {
        if let known = numbers[key] { return known }
        numbers[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// Forgets all keys, and keeps the memory.
    @inlinable
    package mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }
}
