/// Bytes that nobody is to see: they are compared in constant time, and printing or dumping them shows nothing.
public struct Secret: Sendable {
    /// The bytes, for code that has to use them.
    public let bytes: [UInt8]

    /// Takes bytes over.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension Secret: Hashable {
    /// True if both have the same bytes; takes the same time wherever they differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        Cryptography.areEqual(left.bytes, right.bytes)
    }

    /// Feeds the bytes to a hasher, whose seed nobody knows.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That there is a secret, and not which one.
    public var description: String { "(secret)" }
    /// That there is a secret, and not which one.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
