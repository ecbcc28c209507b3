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
    /// `-import file`; PEM does not say what it is called and for, so `-kid name -alg algorithm` do
    case importKeys(file: String, id: String?, TokenAlgorithm?)

    /// Whether it makes another account.
    var changesAccount: Bool {
        switch self {
        case .add, .remove, .importKeys: true
        case .list, .getPEM, .getJWKS: false
        }
    }

    /// Whether it needs an admin role, as the manual says.
    var needsAdmin: Bool {
        switch self {
        case .remove, .getJWKS, .importKeys: true
        case .add, .list, .getPEM: false
        }
    }
}
