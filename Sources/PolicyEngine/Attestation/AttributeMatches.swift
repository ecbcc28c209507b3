/// What the attributes of an attestation come to under one account, whatever its device did before.
///
/// It can be found out anywhere, at any time, and is then handed to the engine that knows the device.
package struct AttributeMatches: Hashable, Sendable {
    /// What the ordinary filters on attributes say (R7.2).
    let match: FilterMatch
    /// Whether the app's registration was removed (R15.2).
    let isRemoved: Bool

    /// Of attributes that nothing is found in.
    static let none = AttributeMatches(match: .none, isRemoved: false)
}
