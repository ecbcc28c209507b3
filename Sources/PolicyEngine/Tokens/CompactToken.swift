/// A token in its parts, before anything of it is believed.
struct CompactToken {
    /// The content of its header.
    let header: TokenHeader
    private let bytes: [UInt8]
    private let parts: [ArraySlice<UInt8>]

    /// Takes a token apart.
    ///
    /// - Throws: ``TokenError``: the first thing that is wrong with its form.
    /// - Complexity: O(length).
    init(_ token: String) throws(TokenError) {
        let count = token.utf8.count
        guard count <= TokenLimits.tokenBytes else { throw .tooLong(count) }
        bytes = Array(token.utf8)
        parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5 else { throw .wrongPartCount(parts.count) }
        header = try TokenHeader(parts[0], isEncrypted: parts.count == 5)
    }

    /// True if it has the parts of an encrypted token.
    var isEncrypted: Bool { parts.count == 5 }

    /// The bytes that a signature is over: header and claims as they are, and the `.` between them.
    var signedBytes: [UInt8] { Array(bytes[..<parts[1].endIndex]) }

    /// The bytes that belong to an encrypted content without being secret.
    var authenticatedBytes: [UInt8] { Array(parts[0]) }

    /// The bytes of a part.
    ///
    /// - Parameters:
    ///   - index: Its number, counted from 0.
    ///   - name: Its noun, for the error.
    func bytes(_ index: Int, _ name: TokenPart) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64.bytes(of: parts[index]) else { throw .badEncoding(name) }
        return bytes
    }
}

/// The header of a token (RFC 7515, 4; RFC 7516, 4).
///
/// Keys that a header brings along (`jwk`, `x5c`) or points at (`jku`, `x5u`) are never looked at.
struct TokenHeader {
    /// The algorithm that it claims; only a key says which one is taken.
    let algorithm: String
    /// The name of the key; a hint at best.
    let keyID: String?
    /// The vector and the tag of the wrapped key of the content (RFC 7518, 4.7.1).
    let wrapping: (vector: [UInt8], tag: [UInt8])?

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - text: The first part of a token.
    ///   - isEncrypted: True if the token has the parts of an encrypted one.
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
            if content["enc"] != nil { throw .badHeader("`enc` is given, but the token is not encrypted") }
            wrapping = nil
            return
        }
        guard try Self.text("enc", in: content) == TokenAlgorithm.contentEncryption else {
            throw .badHeader("`enc` is not `\(TokenAlgorithm.contentEncryption)`")
        }
        guard content["zip"] == nil else { throw .badHeader("compressed content is not supported") }
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
        throw .badHeader("it is not a JSON object")
    }

    private static func text(_ name: ExactText, in content: JSONContent) throws(TokenError) -> String? {
        guard let value = content[name] else { return nil }
        guard let text = value.text else { throw .badHeader("`\(name.text)` is not text") }
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

/// The parts of an encrypted token, and how a key opens them (RFC 7516, 5.2; RFC 7518, 4.7).
struct EncryptedContent {
    private let wrappedKey: [UInt8]
    private let wrapping: (vector: [UInt8], tag: [UInt8])
    private let vector: [UInt8]
    private let content: [UInt8]
    private let tag: [UInt8]
    private let authenticated: [UInt8]

    /// Takes the parts of an encrypted token.
    ///
    /// - Throws: ``TokenError`` for parts that are not base64url, or have other lengths than they must have.
    init(_ text: CompactToken) throws(TokenError) {
        guard let wrapping = text.header.wrapping else { throw .badHeader("`enc` is missing") }
        self.wrapping = wrapping
        wrappedKey = try text.bytes(1, .key)
        vector = try text.bytes(2, .vector)
        content = try text.bytes(3, .content)
        tag = try text.bytes(4, .tag)
        authenticated = text.authenticatedBytes
        guard wrappedKey.count == AuthenticatedCipher.keyLength, vector.count == AuthenticatedCipher.vectorLength,
            tag.count == AuthenticatedCipher.tagLength
        else { throw .cannotBeDecrypted }
    }

    /// The content, decrypted with a key; `nil` if it is another key, or anything was changed.
    func opened(with key: [UInt8]) -> [UInt8]? {
        AuthenticatedCipher.open(wrappedKey, tag: wrapping.tag, key: key, vector: wrapping.vector).flatMap { key in
            AuthenticatedCipher.open(content, authenticating: authenticated, tag: tag, key: key, vector: vector)
        }
    }
}

/// The parts of a token in its compact form (RFC 7515, 7.1; RFC 7516, 7.1).
public enum TokenPart: String, Hashable, Sendable {
    /// The algorithm, and the key by its name.
    case header
    /// The claims of a signed token.
    case claims
    /// The signature of a signed token.
    case signature
    /// The key of an encrypted token's content, which is encrypted itself.
    case key = "encrypted key"
    /// The vector that encryption began with.
    case vector = "initialisation vector"
    /// The encrypted claims.
    case content
    /// The tag that shows whether an encrypted token was changed.
    case tag = "authentication tag"
}
