package import PolicyEngine

/// Keys as JSON documents, laid out as the manual shows them.
package enum KeyJSON {
    /// The account's secret as a JSON Web Key (manual, Account Secret Key JWK Export).
    static func secret(_ key: TokenKey) -> String { object(secretMembers(key)).indented(by: 4) }

    /// The account's secret as the one key of a JSON Web Key Set.
    static func secretSet(_ key: TokenKey) -> String { set([secretMembers(key)]) }

    /// The keys of a key set (manual, Getting Keyset JWKS): of pairs only the public half.
    static func keySet(_ keys: [TokenKey]) -> String {
        set(keys.map { $0.jwk(includingSecret: false) })
    }

    /// The keys of a set that everybody may know: the public halves of pairs, and no shared secret (R23.4).
    package static func publicKeys(of set: KeySet) -> String {
        keySet(set.keys.filter { !$0.algorithm.isSymmetric })
    }

    private static func set(_ keys: [[(name: String, value: String)]]) -> String {
        JSONValue.ordered([("keys", .array(keys.map(object)))]).indented()
    }

    // `kty`, `use`, `k` and `alg`, in the manual's order; the name goes before the number.
    private static func secretMembers(_ key: TokenKey) -> [(name: String, value: String)] {
        let order = ["kty", "use", "kid", "k", "alg"]
        return key.jwk(includingSecret: true).sorted { left, right in
            (order.firstIndex(of: left.name) ?? 0) < (order.firstIndex(of: right.name) ?? 0)
        }
    }

    private static func object(_ members: [(name: String, value: String)]) -> JSONValue {
        .ordered(members.map { ($0.name, .string($0.value)) })
    }
}
