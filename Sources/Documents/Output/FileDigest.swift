internal import CCrypto
internal import CLibrary

/// The SHA-256 of a file, so that a report can say exactly what it was made from.
package struct FileDigest: Hashable, Sendable {
    /// The number of bytes of the file.
    package let size: Int
    /// The digest in 64 hexadecimal digits.
    package let text: String

    /// Bytes that are read at a time.
    private static let blockBytes = 1 << 18

    /// The length of a regular file; `nil` for anything else, such as a pipe.
    package static func size(of path: String) -> Int? {
        FileLocation(path).isRegularFile ? SystemCall.status(of: path).map { Int($0.st_size) } : nil
    }

    /// The digest of some bytes.
    package init(of bytes: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        // SAFETY: `bytes.count` bytes of the array are read, and the other has room for a digest of this length.
        unsafe SHA256(bytes, bytes.count, &digest)
        (size, text) = (bytes.count, Self.text(of: digest))
    }

    /// The name that git gives to the content of a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - digits: The number of digits of names in the repository: 40, or 64 if it names by SHA-256.
    /// - Returns: `nil` for any other number of digits.
    static func blobName(of bytes: [UInt8], digits: Int) -> String? {
        let named = Array("blob \(bytes.count)\0".utf8) + bytes
        if digits == SHA256_DIGEST_LENGTH * 2 { return FileDigest(of: named).text }
        guard digits == SHA_DIGEST_LENGTH * 2 else { return nil }
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        // SAFETY: `named.count` bytes of the array are read, and the other has room for a digest of this length.
        unsafe SHA1(named, named.count, &digest)
        return text(of: digest)
    }

    private static func text(of digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The SHA-256 of the length of a regular file and of some of its bytes, from the start to the end of it, in hexadecimal
    /// digits: it tells files apart without reading all of a long one. Up to 4 MiB are read whole.
    ///
    /// - Returns: `nil` for what is not a regular file, and for a file that cannot be read.
    package static func sample(of path: String) -> String? {
        guard let size = size(of: path), let file = unsafe fopen(path, "rb") else { return nil }
        // SAFETY: opened above, and used by nobody behind this function.
        defer { unsafe fclose(file) }
        var bytes = Array("\(size)|".utf8)
        let last = max(0, size - sampleBytes)
        let starts =
            size <= sampleBytes * sampleCount
            ? Array(stride(from: 0, to: size, by: sampleBytes))
            : (0..<sampleCount).map { last / (sampleCount - 1) * $0 } + [last]
        for start in starts {
            guard unsafe fseek(file, start, SEEK_SET) == 0 else { return nil }
            var block = [UInt8](repeating: 0, count: sampleBytes)
            let length = unsafe block.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer has room for the bytes asked for.
                unsafe fread(buffer.baseAddress, 1, buffer.count, file)
            }
            guard unsafe ferror(file) == 0 else { return nil }
            bytes += block.prefix(length)
        }
        return FileDigest(of: bytes).text
    }

    private static let (sampleBytes, sampleCount) = (65_536, 64)

    /// Reads a file once more, block by block.
    ///
    /// - Parameter path: The file.
    /// - Returns: `nil` for what is not a regular file, such as a pipe, and for a file that cannot be read.
    /// - Complexity: O(length of the file); a fixed amount of memory.
    package init?(path: String) {
        guard FileLocation(path).isRegularFile, let file = unsafe fopen(path, "rb") else { return nil }
        // SAFETY: opened above, and used by nobody behind this function.
        defer { unsafe fclose(file) }
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("there is memory for a digest") }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe EVP_MD_CTX_free(context) }
        precondition(unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "OpenSSL has SHA-256")
        var (block, size) = ([UInt8](repeating: 0, count: Self.blockBytes), 0)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer has room for the bytes asked for, and OpenSSL reads only those that were read.
                let count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
                unsafe EVP_DigestUpdate(context, buffer.baseAddress, count)
                return count
            }
            guard count > 0 else { break }
            size += count
        }
        guard unsafe ferror(file) == 0 else { return nil }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        // SAFETY: the array has room for a digest of this length.
        unsafe EVP_DigestFinal_ex(context, &digest, nil)
        self.size = size
        text = Self.text(of: digest)
    }
}
