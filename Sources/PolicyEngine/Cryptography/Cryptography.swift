// Only the files of this folder know OpenSSL.
internal import CCrypto

/// The cryptographic hashes that the rules name (R7.6, R12.2).
package enum Cryptography {
    /// The bytes of a SHA-256 digest.
    static let digestLength = 32

    /// SHA-256 of a message (FIPS 180-4).
    ///
    /// - Parameter message: Any bytes; none as well.
    /// - Returns: 32 bytes.
    /// - Complexity: O(length of the message).
    package static func sha256(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestLength)
        let result = unsafe message.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                // SAFETY: OpenSSL reads `count` bytes of the first and writes the 32 that the second has room for.
                unsafe SHA256(bytes.baseAddress, bytes.count, output.baseAddress)
            }
        }
        precondition(unsafe result != nil, "OpenSSL has SHA-256")
        return digest
    }

    /// HMAC-SHA-256 of a message (RFC 2104).
    ///
    /// - Parameters:
    ///   - message: Any bytes; none as well.
    ///   - key: Any bytes below 2 GiB; none as well.
    /// - Returns: 32 bytes.
    /// - Complexity: O(length of the message and the key).
    static func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestLength)
        // OpenSSL takes a null pointer for "the key as before", so an empty key points at a byte that is not read.
        let (pointedAt, length) = (key.isEmpty ? [0] : key, Int32(key.count))
        let result = unsafe pointedAt.withUnsafeBufferPointer { key in
            unsafe message.withUnsafeBufferPointer { bytes in
                unsafe digest.withUnsafeMutableBufferPointer { output in
                    // SAFETY: OpenSSL reads `length` bytes of the key and `count` of the message, and writes the 32
                    // that the digest has room for; a null pointer for the written length is allowed.
                    unsafe HMAC(
                        EVP_sha256(), key.baseAddress, length, bytes.baseAddress, bytes.count, output.baseAddress, nil)
                }
            }
        }
        precondition(unsafe result != nil, "OpenSSL has HMAC with SHA-256")
        return digest
    }

    /// The fields of a certificate that accounts show (RFC 5280).
    ///
    /// - Parameter bytes: The certificate in DER, and nothing behind it.
    /// - Returns: Whose it is, as RFC 2253 writes it, the end of its validity, and its SubjectPublicKeyInfo in DER; `nil`
    ///   for bytes that are none.
    /// - Complexity: O(number of bytes).
    static func certificate(der bytes: [UInt8]) -> (subject: String, expiry: Instant, publicKey: [UInt8])? {
        guard let certificate = unsafe certificate(bytes) else { return nil }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe X509_free(certificate) }
        guard let subject = unsafe subject(of: certificate), let expiry = unsafe expiry(of: certificate),
            let publicKey = unsafe publicKey(of: certificate)
        else { return nil }
        return (subject, expiry, publicKey)
    }

    // The caller frees it.
    private static func certificate(_ bytes: [UInt8]) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            // SAFETY: OpenSSL reads at most `count` bytes and moves its copy of the pointer behind those that it read.
            var position = buffer.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &position, buffer.count) else { return nil }
            if unsafe position == buffer.baseAddress.map({ unsafe $0 + buffer.count }) { return unsafe certificate }
            unsafe X509_free(certificate)
            return nil
        }
    }

    private static func subject(of certificate: OpaquePointer) -> String? {
        guard let text = unsafe BIO_new(BIO_s_mem()) else { preconditionFailure("there is memory for a name") }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe BIO_free(text) }
        // SAFETY: the name belongs to the certificate, which outlives this call.
        guard unsafe X509_NAME_print_ex(text, X509_get_subject_name(certificate), 0, subject_flags) >= 0 else {
            return nil
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 256)
        while true {
            // SAFETY: OpenSSL writes at most `count` bytes into the block.
            let count = unsafe block.withUnsafeMutableBytes { unsafe BIO_read(text, $0.baseAddress, Int32($0.count)) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += block.prefix(Int(count))
        }
    }

    private static func publicKey(of certificate: OpaquePointer) -> [UInt8]? {
        // SAFETY: the key belongs to the certificate, which outlives this call; a null pointer asks for the length alone.
        let key = unsafe X509_get_X509_PUBKEY(certificate)
        let length = unsafe i2d_X509_PUBKEY(key, nil)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            // SAFETY: OpenSSL writes as many bytes as it said, for which there is room, and moves its copy of the pointer.
            var position = buffer.baseAddress
            return unsafe i2d_X509_PUBKEY(key, &position)
        }
        return written == length ? bytes : nil
    }

    private static func expiry(of certificate: OpaquePointer) -> Instant? {
        var parts = unsafe tm()
        // SAFETY: the time belongs to the certificate, and OpenSSL fills in the parts, which are numbers.
        guard unsafe ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) == 1,
            let day = unsafe CalendarDate(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        else { return nil }
        let seconds = unsafe (Int(parts.tm_hour) * 60 + Int(parts.tm_min)) * 60 + Int(parts.tm_sec)
        return Instant(secondsSinceEpoch: day.dayNumber * Instant.secondsPerDay + seconds)
    }
}

/// AES under one key, a block at a time (FIPS 197); for one thread at a time.
@safe
final class BlockCipher {
    // SAFETY: made in `init`, freed in `deinit`, never handed out; the class is not `Sendable`.
    private let context: OpaquePointer

    /// Prepares a key.
    ///
    /// - Parameter key: 16, 24 or 32 bytes: AES-128, AES-192 or AES-256.
    /// - Returns: `nil` for a key of another length.
    init?(key: [UInt8]) {
        guard let algorithm = unsafe Self.algorithm(keyLength: key.count) else { return nil }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("there is memory for a key") }
        unsafe self.context = context
        let status = unsafe key.withUnsafeBufferPointer { key in
            // SAFETY: OpenSSL copies as many bytes of the key as the algorithm asks for, which are all.
            unsafe EVP_EncryptInit_ex(context, algorithm, nil, key.baseAddress, nil)
        }
        precondition(status == 1, "OpenSSL has AES")
        _ = unsafe EVP_CIPHER_CTX_set_padding(context, 0)
    }

    deinit {
        // SAFETY: this is the only owner. OpenSSL wipes the key first.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Enciphers one block.
    ///
    /// - Parameter block: 16 bytes, the first one most significant.
    /// - Returns: 16 bytes, likewise.
    /// - Complexity: O(1); allocates nothing.
    func encrypt(_ block: UInt128) -> UInt128 {
        let input = block.bigEndian
        var (output, length) = (UInt128(0), Int32(0))
        let status = unsafe withUnsafeBytes(of: input) { input in
            unsafe withUnsafeMutableBytes(of: &output) { output in
                let (source, target) = unsafe (
                    input.assumingMemoryBound(to: UInt8.self), output.assumingMemoryBound(to: UInt8.self)
                )
                // SAFETY: OpenSSL reads the 16 bytes of the first and, without padding, writes the 16 of the second.
                return unsafe EVP_EncryptUpdate(context, target.baseAddress, &length, source.baseAddress, 16)
            }
        }
        precondition(status == 1 && length == 16, "AES enciphers a whole block at once")
        return UInt128(bigEndian: output)
    }

    // One block at a time is the electronic codebook mode. OpenSSL's descriptions of algorithms live for ever.
    private static func algorithm(keyLength: Int) -> OpaquePointer? {
        switch keyLength {
        case 16: unsafe EVP_aes_128_ecb()
        case 24: unsafe EVP_aes_192_ecb()
        case 32: unsafe EVP_aes_256_ecb()
        default: nil
        }
    }
}

// Functions for secrets: chance, comparison in constant time, and the hash of 512-bit secrets.
extension Cryptography {
    /// True if two texts have the same bytes, in a time that does not depend on where they differ.
    ///
    /// - Complexity: O(length); texts of different lengths differ at once, since lengths are no secret.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // SAFETY: OpenSSL reads as many bytes of both as both have.
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Bytes that nobody can foresee, from the system's chance: for keys that are made for good, and nothing else, since
    /// nobody can draw them again.
    ///
    /// - Parameter count: The number of them.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: OpenSSL writes `count` bytes into the room for as many.
        let status = unsafe RAND_priv_bytes(&bytes, Int32(count))
        precondition(status == 1, "the system has chance")
        return bytes
    }

    /// SHA-512 of a message (FIPS 180-4).
    ///
    /// - Returns: 64 bytes.
    static func sha512(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: HashFunction.sha512.length)
        // SAFETY: OpenSSL reads all bytes of the first and writes the 64 that the second has room for.
        let result = unsafe SHA512(message, message.count, &digest)
        precondition(unsafe result != nil, "OpenSSL has SHA-512")
        return digest
    }
}
