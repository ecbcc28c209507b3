package import PolicyEngine

/// The attributes that the filters of compared accounts look at, and which of them an attestation has.
package struct AttributePresences: Sendable {
    /// Their names, in the order of the filters.
    package let names: [String]
    private let keys: [AttributeKey]

    /// Which of the attributes are there, a bit for each.
    package typealias Mask = UInt64

    /// - Parameters:
    ///   - accounts: The accounts; they have fewer filters together than a mask has bits.
    ///   - attributes: Takes the attributes that are looked at.
    package init(_ accounts: [Account], attributes: inout AttributeTable) {
        names = Self.names(accounts)
        keys = names.map { attributes.key(named: $0) }
        precondition(keys.count <= Mask.bitWidth, "two accounts of at most 25 filters look at no more attributes")
    }

    /// The names of the attributes; flags and the device's ID are always there.
    static func names(_ accounts: [Account]) -> [String] {
        var names: [ExactText] = []
        for key in accounts.flatMap(\.filters).compactMap(\.key).map({ ExactText($0) })
        where !names.contains(key) && !["flags-all", "public-flags", "device-id"].contains(key.text) {
            names.append(key)
        }
        return names.map(\.text)
    }

    /// The attributes that an attestation has.
    package func mask(of attestation: borrowing Attestation) -> Mask {
        var mask: Mask = 0
        for index in keys.indices where attestation.value(of: keys[index]) != .absent { mask |= 1 << Mask(index) }
        return mask
    }
}
