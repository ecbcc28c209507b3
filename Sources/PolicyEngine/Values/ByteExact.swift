/// A text that an account holds, or a list of them: equal where the bytes are, though others may look the same (R7.2).
///
/// Swift takes "é" in one character and "é" in two for equal, and the sign of Kelvin for a `K`. An app or a filter does
/// not, so that two accounts which differ in this are two. A type that declares its texts so is compared by bytes as a
/// whole, by the `==` that the compiler makes of its fields.
@propertyWrapper
public struct ByteExact<Value: ByteComparable>: Hashable, Sendable {
    /// The text.
    public var wrappedValue: Value

    /// Holds a text.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// True if both have the same bytes.
    public static func == (left: ByteExact, right: ByteExact) -> Bool {
        left.wrappedValue.hasSameBytes(as: right.wrappedValue)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

/// A value that ``ByteExact`` can hold.
public protocol ByteComparable: Sendable {
    /// True if both have the same bytes.
    func hasSameBytes(as other: Self) -> Bool
    /// Feeds the bytes to a hasher.
    func hashBytes(into hasher: inout Hasher)
}

extension String: ByteComparable {
    /// True if both have the same bytes.
    public func hasSameBytes(as other: String) -> Bool { ExactText(self) == ExactText(other) }

    /// Feeds the bytes to a hasher.
    public func hashBytes(into hasher: inout Hasher) { hasher.combine(ExactText(self)) }
}

extension Optional: ByteComparable where Wrapped: ByteComparable {
    /// True if both are there, with the same bytes, or neither is.
    public func hasSameBytes(as other: Wrapped?) -> Bool {
        switch (self, other) {
        case (let own?, let other?): own.hasSameBytes(as: other)
        case (nil, nil): true
        case (nil, _?), (_?, nil): false
        }
    }

    /// Feeds the bytes to a hasher.
    public func hashBytes(into hasher: inout Hasher) {
        guard let text = self else { return hasher.combine(false) }
        hasher.combine(true)
        text.hashBytes(into: &hasher)
    }
}

extension Array: ByteComparable where Element: ByteComparable {
    /// True if both have the same texts in the same order, by bytes.
    public func hasSameBytes(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
    }

    /// Feeds the bytes to a hasher.
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hashBytes(into: &hasher) }
    }
}
