internal import Glibc

/// Files that are read as a whole: scenarios, accounts, changes.
package enum TextFile {
    /// Reads and parses a YAML file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``FileFailure`` when it cannot be read; what is wrong inside is in the result.
    package static func parse(path: String) throws(FileFailure) -> ParsedDocument {
        YAMLParser.parse(bytes: try bytes(path: path), path: path)
    }

    /// Reads and parses a YAML file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - diagnostics: Gets why it cannot be read; what is wrong inside is in the result.
    /// - Returns: `nil` after noting an error.
    package static func parse(path: String, diagnostics: inout Diagnostics) -> ParsedDocument? {
        diagnostics.attempt(in: path) { () throws(FileFailure) in try parse(path: path) }
    }

    /// Reads the bytes of a file, one more than a document may have at most.
    package static func bytes(path: String) throws(FileFailure) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { throw FileFailure(errno) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= DocumentLimits.maximumBytes {
            let count = unsafe block.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer has room for the bytes asked for.
                unsafe fread(buffer.baseAddress, 1, buffer.count, file)
            }
            bytes += block.prefix(count)
            if count == 0 { break }
        }
        guard unsafe ferror(file) == 0 else { throw FileFailure(errno) }
        return bytes
    }
}

/// Why a file could not be read or written, in the system's words.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `no such file or directory` and the like.
    package let description: String
    /// Whether a pipe was written to that nobody reads any more.
    package let isClosedPipe: Bool

    /// Takes the words for an error number of the system.
    package init(_ number: Int32) {
        // SAFETY: strerror returns a string that lives until the next call on this thread, and is copied here.
        let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        isClosedPipe = number == EPIPE
        description = words.prefix(1).lowercased() + words.dropFirst()
    }
}
