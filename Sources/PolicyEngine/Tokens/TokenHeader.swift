/// What the header of a token says (RFC 7515, 4; RFC 7516, 4).
///
/// Keys that a header brings along (`jwk`, `x5c`) or points at (`jku`, `x5u`) are never looked at.
struct TokenHeader {
    /// The algorithm that it claims; only a key says which one is taken.
    let algorithm: String
    /// The name of the key; a hint at best.
    let keyID: String?
    /// What the key of the content is wrapped with: vector and tag (RFC 7518, 4.7.1).
    let wrapping: (vector: [UInt8], tag: [UInt8])?

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - text: The first part of a token.
    ///   - isEncrypted: Whether the token has the parts of an encrypted one.
    /// - Throws: ``TokenError``.
    init(_ text: ArraySlice<UInt8>, isEncrypted: Bool) throws(TokenError) {
        guard let bytes = Base64.bytes(of: text) else { throw .badEncoding(.header) }
        let content = try Self.content(bytes)
        guard let name = try Self.text("alg", in: content) else { throw .badHeader("`alg` is missing") }
        guard name.lowercased() != "none" else { throw .unsecured }
        guard content["crit"] == nil else { throw .criticalExtension }
        // RFC 7797: without `crit` it means nothing, and with it nothing known.
        guard content["b64"] == nil else { throw .criticalExtension }
        algorithm = String(name.prefix(32))
        keyID = try Self.text("kid", in: content)
        _ = try Self.text("typ", in: content)
        guard isEncrypted else {
            if content["enc"] != nil { throw .badHeader("`enc` stands in a token that is not encrypted") }
            wrapping = nil
            return
        }
        guard try Self.text("enc", in: content) == TokenAlgorithm.contentEncryption else {
            throw .badHeader("`enc` is not `\(TokenAlgorithm.contentEncryption)`")
        }
        guard content["zip"] == nil else { throw .badHeader("compressed content is not taken") }
        wrapping = (
            try Self.bytes("iv", count: AuthenticatedCipher.vectorLength, in: content),
            try Self.bytes("tag", count: AuthenticatedCipher.tagLength, in: content)
        )
    }

    /// The algorithm that it claims, if there is such a one; by its bytes, since text has other ways to be equal.
    var namedAlgorithm: TokenAlgorithm? {
        TokenAlgorithm.allCases.first { ExactText($0.rawValue) == ExactText(algorithm) }
    }

    private static func content(_ bytes: [UInt8]) throws(TokenError) -> JSONContent {
        do throws(JSONFailure) {
            let content = try JSONParser.parse(bytes, maximumNesting: TokenLimits.nesting)
            if case .object = content { return content }
        } catch {
            throw .badHeader(error.message)
        }
        throw .badHeader("it is no JSON object")
    }

    private static func text(_ name: ExactText, in content: JSONContent) throws(TokenError) -> String? {
        guard let value = content[name] else { return nil }
        guard let text = value.text else { throw .badHeader("`\(name.text)` is no text") }
        return text
    }

    private static func bytes(_ name: ExactText, count: Int, in content: JSONContent) throws(TokenError) -> [UInt8] {
        guard let text = try text(name, in: content) else { throw .badHeader("`\(name.text)` is missing") }
        guard let bytes = Base64.bytes(of: text, .url), bytes.count == count else {
            throw .badHeader("`\(name.text)` does not have \(count) bytes")
        }
        return bytes
    }
}
