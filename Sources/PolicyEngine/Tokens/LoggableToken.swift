/// A token in the form that apps may log: its claims, and of its signature as much as tells whether it is valid to whoever
/// has the key, and serves nobody else (manual, Loggable Tokens).
public enum LoggableToken {
    /// How many characters of the signature it tells: 36 bits.
    public static let prefixLength = 6
    /// What the claim is called that tells them.
    static let claim: ExactText = "sip"

    /// The loggable form of a token.
    ///
    /// - Returns: A JSON object on one line; for an encrypted token, of which an app knows nothing, the error `JWE`.
    /// - Throws: ``TokenError`` for what is no token.
    public static func text(of token: String) throws(TokenError) -> String {
        let text = try CompactToken(token)
        if text.isEncrypted { return #"{"error":"JWE"}"# }
        let claims = try ReceivedClaims(try text.bytes(1, .claims))
        let prefix = Base64.text(of: try text.bytes(2, .signature), .url).prefix(prefixLength)
        guard case .object(let members) = claims.content else { return "" }
        let shown = members + [JSONMember(claim, .string(ExactText(String(prefix))))]
        var output = JSONBytes()
        JSONContent.object(shown).writeSorted(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
