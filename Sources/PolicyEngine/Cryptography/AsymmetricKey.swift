internal import CCrypto

/// A pair of keys, or its public half, ready to sign and to verify.
@safe
final class AsymmetricKey: @unchecked Sendable {
    // SAFETY: made before `init`, freed in `deinit`, used in this folder only. Nothing changes it, and OpenSSL lets
    // several threads use a key that nobody changes.
    private let pointer: OpaquePointer

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
        // `nil` says that it went wrong; the error must not stay in the thread's queue.
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

    /// The numbers that the key consists of.
    ///
    /// - Returns: `nil` for a key that no token is signed with, such as one on another curve.
    var parts: KeyParts? {
        defer { ERR_clear_error() }
        // SAFETY: the key lives through the calls.
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 { return rsaParts.map(KeyParts.rsa) }
        return unsafe EVP_PKEY_is_a(pointer, "EC") == 1 ? curveParts.map(KeyParts.curve) : nil
    }

    /// True if the secret part belongs to the public one, and both are valid: for keys that come from elsewhere.
    ///
    /// - Complexity: Some hundredths of a second for RSA.
    var isConsistent: Bool {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { preconditionFailure("there is memory") }
        // SAFETY: made above, and used by nobody behind this property.
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_check(context) == 1
    }

    private var rsaParts: KeyParts.RSA? {
        guard let modulus = number(OSSL_PKEY_PARAM_RSA_N), let exponent = number(OSSL_PKEY_PARAM_RSA_E) else {
            return nil
        }
        return KeyParts.RSA(modulus: modulus, exponent: exponent, secret: rsaSecret)
    }

    // OpenSSL puts these names together by macros, which Swift cannot read.
    private var rsaSecret: KeyParts.RSA.Secret? {
        guard let exponent = number(OSSL_PKEY_PARAM_RSA_D), let firstPrime = number("rsa-factor1"),
            let secondPrime = number("rsa-factor2"),
            let firstExponent = number("rsa-exponent1"),
            let secondExponent = number("rsa-exponent2"),
            let coefficient = number("rsa-coefficient1")
        else { return nil }
        return KeyParts.RSA.Secret(
            exponent: exponent, firstPrime: firstPrime, secondPrime: secondPrime, firstExponent: firstExponent,
            secondExponent: secondExponent, coefficient: coefficient)
    }

    private var curveParts: KeyParts.Curve? {
        guard let curve, let x = number(OSSL_PKEY_PARAM_EC_PUB_X, length: curve.length),
            let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, length: curve.length)
        else { return nil }
        let secret = number(OSSL_PKEY_PARAM_PRIV_KEY, length: curve.length)
        return KeyParts.Curve(curve: curve, x: x, y: y, secret: secret)
    }

    private var curve: EllipticCurve? {
        var (name, length) = ([CChar](repeating: 0, count: 64), 0)
        // SAFETY: OpenSSL writes at most `count` bytes and returns how many.
        guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return nil }
        switch String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) {
        case "prime256v1": return .p256
        case "secp384r1": return .p384
        case "secp521r1": return .p521
        default: return nil
        }
    }

    // Big-endian, with zeros in front up to the length.
    private func number(_ name: String, length: Int = 0) -> [UInt8]? {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number = unsafe number else { return nil }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe BN_clear_free(number) }
        let count = max(length, Int(unsafe BN_num_bits(number) + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: OpenSSL writes the `count` bytes that there is room for.
        return unsafe BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) ? bytes : nil
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: Any bytes.
    ///   - scheme: One that fits the key.
    /// - Returns: As many bytes as the modulus has, or both halves of a curve; `nil` where the key is too short for the
    ///   scheme, or has no secret part.
    /// - Complexity: A private operation: a millisecond for 2048 bits of RSA, a tenth of it on a curve.
    func sign(_ message: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        // SAFETY: OpenSSL is asked how much room it needs, and is given the size.
        unsafe withContext(scheme, from: EVP_DigestSignInit_ex) { context in
            var length = 0
            guard unsafe EVP_DigestSign(context, nil, &length, message, message.count) == 1 else { return nil }
            var signature = [UInt8](repeating: 0, count: length)
            guard unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { return nil }
            signature.removeSubrange(length...)
            return scheme.form == .ecdsa ? halves(of: signature) : signature
        }
    }

    /// Verifies a signature.
    ///
    /// - Returns: `false` for a signature of any other form or length than the one that ``sign(_:_:)`` makes.
    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) -> Bool {
        guard let signature = scheme.form == .ecdsa ? Self.sequence(of: signature, length: halfLength) : signature
        else { return false }
        return unsafe withContext(scheme, from: EVP_DigestVerifyInit_ex) { context in
            unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        } ?? false
    }

    private typealias Start = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>?, OpaquePointer?,
        UnsafePointer<CChar>?, OpaquePointer?, UnsafePointer<OSSL_PARAM>?
    ) -> Int32

    // Lends a context in which a signature with the key was started, or its verification; `nil` where it cannot be.
    private func withContext<Result>(
        _ scheme: SignatureScheme, from start: Start, _ body: (OpaquePointer) -> Result?
    ) -> Result? {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("there is memory for a signature") }
        // SAFETY: made above, and used by nobody behind this function.
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var keyContext: OpaquePointer?
        // SAFETY: OpenSSL sets the pointer to a part of the context, which owns it.
        guard unsafe start(context, &keyContext, scheme.hash.rawValue, nil, nil, pointer, nil) == 1,
            unsafe Self.configure(keyContext, scheme)
        else { return nil }
        return unsafe body(context)
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
