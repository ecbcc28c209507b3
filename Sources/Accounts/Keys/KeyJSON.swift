internal import PolicyEngine

/// Keys as JSON documents, laid out as the manual shows them.
enum KeyJSON {
    /// The account's secret as a JSON Web Key (manual, Account Secret Key JWK Export).
    static func secret(_ key: TokenKey) -> String {
        text(of: secretMembers(key), indent: "    ", depth: 0) + "\n"
    }

    /// The account's secret as the one key of a JSON Web Key Set.
    static func secretSet(_ key: TokenKey) -> String { set([secretMembers(key)]) }

    /// The keys of a key set (manual, Getting Keyset JWKS): of pairs only the public half.
    static func keySet(_ keys: [TokenKey]) -> String {
        set(keys.map { $0.jwk(includingSecret: false) })
    }

    private static func set(_ keys: [[(name: String, value: String)]]) -> String {
        let items = keys.map { "    " + text(of: $0, indent: "  ", depth: 2) }
        let list = items.isEmpty ? "[]" : "[\n\(items.joined(separator: ",\n"))\n  ]"
        return "{\n  \"keys\": \(list)\n}\n"
    }

    // `kty`, `use`, `k` and `alg`, in the manual's order; the name goes before the number.
    private static func secretMembers(_ key: TokenKey) -> [(name: String, value: String)] {
        let order = ["kty", "use", "kid", "k", "alg"]
        return key.jwk(includingSecret: true).sorted { left, right in
            (order.firstIndex(of: left.name) ?? 0) < (order.firstIndex(of: right.name) ?? 0)
        }
    }

    private static func text(of members: [(name: String, value: String)], indent: String, depth: Int) -> String {
        let outer = String(repeating: indent, count: depth)
        let lines = members.map { member in
            var json = JSONBytes()
            json.string(member.name)
            json.raw(": ")
            json.string(member.value)
            return outer + indent + String(decoding: json.bytes, as: UTF8.self)
        }
        return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    }
}
