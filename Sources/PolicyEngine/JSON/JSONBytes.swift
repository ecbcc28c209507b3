/// JSON as bytes, put together piece by piece.
package struct JSONBytes {
    /// What was written so far.
    package var bytes: [UInt8] = []

    package init() {}

    /// Writes text as it stands; the caller answers for its form.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { buffer in
            // SAFETY: the buffer is the literal's own and lives for ever.
            unsafe bytes.append(contentsOf: buffer)
        }
    }

    /// Writes a string with quotes; what JSON forbids inside is escaped, other characters stand as UTF-8.
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let characters = text.utf8.span
        // Hardly any text has something to escape, and copying is faster as a whole.
        if Self.standsAsItIs(characters) {
            characters.append(0..<characters.count, to: &bytes)
        } else {
            for byte in text.utf8 { escape(byte) }
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
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        case 0..<0x20:
            raw("\\u00")
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
