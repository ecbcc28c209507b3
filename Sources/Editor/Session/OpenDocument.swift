internal import Documents

/// A document that the client shows, with what it has not saved.
struct OpenDocument: Sendable {
    let uri: String
    let path: String
    private(set) var version: Int
    private(set) var positions: TextPositions
    // Made when it is asked for.
    private var analysed: AnalysedFile?

    init(uri: String, version: Int, text: String) {
        (self.uri, self.version) = (uri, version)
        path = FileURI.path(of: uri)
        positions = TextPositions(Array(text.utf8))
    }

    /// The document with its tree, its tokens and its names.
    mutating func file() -> AnalysedFile {
        if let analysed { return analysed }
        let file = AnalysedFile(path: path, positions: positions)
        analysed = file
        return file
    }

    /// A part of the text that the client has changed; all of it without a range.
    struct Change {
        let range: (start: TextPosition, end: TextPosition)?
        let text: String
    }

    /// Makes changes, one after another.
    mutating func change(_ changes: [Change], to version: Int, _ encoding: PositionEncoding) {
        for change in changes {
            var bytes = positions.bytes
            if let range = change.range {
                let start = positions.byte(at: range.start, encoding)
                bytes.replaceSubrange(
                    start..<max(start, positions.byte(at: range.end, encoding)), with: change.text.utf8)
            } else {
                bytes = Array(change.text.utf8)
            }
            positions = TextPositions(bytes)
        }
        (self.version, analysed) = (version, nil)
    }
}

/// Addresses of files, as clients give them.
package enum FileURI {
    private static let scheme = "file://"

    /// The path of a file; an address that is none stays as it is.
    static func path(of uri: String) -> String {
        guard uri.hasPrefix(scheme) else { return uri }
        let rest = uri.dropFirst(scheme.count)
        // The name of a host may come before the path.
        guard let slash = rest.firstIndex(of: "/") else { return uri }
        return decoded(rest[slash...].utf8)
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        var (bytes, rest) = ([UInt8](), text[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The address of a file, by its absolute path.
    package static func uri(of path: String) -> String {
        let location = path.hasPrefix("/") ? path : FileLocation(path).path
        return scheme
            + location.utf8.map { byte in
                let isPlain = byte.isLetterOrDigit || "/-._~".utf8.contains(byte)
                let digits = String(byte, radix: 16, uppercase: true)
                return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
            }.joined()
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
