internal import PolicyEngine

/// Key sets in the words of the manual (Listing Keys).
enum KeySetText {
    /// What `keyset -list` prints.
    static func list(of account: Account) -> [String] {
        let rows = account.keys.keySet.keys.map { key in
            let names = domains(of: key.id ?? "", in: account)
            let apis = names.isEmpty ? "" : "  apis:\(names.joined(separator: ","))"
            return (key.id ?? "", "alg:\(key.algorithm.rawValue)\(apis)")
        }
        return [ListText.heading(rows.count, "key", "keys")] + ListText.columns(rows)
    }

    /// The names of the domains whose tokens are made with a key.
    static func domains(of id: String, in account: Account) -> [String] {
        account.apiDomains.filter { $0.type == .keyset && $0.keyID == id }.map(\.name)
    }
}
