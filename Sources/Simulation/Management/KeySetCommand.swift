package import PolicyEngine

/// A command of the topic `keyset` (manual, Managing Key Sets).
package enum KeySetCommand: Hashable, Sendable {
    /// `-add algorithm [-kid name] [-keyLength bits]`
    case add(TokenAlgorithm, id: String?, bits: Int?)
    /// `-list`
    case list
    /// `-remove -kid name`
    case remove(id: String)
    /// `-getPEM file -kid name`
    case getPEM(file: String, id: String)
    /// `-getJWKS file`
    case getJWKS(file: String)
    /// `-import file`
    case importKey(file: String)

    /// Whether it makes another account.
    var changesAccount: Bool {
        switch self {
        case .add, .remove, .importKey: true
        case .list, .getPEM, .getJWKS: false
        }
    }

    /// Whether it needs an admin role, as the manual says.
    var needsAdmin: Bool {
        switch self {
        case .remove, .getJWKS, .importKey: true
        case .add, .list, .getPEM: false
        }
    }
}
