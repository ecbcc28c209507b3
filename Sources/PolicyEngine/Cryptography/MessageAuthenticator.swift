internal import CCrypto

/// HMAC under one key (RFC 2104), prepared once for many messages; for one thread at a time.
@safe
final class MessageAuthenticator {
    /// The bytes of a code.
    let length: Int
    // SAFETY: made in `init`, freed in `deinit`, never handed out; `appendCode` keeps the object until it
    // returns. The class is not `Sendable`.
    private let context: OpaquePointer

    /// Prepares a key.
    ///
    /// - Parameters:
    ///   - key: Any bytes; none as well.
    ///   - hash: The hash function.
    init(key: [UInt8], hash: HashFunction) {
        length = hash.length
        guard let algorithm = unsafe EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil) else {
            preconditionFailure("OpenSSL has HMAC")
        }
        // SAFETY: the context keeps a reference of its own.
        defer { unsafe EVP_MAC_free(algorithm) }
        guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { preconditionFailure("there is memory for a key") }
        unsafe self.context = context
        // OpenSSL takes a null pointer for "the key as before", so an empty key points at a byte that is not read.
        let (pointedAt, count) = (key.isEmpty ? [0] : key, key.count)
        var name = Array(hash.rawValue.utf8CString)
        let status = unsafe OSSL_MAC_PARAM_DIGEST.withCString { parameter in
            unsafe name.withUnsafeMutableBufferPointer { name in
                unsafe pointedAt.withUnsafeBufferPointer { key in
                    // SAFETY: a parameter keeps the pointers to its name and its value, which both live through the
                    // call. OpenSSL reads both up to their zero and `count` bytes of the key, and copies them.
                    var parameters = unsafe [
                        OSSL_PARAM_construct_utf8_string(parameter, name.baseAddress, 0),
                        OSSL_PARAM_construct_end(),
                    ]
                    return unsafe EVP_MAC_init(context, key.baseAddress, count, &parameters)
                }
            }
        }
        precondition(status == 1, "OpenSSL has HMAC with the SHA-2 family")
    }

    deinit {
        // SAFETY: this is the only owner. OpenSSL wipes the key first.
        unsafe EVP_MAC_CTX_free(context)
    }

    /// Appends the code of some bytes to others.
    ///
    /// - Parameters:
    ///   - message: Any bytes; none as well.
    ///   - code: Gets ``length`` bytes more.
    /// - Complexity: O(length of the message).
    func appendCode(of message: [UInt8], to code: inout [UInt8]) {
        defer { withExtendedLifetime(self) {} }
        // Without a key the one that was prepared is taken again.
        var status = unsafe EVP_MAC_init(context, nil, 0, nil)
        status &= unsafe message.withUnsafeBufferPointer { bytes in
            // SAFETY: OpenSSL reads `count` bytes.
            unsafe EVP_MAC_update(context, bytes.baseAddress, bytes.count)
        }
        let (start, room) = (code.count, length)
        code.append(contentsOf: repeatElement(0, count: room))
        var written = 0
        status &= unsafe code.withUnsafeMutableBufferPointer { bytes in
            // SAFETY: the room behind `start` was made above, and OpenSSL is given its size.
            unsafe EVP_MAC_final(context, bytes.baseAddress.map { unsafe $0 + start }, &written, room)
        }
        precondition(status == 1 && written == room, "OpenSSL makes a code of any bytes")
    }

    /// The code of some bytes.
    func code(of message: [UInt8]) -> [UInt8] {
        var code: [UInt8] = []
        appendCode(of: message, to: &code)
        return code
    }
}
