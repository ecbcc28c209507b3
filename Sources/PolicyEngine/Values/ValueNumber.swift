/// A distinct value of one attribute by its number in an ``AttributeTable``.
public struct ValueNumber: Hashable, Sendable {
    let number: UInt32

    /// The attribute is not there.
    public static let absent = ValueNumber(number: 0)
    /// A value that is not kept: the latest that was interned for its attribute.
    package static let passing = ValueNumber(number: .max)

    /// A value that is none of those that matter (``AttributeTable/narrow(_:to:)``).
    static let other = ValueNumber(number: .max - 1)

    init(number: UInt32) {
        self.number = number
    }

    /// The number as an array index; kept values start at 0.
    public var offset: Int { Int(number) - 1 }
}

extension ValueNumber {
    /// The kept value at an array index.
    package init(offset: Int) {
        self.init(number: UInt32(offset + 1))
    }
}
