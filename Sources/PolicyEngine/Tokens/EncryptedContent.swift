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

    /// What a key opens; `nil` where it is another key, or anything was changed.
    func opened(with key: [UInt8]) -> [UInt8]? {
        AuthenticatedCipher.open(wrappedKey, tag: wrapping.tag, key: key, vector: wrapping.vector).flatMap { key in
            AuthenticatedCipher.open(content, authenticating: authenticated, tag: tag, key: key, vector: vector)
        }
    }
}
