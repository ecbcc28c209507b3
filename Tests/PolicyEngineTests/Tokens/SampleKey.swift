@testable import PolicyEngine

/// Keys for every algorithm. Those of RSA are the standards' own, since making one takes its time.
enum SampleKey {
    /// An HS256 key of 64 bytes, as accounts have.
    static let account = Secret(Array(0..<64))

    static func key(_ algorithm: TokenAlgorithm, id: String? = nil) throws -> TokenKey {
        switch algorithm.family {
        case .authentication: try TokenKey(secret: account, algorithm: algorithm, id: id)
        case .encryption: try TokenKey(secret: Secret(Array(0..<32)), algorithm: algorithm, id: id)
        case .rsa: try bilbo(algorithm, id: id)
        case .curve: try TokenKey.new(algorithm, id: id)
        }
    }

    /// The RSA key of RFC 7520 for another algorithm.
    static func bilbo(_ algorithm: TokenAlgorithm, id: String? = nil) throws -> TokenKey {
        try StandardToken(
            label: "", algorithm: algorithm, key: StandardToken.bilbo, header: "", payload: "", signature: ""
        ).tokenKey(id: id)
    }

    /// Another key of the same algorithm.
    static func other(_ algorithm: TokenAlgorithm) throws -> TokenKey {
        switch algorithm.family {
        case .authentication: return try TokenKey(secret: Secret(Array(1...64)), algorithm: algorithm)
        case .encryption: return try TokenKey(secret: Secret(Array(1...32)), algorithm: algorithm)
        case .curve: return try TokenKey.new(algorithm)
        case .rsa:
            let row = StandardToken.all[1]
            return try StandardToken(
                label: "", algorithm: algorithm, key: row.key, header: "", payload: "", signature: ""
            ).tokenKey()
        }
    }
}
