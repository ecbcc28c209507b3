/// A value of some devices, to which that of other devices can be added.
package protocol Addable: SendableMetatype {
    mutating func add(_ other: Self)
}

extension Addable {
    /// The sum of both.
    package func adding(_ other: Self) -> Self {
        var sum = self
        sum.add(other)
        return sum
    }
}

extension Addable where Self: Figure {
    package mutating func add(_ other: Self) { addFields(other) }

    /// Adds field by field.
    package mutating func addFields(_ other: Self) {
        for field in Self.fields { field.add(&self, other) }
    }
}

/// A value of one among many things that are counted apart.
package protocol Keyed {
    associatedtype Key: Hashable

    /// The thing that is counted.
    var key: Key { get }
}

/// A value that knows its first record. The sum of two is about the record that came first.
package protocol FirstSeen: Figure, Addable, Keyed {
    /// The number of the record.
    var index: Int { get }
}

extension FirstSeen {
    package mutating func add(_ other: Self) {
        let later = other.index < index ? self : other
        if other.index < index { self = other }
        addFields(later)
    }
}

extension Int: Addable {
    package mutating func add(_ other: Int) { self += other }
}

extension Optional: Addable where Wrapped: Addable {
    package mutating func add(_ other: Wrapped?) {
        guard let other else { return }
        if self?.add(other) == nil { self = other }
    }
}

extension Dictionary: Addable where Value: Addable {
    package mutating func add(_ other: [Key: Value]) {
        merge(other) { $0.adding($1) }
    }
}

// Things that the other array alone has come last.
extension Array: Addable where Element: Addable & Keyed {
    package mutating func add(_ other: [Element]) {
        var known: [Element.Key: Int] = [:]
        for (index, element) in enumerated() { known[element.key] = index }
        for element in other {
            if let index = known[element.key] { self[index].add(element) } else { append(element) }
        }
    }
}

extension ClosedRange: Addable {
    package mutating func add(_ other: ClosedRange) {
        self = Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
