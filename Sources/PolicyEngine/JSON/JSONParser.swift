/// Reads JSON strictly (RFC 8259): UTF-8, no name twice, nothing behind the document, and not nested deeper than a limit.
package struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0
    private let maximumNesting: Int

    /// The depth to which arrays and objects may nest, unless another limit is given.
    package static let maximumNesting = 16

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: All of it; white space may surround it.
    ///   - maximumNesting: The depth to which arrays and objects may nest.
    /// - Throws: ``JSONFailure``: the first thing that is wrong.
    /// - Complexity: O(number of bytes).
    package static func parse(
        _ bytes: [UInt8], maximumNesting: Int = maximumNesting
    ) throws(JSONFailure) -> JSONContent {
        var parser = JSONParser(bytes: bytes, maximumNesting: maximumNesting)
        parser.skipSpace()
        let content = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.offset == bytes.count else { throw parser.failure("there is more text behind the document") }
        return content
    }

    private init(bytes: [UInt8], maximumNesting: Int) {
        self.bytes = bytes
        self.maximumNesting = maximumNesting
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ message: String) -> JSONFailure { JSONFailure(message: message, offset: offset) }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSONContent {
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(ExactText(try string()))
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("the document ends too early")
        case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: return .number(try number())
        default: throw failure("no value starts like this")
        }
    }

    private mutating func word(_ word: String, _ content: JSONContent) throws(JSONFailure) -> JSONContent {
        guard bytes[offset...].starts(with: word.utf8) else { throw failure("no value starts like this") }
        offset += word.utf8.count
        return content
    }

    private mutating func expect(_ byte: UInt8, _ message: String) throws(JSONFailure) {
        guard next == byte else { throw failure(message) }
        offset += 1
    }
}

// Collections.
extension JSONParser {
    private mutating func object(depth: Int) throws(JSONFailure) -> JSONContent {
        var members: [JSONMember] = []
        var names: Set<ExactText> = []
        try list(depth: depth, end: UInt8(ascii: "}")) { parser throws(JSONFailure) in
            guard parser.next == UInt8(ascii: "\"") else { throw parser.failure("a name is missing") }
            let name = ExactText(try parser.string())
            guard names.insert(name).inserted else { throw parser.failure("a name is given twice") }
            parser.skipSpace()
            try parser.expect(UInt8(ascii: ":"), "`:` is missing")
            parser.skipSpace()
            members.append(JSONMember(name, try parser.value(depth: depth)))
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONFailure) -> JSONContent {
        var items: [JSONContent] = []
        try list(depth: depth, end: UInt8(ascii: "]")) { parser throws(JSONFailure) in
            items.append(try parser.value(depth: depth))
        }
        return .array(items)
    }

    private mutating func list(
        depth: Int, end: UInt8, _ readItem: (inout JSONParser) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        guard depth <= maximumNesting else { throw failure("values nest deeper than \(maximumNesting)") }
        offset += 1
        skipSpace()
        if next == end {
            offset += 1
            return
        }
        while true {
            try readItem(&self)
            skipSpace()
            if next == end { break }
            try expect(UInt8(ascii: ","), "`,` is missing")
            skipSpace()
        }
        offset += 1
    }
}

// Scalars.
extension JSONParser {
    private mutating func number() throws(JSONFailure) -> String {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") {
            offset += 1
        } else {
            try digits()
        }
        if next == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func digits() throws(JSONFailure) {
        let start = offset
        while next?.isDigit == true { offset += 1 }
        if offset == start { throw failure("a digit is missing") }
    }

    private mutating func string() throws(JSONFailure) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("a text contains a control character") }
            if byte == UInt8(ascii: "\\") {
                offset += 1
                text += Array(String(try escaped()).utf8)
            } else {
                text.append(byte)
                offset += 1
            }
        }
        try expect(UInt8(ascii: "\""), "a text has no end")
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("a text is not UTF-8") }
        return string
    }

    private mutating func escaped() throws(JSONFailure) -> Character {
        let byte = next
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Character(Unicode.Scalar(byte ?? 0))
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return Character(try scalar())
        default: throw failure("nothing is escaped like this")
        }
    }

    private mutating func scalar() throws(JSONFailure) -> Unicode.Scalar {
        var value = try unit()
        if 0xD800...0xDBFF ~= value {
            guard bytes[min(offset, bytes.count)...].starts(with: "\\u".utf8) else {
                throw failure("half a character is escaped")
            }
            offset += 2
            let low = try unit()
            guard 0xDC00...0xDFFF ~= low else { throw failure("half a character is escaped") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("half a character is escaped") }
        return scalar
    }

    private mutating func unit() throws(JSONFailure) -> UInt32 {
        let end = offset + 4
        guard end <= bytes.count, bytes[offset..<end].allSatisfy(\.isHexDigit),
            let unit = UInt32(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits are missing") }
        offset = end
        return unit
    }
}

/// Why some bytes are no JSON document.
package struct JSONFailure: Error, Hashable, Sendable {
    /// The mistake, for people; it contains nothing of the document.
    package let message: String
    /// The byte at which it is, counted from 0.
    package let offset: Int
}
