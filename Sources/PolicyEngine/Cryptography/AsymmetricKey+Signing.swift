internal import CCrypto

extension AsymmetricKey {
    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: Any bytes.
    ///   - scheme: One that fits the key.
    /// - Returns: As many bytes as the modulus has, or both halves of a curve; `nil` where the key is too short for the
    ///   scheme, or has no secret part.
    /// - Complexity: A private operation: a millisecond for 2048 bits of RSA, a tenth of it on a curve.
    func sign(_ message: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        let context = unsafe Self.context()
        // SAFETY: made above, and used by nobody behind this function.
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var keyContext: OpaquePointer?
        // SAFETY: OpenSSL sets the pointer to a part of the context, which owns it.
        guard
            unsafe EVP_DigestSignInit_ex(context, &keyContext, scheme.hash.rawValue, nil, nil, pointer, nil) == 1,
            unsafe Self.configure(keyContext, scheme)
        else { return nil }
        var length = 0
        guard unsafe EVP_DigestSign(context, nil, &length, message, message.count) == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: length)
        // SAFETY: OpenSSL was asked how much room it needs, and is told how much there is.
        guard unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
        signature.removeSubrange(length...)
        return scheme.form == .ecdsa ? halves(of: signature) : signature
    }

    /// Verifies a signature.
    ///
    /// - Returns: `false` for a signature of any other form or length than the one that ``sign(_:_:)`` makes.
    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) -> Bool {
        guard let signature = scheme.form == .ecdsa ? Self.sequence(of: signature, length: halfLength) : signature
        else {
            return false
        }
        let context = unsafe Self.context()
        // SAFETY: made above, and used by nobody behind this function.
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var keyContext: OpaquePointer?
        // SAFETY: OpenSSL sets the pointer to a part of the context, which owns it.
        guard
            unsafe EVP_DigestVerifyInit_ex(context, &keyContext, scheme.hash.rawValue, nil, nil, pointer, nil) == 1,
            unsafe Self.configure(keyContext, scheme)
        else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    // The caller frees it.
    private static func context() -> OpaquePointer {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("there is memory for a signature") }
        return unsafe context
    }

    // RFC 7518, 3.5: the salt is as long as the digest, when verifying too; MGF1 takes the same hash by itself.
    private static func configure(_ context: OpaquePointer?, _ scheme: SignatureScheme) -> Bool {
        guard scheme.form == .pss else { return true }
        // SAFETY: the context lives as long as the one that it is a part of.
        return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0
    }
}

// OpenSSL's ECDSA signatures are sequences of two numbers; those of tokens are both in a fixed length.
extension AsymmetricKey {
    private var halfLength: Int {
        // SAFETY: the key lives through the call.
        (Int(unsafe EVP_PKEY_get_bits(pointer)) + 7) / 8
    }

    private func halves(of sequence: [UInt8]) -> [UInt8]? {
        let signature = unsafe sequence.withUnsafeBufferPointer { buffer in
            // SAFETY: OpenSSL reads at most `count` bytes.
            var position = buffer.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &position, buffer.count)
        }
        guard let signature = unsafe signature else { return nil }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe ECDSA_SIG_free(signature) }
        let length = halfLength
        var (first, second) = ([UInt8](repeating: 0, count: length), [UInt8](repeating: 0, count: length))
        // SAFETY: both numbers belong to the signature; OpenSSL writes the bytes that there is room for.
        let isWhole =
            unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &first, Int32(length)) == Int32(length)
            && BN_bn2binpad(ECDSA_SIG_get0_s(signature), &second, Int32(length)) == Int32(length)
        return isWhole ? first + second : nil
    }

    private static func sequence(of halves: [UInt8], length: Int) -> [UInt8]? {
        guard halves.count == 2 * length else { return nil }
        return DERText.sequence(
            DERText.integer(Array(halves.prefix(length))), DERText.integer(Array(halves.suffix(length))))
    }
}
