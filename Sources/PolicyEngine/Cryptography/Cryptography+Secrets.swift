internal import CCrypto

// What secrets need: chance, comparison that tells nothing, and the hash of 512-bit secrets.
extension Cryptography {
    /// Whether two texts have the same bytes, in a time that does not depend on where they differ.
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
    /// - Parameter count: How many.
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
