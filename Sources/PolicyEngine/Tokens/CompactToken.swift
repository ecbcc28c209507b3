/// A token in its parts, before anything of it is believed.
struct CompactToken {
    /// What its header says.
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

    /// Whether it has the parts of an encrypted token.
    var isEncrypted: Bool { parts.count == 5 }

    /// The bytes that a signature is over: header and claims as they stand, and the `.` between them.
    var signedBytes: [UInt8] { Array(bytes[..<parts[1].endIndex]) }

    /// The bytes that belong to an encrypted content without being secret.
    var authenticatedBytes: [UInt8] { Array(parts[0]) }

    /// The bytes of a part.
    ///
    /// - Parameters:
    ///   - place: Its number, counted from 0.
    ///   - name: What it is, for the error.
    func bytes(_ place: Int, _ name: TokenPart) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64.bytes(of: parts[place]) else { throw .badEncoding(name) }
        return bytes
    }
}
