/// One device asking for a token: what was observed of it, by the numbers of a ``SymbolTable``.
///
/// A stream reuses one value for all its attestations, so that none allocates.
public struct Attestation: Sendable {
    /// When.
    public var time: Instant
    /// Who.
    public var device: DeviceIndex
    /// The flags that came with the device or the capture (R2.4).
    public var flags: FlagSet
    // By attribute place; attributes behind the end are absent.
    private var values: [ValueNumber]

    /// Makes an attestation without attributes.
    public init(time: Instant, device: DeviceIndex, flags: FlagSet = .empty) {
        self.time = time
        self.device = device
        self.flags = flags
        values = []
    }

    /// The value of an attribute, or ``ValueNumber/absent``.
    public func value(of key: AttributeKey) -> ValueNumber {
        key.place < values.count ? values[key.place] : .absent
    }

    /// Sets the value of an attribute.
    public mutating func set(_ value: ValueNumber, for key: AttributeKey) {
        while values.count <= key.place { values.append(.absent) }
        values[key.place] = value
    }

    /// Removes every attribute; keeps the memory.
    public mutating func removeAttributes() {
        for place in values.indices { values[place] = .absent }
    }
}
