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
