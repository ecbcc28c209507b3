/// The form in which JSON-RPC messages follow one another.
package enum MessageFraming: Sendable {
    /// Behind a header with `Content-Length`, as the Language Server Protocol has them.
    case header
    /// One on each line, as the Model Context Protocol has them.
    case line
}

/// Cuts a stream of bytes into JSON-RPC messages, each as soon as it is complete.
package struct MessageStream {
    /// The maximum number of bytes of a message: 64 MiB, so that a document of 16 MiB fits although most characters are escaped.
    package static let longestMessage = 64 << 20
    /// The maximum number of bytes of a header.
    static let longestHeader = 4096

    private let framing: MessageFraming
    private var bytes: [UInt8] = []
    // The offset of the first byte behind the messages that were returned.
    private var start = 0
    // The offset up to which the end of a line or of a header was searched for.
    private var searched = 0

    package init(_ framing: MessageFraming) { self.framing = framing }

    /// Takes the next bytes.
    package mutating func take(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            (start, searched) = (0, max(0, searched - start))
        }
        bytes += more
    }

    /// The next message; `nil` until more bytes come.
    ///
    /// - Throws: ``FramingFailure``, after which nothing of the stream can be read.
    package mutating func next() throws(FramingFailure) -> [UInt8]? {
        switch framing {
        case .header: try messageBehindHeader()
        case .line: try messageOfLine()
        }
    }

    // The next line that is not blank.
    private mutating func messageOfLine() throws(FramingFailure) -> [UInt8]? {
        while true {
            let from = max(start, searched)
            guard let end = bytes[from...].firstIndex(of: UInt8(ascii: "\n")) else {
                searched = bytes.count
                guard bytes.count - start <= Self.longestMessage else { throw .tooLong }
                return nil
            }
            let line = bytes[start..<end]
            (start, searched) = (end + 1, end + 1)
            guard line.count <= Self.longestMessage else { throw .tooLong }
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { return Array(line) }
        }
    }

    private mutating func messageBehindHeader() throws(FramingFailure) -> [UInt8]? {
        guard let end = try endOfHeader() else { return nil }
        let length = try Self.length(in: bytes[start..<end])
        guard length <= Self.longestMessage else { throw .tooLong }
        guard bytes.count - end >= length else { return nil }
        let message = Array(bytes[end..<end + length])
        (start, searched) = (end + length, end + length)
        return message
    }

    // The offset behind the blank line that ends the header; `nil` if it has not come yet. A header may end its lines with a line
    // feed alone.
    private mutating func endOfHeader() throws(FramingFailure) -> Int? {
        var index = start
        var isLineEmpty = true
        while index < min(bytes.count, start + Self.longestHeader) {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                if isLineEmpty { return index + 1 }
                isLineEmpty = true
            case UInt8(ascii: "\r"): break
            default: isLineEmpty = false
            }
            index += 1
        }
        guard bytes.count - start < Self.longestHeader else { throw .noLength }
        return nil
    }

    private static func length(in header: ArraySlice<UInt8>) throws(FramingFailure) -> Int {
        for line in String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            let digits = parts[1].drop { $0 == " " || $0 == "\t" }
            if !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(digits) {
                return length
            }
        }
        throw .noLength
    }

    /// A message with the header before it or the newline behind it.
    package static func framed(_ message: [UInt8], _ framing: MessageFraming) -> [UInt8] {
        switch framing {
        case .header: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
        case .line: message + [UInt8(ascii: "\n")]
        }
    }
}

/// The reason why no further message of a stream can be read.
package enum FramingFailure: Error, Hashable, CustomStringConvertible {
    /// A header is too long, or has no valid `Content-Length`.
    case noLength
    /// A message has more than ``MessageStream/longestMessage`` bytes.
    case tooLong

    package var description: String {
        switch self {
        case .noLength: "a message does not begin with the header `Content-Length`"
        case .tooLong: "a message is longer than \(MessageStream.longestMessage) bytes"
        }
    }
}
