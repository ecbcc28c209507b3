internal import CCrypto

extension AsymmetricKey {
    /// The numbers that the key consists of.
    ///
    /// - Returns: `nil` for a key that no token is signed with, such as one on another curve.
    var parts: KeyParts? {
        defer { ERR_clear_error() }
        // SAFETY: the key lives through the calls.
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 { return rsaParts.map(KeyParts.rsa) }
        return unsafe EVP_PKEY_is_a(pointer, "EC") == 1 ? curveParts.map(KeyParts.curve) : nil
    }

    /// Whether the secret part belongs to the public one, and both are sound: for keys that come from elsewhere.
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
        // SAFETY: OpenSSL writes at most `count` bytes and tells how many.
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
}
