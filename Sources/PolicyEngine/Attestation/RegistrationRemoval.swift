/// Finds the attestations of a capture whose app's registration was removed since: they count as not registered, unless another
/// registration stands for the app too (R15.2). The observed flags show already if the app's certificate is unknown.
package struct RegistrationRemoval: Sendable {
    /// The attributes that decide.
    package let keys: [String]
    private let removed: RegistrationProgram
    private let left: RegistrationProgram
    private var attributes: AttributeTable
    private var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))

    /// - Returns: `nil` where the account removed nothing.
    package init?(_ account: Account) {
        guard !account.removedRegistrations.isEmpty else { return nil }
        var attributes = AttributeTable()
        removed = RegistrationProgram(account.removedRegistrations, attributes: &attributes)
        left = RegistrationProgram(account.registrations ?? [], attributes: &attributes)
        keys = attributes.keys.map(\.name)
        self.attributes = attributes
    }

    /// Starts an attestation without attributes.
    package mutating func begin(at time: Instant) {
        attestation.removeAttributes()
        attestation.time = time
    }

    /// Takes an attribute of the attestation.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package mutating func add(_ value: Span<UInt8>, at index: Int) {
        let key = AttributeKey(index: index)
        attestation.set(attributes.intern(value, range: 0..<value.count, for: key), for: key)
    }

    /// True if the registration of the attestation's app was removed, and no other one stands for it.
    package var isRemoved: Bool {
        removed.match(attestation, on: nil) != .none && left.match(attestation, on: nil) == .none
    }
}
