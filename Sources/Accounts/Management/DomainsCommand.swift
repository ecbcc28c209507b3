/// A command about all API domains at once (manual, Getting All API Configuration, Setting All API Configuration).
package enum DomainsCommand: Hashable, Sendable {
    /// `api -getAll file`
    case getAll(file: String)
    /// `api -setAll file`
    case setAll(file: String)

    /// Whether it makes another account.
    var changesAccount: Bool {
        if case .setAll = self { true } else { false }
    }
}
