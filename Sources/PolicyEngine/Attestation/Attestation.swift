/// One device asking for a token: what was observed of it, by the numbers of a ``SymbolTable``.
///
/// A stream reuses one value for all its attestations, so that none allocates.
public struct Attestation: Sendable {
    /// When.
    public var time: Instant
    /// The device that attests.
    public var device: DeviceIndex
    /// The flags that came with the device or the capture (R2.4).
    public var flags: FlagSet
    // By attribute index; attributes behind the end are absent.
    private var values: [ValueNumber]

    /// Makes an attestation without attributes.
    public init(time: Instant, device: DeviceIndex, flags: FlagSet = .empty) {
        self.time = time
        self.device = device
        self.flags = flags
        values = []
    }

    /// The value of an attribute, or ``ValueNumber/absent``.
    package func value(of key: AttributeKey) -> ValueNumber {
        key.index < values.count ? values[key.index] : .absent
    }

    /// Sets the value of an attribute.
    public mutating func set(_ value: ValueNumber, for key: AttributeKey) {
        while values.count <= key.index { values.append(.absent) }
        values[key.index] = value
    }

    /// Removes every attribute; keeps the memory.
    public mutating func removeAttributes() {
        for index in values.indices { values[index] = .absent }
    }
}

/// The source of the attestations that an engine evaluates (R10, last part).
package enum AttestationSource: Hashable, Sendable {
    /// From a capture: the flags are what the service saw.
    case capture
    /// From simulated devices: what a service finds out about them is derived (R10, step 4).
    case simulation
}
