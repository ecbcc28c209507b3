internal import CCrypto

/// AES-256 in Galois counter mode (NIST SP 800-38D): what keeps a text secret and shows whether it was changed.
enum AuthenticatedCipher {
    /// The bytes of a key.
    static let keyLength = 32
    /// The bytes of an initialisation vector; a key must never see one twice.
    static let vectorLength = 12
    /// The bytes of an authentication tag.
    static let tagLength = 16

    /// Enciphers a text.
    ///
    /// - Parameters:
    ///   - text: Any bytes below 2 GiB; none as well.
    ///   - authenticated: Bytes that are not secret and must not change either.
    ///   - key: ``keyLength`` bytes.
    ///   - vector: ``vectorLength`` bytes.
    /// - Returns: As many bytes as the text has, and the tag.
    static func seal(
        _ text: [UInt8], authenticating authenticated: [UInt8] = [], key: [UInt8], vector: [UInt8]
    ) -> (enciphered: [UInt8], tag: [UInt8]) {
        precondition(key.count == keyLength && vector.count == vectorLength, "key and vector have their lengths")
        let context = unsafe context()
        // SAFETY: made above, and used by nobody behind this function. OpenSSL wipes the key first.
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        // SAFETY: OpenSSL reads as many bytes of key and vector as the algorithm asks for, which are all.
        var status = unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, vector)
        var length: Int32 = 0
        status &= unsafe EVP_EncryptUpdate(context, nil, &length, authenticated, Int32(authenticated.count))
        var enciphered = [UInt8](repeating: 0, count: text.count)
        // SAFETY: a counter mode writes as many bytes as it reads, at once, and none at the end.
        status &= unsafe EVP_EncryptUpdate(context, &enciphered, &length, text, Int32(text.count))
        var (rest, tag) = ([UInt8](repeating: 0, count: tagLength), [UInt8](repeating: 0, count: tagLength))
        status &= unsafe EVP_EncryptFinal_ex(context, &rest, &length)
        status &= unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagLength), &tag)
        precondition(status == 1, "OpenSSL has AES-256-GCM")
        return (enciphered, tag)
    }

    /// Deciphers a text.
    ///
    /// - Parameters:
    ///   - enciphered: Any bytes below 2 GiB; none as well.
    ///   - authenticated: The bytes that are not secret.
    ///   - vector: The initialisation vector.
    /// - Returns: `nil` where anything was changed, or has another length than it must have.
    static func open(
        _ enciphered: [UInt8], authenticating authenticated: [UInt8] = [], tag: [UInt8], key: [UInt8], vector: [UInt8]
    ) -> [UInt8]? {
        guard key.count == keyLength, vector.count == vectorLength, tag.count == tagLength else { return nil }
        let context = unsafe context()
        // SAFETY: made above, and used by nobody behind this function. OpenSSL wipes the key first.
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        // SAFETY: OpenSSL reads as many bytes of key and vector as the algorithm asks for, which are all.
        var status = unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, vector)
        var (length, expected) = (Int32(0), tag)
        status &= unsafe EVP_DecryptUpdate(context, nil, &length, authenticated, Int32(authenticated.count))
        var text = [UInt8](repeating: 0, count: enciphered.count)
        // SAFETY: a counter mode writes as many bytes as it reads, at once, and none at the end.
        status &= unsafe EVP_DecryptUpdate(context, &text, &length, enciphered, Int32(enciphered.count))
        status &= unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagLength), &expected)
        precondition(status == 1, "OpenSSL has AES-256-GCM")
        var rest = [UInt8](repeating: 0, count: tagLength)
        // Only this says whether the text may be used at all; it compares in constant time.
        return unsafe EVP_DecryptFinal_ex(context, &rest, &length) == 1 ? text : nil
    }

    // The caller frees it.
    private static func context() -> OpaquePointer {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("there is memory for a key") }
        return unsafe context
    }
}
