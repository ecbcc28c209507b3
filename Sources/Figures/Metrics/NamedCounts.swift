package import Documents
package import PolicyEngine

/// Counts by name. Names that look alike and differ in their bytes, as values of attributes can, are different ones.
package struct NamedCounts: Addable, Hashable, Sendable {
    private var counts: [ExactText: Int] = [:]

    package init() {}

    /// The count of a name; `nil` where there is none.
    package subscript(name: String) -> Int? {
        get { counts[ExactText(name)] }
        set { counts[ExactText(name)] = newValue }
    }

    /// The count of a name, or another number where there is none.
    package subscript(name: String, default other: Int) -> Int {
        get { counts[ExactText(name), default: other] }
        set { counts[ExactText(name)] = newValue }
    }

    /// The names in the order of their bytes.
    package var keys: [String] { counts.keys.sorted().map(\.text) }

    /// Adds the counts of others.
    package mutating func add(_ other: NamedCounts) { counts.add(other.counts) }

    /// Those for which something holds.
    package func filter(_ isIncluded: (Element) -> Bool) -> NamedCounts {
        var rest = NamedCounts()
        rest.counts = counts.filter { isIncluded(($0.key.text, $0.value)) }
        return rest
    }
}

extension NamedCounts: Sequence {
    package typealias Element = (key: String, value: Int)

    /// Starts a walk in the order of the names' bytes, so that what is made of it is always the same.
    ///
    /// - Complexity: O(*n* log *n*).
    package func makeIterator() -> some IteratorProtocol<Element> {
        counts.sorted { $0.key < $1.key }.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
    }
}

extension NamedCounts: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Int)...) {
        for (name, count) in elements { self[name] = count }
    }
}

extension NamedCounts: FigureValue {
    package var partial: JSONValue { .array(map { .array([$0.key.partial, $0.value.partial]) }) }
    package init?(partial content: JSONContent) {
        guard let counts = [ExactText: Int](partial: content) else { return nil }
        self.init()
        self.counts = counts
    }
    package func reported(_ unit: ComparedUnit) -> JSONValue { .ordered(map { ($0.key, .integer($0.value)) }) }
    package static var reportedForm: JSONSchema { .map(of: .wholeNumber) }
}
