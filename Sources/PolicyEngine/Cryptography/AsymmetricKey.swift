internal import CCrypto

/// A pair of keys, or its public half, ready to sign and to verify.
@safe
final class AsymmetricKey: @unchecked Sendable {
    // SAFETY: made before `init`, freed in `deinit`, used in this folder only. Nothing changes it, and OpenSSL lets
    // several threads use a key that nobody changes.
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        // SAFETY: this is the only owner. OpenSSL wipes the secret parts first.
        unsafe EVP_PKEY_free(pointer)
    }

    /// Takes a key together from its parts.
    ///
    /// - Returns: `nil` where they are no key, such as a point that is not on its curve.
    convenience init?(_ parts: KeyParts) {
        // What goes wrong is told by `nil`; it must not stay in the thread's queue.
        defer { ERR_clear_error() }
        let isRSA = if case .rsa = parts { true } else { false }
        let bytes = parts.privateEncoding ?? parts.publicEncoding
        let pointer = unsafe bytes.withUnsafeBufferPointer { buffer in
            // SAFETY: OpenSSL reads at most `count` bytes and moves its copy of the pointer.
            var position = buffer.baseAddress
            return parts.isPrivate
                ? unsafe d2i_PrivateKey(isRSA ? EVP_PKEY_RSA : EVP_PKEY_EC, nil, &position, buffer.count)
                : unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.init(adopting: pointer)
    }

    /// Reads a key in DER, as PEM wraps it: a SubjectPublicKeyInfo, or any usual form of a private key.
    ///
    /// - Returns: `nil` for bytes that are none, or have something behind it.
    convenience init?(der bytes: [UInt8], isPrivate: Bool) {
        defer { ERR_clear_error() }
        let pointer = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            // SAFETY: OpenSSL reads at most `count` bytes and moves its copy of the pointer behind those that it read.
            var position = buffer.baseAddress
            let key =
                isPrivate
                ? unsafe d2i_AutoPrivateKey(nil, &position, buffer.count)
                : unsafe d2i_PUBKEY(nil, &position, buffer.count)
            guard let key = unsafe key else { return nil }
            if unsafe position == buffer.baseAddress.map({ unsafe $0 + buffer.count }) { return unsafe key }
            unsafe EVP_PKEY_free(key)
            return nil
        }
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.init(adopting: pointer)
    }

    /// Makes a new pair for RSA, from the system's chance.
    ///
    /// - Parameter bits: The length of the modulus.
    /// - Complexity: About a tenth of a second for 2048 bits, and seconds for 4096.
    convenience init(rsaBits bits: Int) {
        let pointer = unsafe Self.generate("RSA") { context in
            // SAFETY: the context lives through the call.
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
        }
        unsafe self.init(adopting: pointer)
    }

    /// Makes a new pair on a curve, from the system's chance.
    convenience init(curve: EllipticCurve) {
        let pointer = unsafe Self.generate("EC") { context in
            // SAFETY: the context lives through the call, and OpenSSL copies the name.
            unsafe EVP_PKEY_CTX_set_group_name(context, curve.rawValue)
        }
        unsafe self.init(adopting: pointer)
    }

    /// Makes the pair on a curve whose secret part follows from some bytes, as many as the curve has.
    ///
    /// - Returns: `nil` with a chance that is negligible: bytes that are 0 but for the bits that are cut off.
    convenience init?(curve: EllipticCurve, drawing bytes: [UInt8]) {
        // Always below the order of the curve. A bit less than all secrets can be drawn, which a simulation does not mind.
        var secret = bytes
        secret[0] = curve == .p521 ? 0 : secret[0] & 0x7F
        self.init(.curve(KeyParts.Curve(curve: curve, x: [], y: [], secret: secret)))
    }

    private static func generate(_ type: String, _ configure: (OpaquePointer) -> Int32) -> OpaquePointer {
        // SAFETY: the context keeps the pointer to the name, which lives for longer than the context does.
        unsafe type.withCString { type in unsafe generate(named: type, configure) }
    }

    private static func generate(
        named type: UnsafePointer<CChar>, _ configure: (OpaquePointer) -> Int32
    ) -> OpaquePointer {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
            preconditionFailure("OpenSSL has RSA and elliptic curves")
        }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let isReady = unsafe EVP_PKEY_keygen_init(context) > 0 && configure(context) > 0
        guard isReady, unsafe EVP_PKEY_generate(context, &key) > 0, let key = unsafe key else {
            preconditionFailure("OpenSSL makes keys for RSA and elliptic curves")
        }
        return unsafe key
    }
}
