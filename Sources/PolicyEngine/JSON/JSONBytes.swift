/// JSON as bytes, put together piece by piece.
package struct JSONBytes: Sendable {
    /// The bytes that were written so far.
    package var bytes: [UInt8] = []

    package init() {}

    /// Writes text as it is; the caller answers for its form.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { buffer in
            // SAFETY: the buffer is the literal's own and lives for ever.
            unsafe bytes.append(contentsOf: buffer)
        }
    }

    /// Writes a string with quotes. Characters that JSON forbids inside are escaped, and so are those that a terminal might act
    /// on or does not show, such as those that turn the direction; all others are written as UTF-8.
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let characters = text.utf8.span
        // Few texts have something to escape, and copying is faster as a whole.
        if Self.standsAsItIs(characters) {
            characters.append(0..<characters.count, to: &bytes)
        } else {
            for scalar in text.unicodeScalars { escape(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    package mutating func integer(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var (rest, start) = (value.magnitude, bytes.count)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        var end = bytes.count - 1
        while start < end {
            bytes.swapAt(start, end)
            start += 1
            end -= 1
        }
    }

    /// Writes an instant with quotes, as RFC 3339 in UTC.
    package mutating func instant(_ instant: Instant) {
        let date = instant.date
        let second = instant.secondsSinceEpoch - instant.dayNumber * Instant.secondsPerDay
        bytes.append(UInt8(ascii: "\""))
        padded(date.year, width: 4)
        bytes.append(UInt8(ascii: "-"))
        padded(date.month, width: 2)
        bytes.append(UInt8(ascii: "-"))
        padded(date.day, width: 2)
        bytes.append(UInt8(ascii: "T"))
        padded(second / 3600, width: 2)
        bytes.append(UInt8(ascii: ":"))
        padded(second / 60 % 60, width: 2)
        bytes.append(UInt8(ascii: ":"))
        padded(second % 60, width: 2)
        raw("Z\"")
    }

    private mutating func padded(_ value: Int, width: Int) {
        var bound = 10
        for _ in 1..<width {
            if value < bound { bytes.append(UInt8(ascii: "0")) }
            bound *= 10
        }
        integer(value)
    }

    private static func standsAsItIs(_ characters: Span<UInt8>) -> Bool {
        for index in characters.indices {
            let byte = characters[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": raw("\\\"")
        case "\\": raw("\\\\")
        case "\u{08}": raw("\\b")
        case "\t": raw("\\t")
        case "\n": raw("\\n")
        case "\u{0C}": raw("\\f")
        case "\r": raw("\\r")
        default:
            guard Self.isControlling(scalar) else {
                return bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
            for unit in UTF16.encode(scalar) ?? .init() {
                raw("\\u")
                for shift in [12, 8, 4, 0] { bytes.append(Self.digits[Int(unit >> shift & 15)]) }
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    // Control characters, what ends lines or annotates, and what Unicode says is not seen, such as what turns the direction.
    private static func isControlling(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
