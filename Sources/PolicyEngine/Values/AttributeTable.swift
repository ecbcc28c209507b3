/// The attributes that matter and their distinct values, each by a number.
///
/// Only keys that somebody asked for have an index, so what no filter and no report needs costs nothing.
public struct AttributeTable: Sendable {
    private var names = Numbering<ExactText>()
    private var columns: [Interner] = []
    private let capacity: Int

    /// Makes a table without keys.
    ///
    /// - Parameter capacity: How many distinct values of a key are kept; further ones are transient, valid until the
    ///   next value of that key is interned or the account changes. Keeps memory bounded for captures of any length.
    package init(capacity: Int = .max) {
        self.capacity = capacity
    }

    /// The number of keys that have an index.
    package var keyCount: Int { columns.count }

    /// The index of a key, given one when it is asked for the first time.
    ///
    /// - Parameters:
    ///   - name: The key as captures write it.
    ///   - keepingAll: Whether every distinct value must be kept, whatever the table's capacity.
    public mutating func key(named name: String, keepingAll: Bool = false) -> AttributeKey {
        let index = names.number(of: ExactText(name))
        if index == columns.count { columns.append(Interner(capacity: capacity)) }
        if keepingAll {
            columns[index].capacity = .max
            columns[index].widen()
        }
        return AttributeKey(index: index)
    }

    /// Says that only some values of a key matter, so that the others need be neither kept nor looked up; without
    /// effect where others matter to somebody else, or where all values are kept.
    mutating func narrow(_ key: AttributeKey, to values: [[UInt8]]) {
        columns[key.index].narrow(to: values)
    }

    /// Says that every value of a key matters.
    package mutating func widen(_ key: AttributeKey) { columns[key.index].widen() }

    /// The index of a key that was asked for.
    package func existingKey(named name: String) -> AttributeKey? {
        names.known(ExactText(name)).map(AttributeKey.init(index:))
    }

    /// The keys and their indices.
    package var keys: [(name: String, key: AttributeKey)] {
        names.keys.enumerated().map { ($1.text, AttributeKey(index: $0)) }
    }

    /// The number of a value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold the value.
    ///   - range: The whole value.
    ///   - key: Its attribute.
    /// - Complexity: O(length); allocates only for a value that is kept for the first time.
    package mutating func intern(_ bytes: Span<UInt8>, range: Range<Int>, for key: AttributeKey) -> ValueNumber {
        columns[key.index].intern(bytes, range: range)
    }

    /// The number of a text value.
    public mutating func intern(_ text: String, for key: AttributeKey) -> ValueNumber {
        let bytes = text.utf8.span
        return intern(bytes, range: 0..<bytes.count, for: key)
    }

    /// Hands over the bytes of a value; an absent one has none.
    func withBytes(of value: ValueNumber, for key: AttributeKey, _ body: (Span<UInt8>) -> Void) {
        let (bytes, range) = columns[key.index].index(of: value)
        let span = bytes.span
        body(span.extracting(range))
    }

    /// A value as text, for reports.
    package func text(of value: ValueNumber, for key: AttributeKey) -> String {
        columns[key.index].text(of: value)
    }
}

/// An attribute by its index in an ``AttributeTable``.
public struct AttributeKey: Hashable, Sendable {
    /// Counted from 0, in the order in which the keys were first asked for.
    package let index: Int
}
