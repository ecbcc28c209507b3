/// An attribute by its place in an ``AttributeTable``.
public struct AttributeKey: Hashable, Sendable {
    /// Counted from 0, in the order in which the keys were first asked for.
    public let place: Int
}
