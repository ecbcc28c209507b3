// PEM (RFC 7468): base64 of DER between two lines that say what it is.
extension TokenKey {
    /// The public key in PEM, as a SubjectPublicKeyInfo (manual, Getting Public Key PEM).
    ///
    /// - Returns: `nil` for a shared secret.
    public var publicPEM: String? {
        guard case .pair(let parts) = material else { return nil }
        var digits = Base64.text(of: parts.publicEncoding)[...]
        var lines = ["-----BEGIN PUBLIC KEY-----"]
        while !digits.isEmpty {
            lines.append(String(digits.prefix(64)))
            digits = digits.dropFirst(64)
        }
        return (lines + ["-----END PUBLIC KEY-----", ""]).joined(separator: "\n")
    }

    /// Reads a public or a private key in PEM; an encrypted one cannot be read.
    ///
    /// - Parameters:
    ///   - text: One key, and nothing else.
    ///   - algorithm: The algorithm that it is for; PEM does not say.
    ///   - id: Its name.
    /// - Throws: ``TokenKeyError``.
    public init(pem text: String, algorithm: TokenAlgorithm, id: String? = nil) throws(TokenKeyError) {
        let lines = text.split(whereSeparator: \.isNewline)
        let labels = ["PUBLIC KEY", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]
        guard let first = lines.first, let last = lines.last, lines.count > 2,
            let label = labels.first(where: { first == "-----BEGIN \($0)-----" && last == "-----END \($0)-----" }),
            let bytes = Base64.bytes(of: lines.dropFirst().dropLast().joined()),
            let parts = AsymmetricKey(der: bytes, isPrivate: label != labels[0])?.parts
        else { throw .notPEM }
        try self.init(parts: parts, algorithm: algorithm, id: id)
    }
}
