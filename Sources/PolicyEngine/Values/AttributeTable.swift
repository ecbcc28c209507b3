/// The attributes that matter and their distinct values, each by a number.
///
/// Only keys that somebody asked for have a place, so what no filter and no report needs costs nothing.
public struct AttributeTable: Sendable {
    private var places: [ExactText: Int] = [:]
    private var columns: [ValueTable] = []
    private let capacity: Int

    /// Makes a table without keys.
    ///
    /// - Parameter capacity: How many distinct values of a key are kept; further ones are passing, valid until the
    ///   next value of that key is interned or the account changes. Keeps memory bounded for captures of any length.
    public init(capacity: Int = .max) {
        self.capacity = capacity
    }

    /// How many keys have a place.
    public var keyCount: Int { columns.count }

    /// The place of a key, given one when it is asked for the first time.
    ///
    /// - Parameters:
    ///   - name: The key as captures write it.
    ///   - keepingAll: Whether every distinct value must be kept, whatever the table's capacity.
    public mutating func key(named name: String, keepingAll: Bool = false) -> AttributeKey {
        let place = places[ExactText(name)] ?? columns.count
        if place == columns.count {
            places[ExactText(name)] = place
            columns.append(ValueTable(capacity: capacity))
        }
        if keepingAll {
            columns[place].capacity = .max
            columns[place].widen()
        }
        return AttributeKey(place: place)
    }

    /// Says that only some values of a key matter, so that the others need be neither kept nor looked up; without
    /// effect where others matter to somebody else, or where all values are kept.
    mutating func narrow(_ key: AttributeKey, to values: [[UInt8]]) {
        columns[key.place].narrow(to: values)
    }

    /// Says that every value of a key matters.
    package mutating func widen(_ key: AttributeKey) { columns[key.place].widen() }

    /// The place of a key that was asked for.
    public func existingKey(named name: String) -> AttributeKey? {
        places[ExactText(name)].map(AttributeKey.init(place:))
    }

    /// The keys and their places.
    public var keys: [(name: String, key: AttributeKey)] {
        places.map { ($0.key.text, AttributeKey(place: $0.value)) }.sorted { $0.1.place < $1.1.place }
    }

    /// The number of a value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold the value.
    ///   - range: The whole value.
    ///   - key: Its attribute.
    /// - Complexity: O(length); allocates only for a value that is kept for the first time.
    public mutating func intern(_ bytes: Span<UInt8>, range: Range<Int>, for key: AttributeKey) -> ValueNumber {
        columns[key.place].intern(bytes, range: range)
    }

    /// The numbers of a column of values; one that is not kept is ``ValueNumber/passing``, and stands in the rows.
    ///
    /// - Parameters:
    ///   - rows: The values.
    ///   - column: Which of them.
    ///   - key: Their attribute.
    ///   - numbers: Takes the numbers, in the order of the rows.
    package mutating func intern(
        _ rows: borrowing ValueRows, column: Int, for key: AttributeKey, into numbers: inout [ValueNumber]
    ) {
        columns[key.place].intern(rows, column: column, into: &numbers)
    }

    /// The number of a text value.
    public mutating func intern(_ text: String, for key: AttributeKey) -> ValueNumber {
        let bytes = text.utf8.span
        return intern(bytes, range: 0..<bytes.count, for: key)
    }

    /// Hands over the bytes of a value; an absent one has none.
    func withBytes(of value: ValueNumber, for key: AttributeKey, _ body: (Span<UInt8>) -> Void) {
        let (bytes, range) = columns[key.place].place(of: value)
        let span = bytes.span
        body(span.extracting(range))
    }

    /// A value as text, for reports.
    public func text(of value: ValueNumber, for key: AttributeKey) -> String {
        columns[key.place].text(of: value)
    }
}
