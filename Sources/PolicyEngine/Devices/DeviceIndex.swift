/// A device by its dense number in a ``DeviceTable``: the order of first sight.
public struct DeviceIndex: Hashable, Comparable, Sendable {
    /// Counted from 0.
    public let number: UInt32

    @inlinable
    init(number: UInt32) {
        self.number = number
    }

    /// The device at an array index.
    @inlinable
    package init(offset: Int) {
        self.init(number: UInt32(offset))
    }

    /// The number as an array index.
    @inlinable public var offset: Int { Int(number) }

    /// Whether the left device was seen first.
    public static func < (left: DeviceIndex, right: DeviceIndex) -> Bool { left.number < right.number }
}
