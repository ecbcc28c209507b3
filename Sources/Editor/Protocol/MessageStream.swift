/// The form in which JSON-RPC messages follow one another.
package enum MessageFraming: Sendable {
    /// Behind a header with `Content-Length`, as the Language Server Protocol has them.
    case header
    /// One on each line, as the Model Context Protocol has them.
    case line
}

/// Takes bytes as they come, and gives messages as soon as they are complete.
package struct MessageStream {
    /// The longest message: a document of 16 MiB, most of whose characters are escaped.
    package static let longestMessage = 64 << 20
    /// The longest header.
    static let longestHeader = 4096

    private let framing: MessageFraming
    private var bytes: [UInt8] = []
    // The bytes before it were given already.
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
    /// - Throws: ``FramingFailure``; nothing that follows can be understood.
    package mutating func next() throws(FramingFailure) -> [UInt8]? {
        switch framing {
        case .header: try messageBehindHeader()
        case .line: try messageOfLine()
        }
    }

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

    // Behind the blank line; a header may end its lines with a line feed alone.
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

    /// A message with what surrounds it.
    package static func framed(_ message: [UInt8], _ framing: MessageFraming) -> [UInt8] {
        switch framing {
        case .header: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
        case .line: message + [UInt8(ascii: "\n")]
        }
    }
}

/// Why no message can be taken from a stream any more.
package enum FramingFailure: Error, Hashable, CustomStringConvertible {
    case noLength
    case tooLong

    package var description: String {
        switch self {
        case .noLength: "a message does not begin with the header `Content-Length`"
        case .tooLong: "a message is longer than \(MessageStream.longestMessage) bytes"
        }
    }
}
