internal import PolicyEngine

/// Goes through a text and finds what looks like a device ID or an address. A part in doubt counts as one.
struct IdentityScanner {
    /// The kind of a part of the text.
    enum Kind {
        case nothing, device, address
    }

    private let bytes: [UInt8]
    // The offset that the scan has reached.
    private var position = 0
    // Up to where the bytes are known to be no device ID, and no address with colons.
    private var idsEnd = 0
    private var colonsEnd = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next part; `nil` at the end.
    ///
    /// - Complexity: O(length) for all parts together.
    mutating func next() -> (kind: Kind, range: Range<Int>)? {
        guard position < bytes.count else { return nil }
        let start = position
        if let found = device() ?? dotted() ?? coloned() {
            position = found.range.upperBound
            return found
        }
        position = plainEnd
        return (.nothing, start..<position)
    }

    // 22 digits of base64 or more, and `==`.
    private mutating func device() -> (kind: Kind, range: Range<Int>)? {
        guard position >= idsEnd else { return nil }
        var end = position
        while end < bytes.count, bytes[end].isBase64Digit { end += 1 }
        idsEnd = end
        guard end - position >= DeviceID.length - 2, end + 2 <= bytes.count, bytes[end] == UInt8(ascii: "="),
            bytes[end + 1] == UInt8(ascii: "=")
        else { return nil }
        return (.device, position..<end + 2)
    }

    // Four numbers or more with dots between them. In patterns dots are escaped, and three numbers with one more dot are the
    // beginning of an address.
    private func dotted() -> (kind: Kind, range: Range<Int>)? {
        var (end, numbers, isBeginning) = (position, 0, false)
        while end < bytes.count, bytes[end].isDigit {
            while end < bytes.count, bytes[end].isDigit { end += 1 }
            numbers += 1
            guard let next = dotEnd(end) else { break }
            guard next < bytes.count, bytes[next].isDigit else {
                isBeginning = next > end + 1
                break
            }
            end = next
        }
        return numbers >= 4 || numbers == 3 && isBeginning ? (.address, position..<end) : nil
    }

    // To where a dot goes: `.`, `[.]`, or `\.`, whose backslash may be escaped itself.
    private func dotEnd(_ start: Int) -> Int? {
        var position = start
        while position < bytes.count, Self.isEscape(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return nil }
        let isBracket = start < position && bytes[start] == UInt8(ascii: "[")
        return isBracket && position + 1 < bytes.count ? position + 2 : position + 1
    }

    /// True for a byte that escapes the dots of an address in a pattern, and does not belong to the address.
    static func isEscape(_ byte: UInt8) -> Bool { #"\[]"#.utf8.contains(byte) }

    // Groups of hexadecimal digits with colons between them: three colons or more, or two that follow one another. A time has
    // two, and a line and a column are between single ones.
    private mutating func coloned() -> (kind: Kind, range: Range<Int>)? {
        guard position >= colonsEnd else { return nil }
        if isColon(position), !isColon(position + 1) { return nil }
        var (end, hasColon) = (position, false)
        while end < bytes.count, bytes[end].isAddressByte {
            hasColon = hasColon || bytes[end] == UInt8(ascii: ":")
            end += 1
        }
        colonsEnd = end
        guard hasColon else { return nil }
        let isWord = end < bytes.count && (bytes[end].isLetter || bytes[end].isDigit)
        while end > position, bytes[end - 1] == UInt8(ascii: ".") || isColon(end - 1) && !isColon(end - 2) { end -= 1 }
        let colons = (position..<end).filter(isColon)
        let isShortened = zip(colons, colons.dropFirst()).contains { $0 + 1 == $1 }
        let hasDigits = (position..<end).contains { !isColon($0) && bytes[$0] != UInt8(ascii: ".") }
        return hasDigits && !isWord && (colons.count >= 3 || isShortened) ? (.address, position..<end) : nil
    }

    private func isColon(_ offset: Int) -> Bool { bytes.indices.contains(offset) && bytes[offset] == UInt8(ascii: ":") }

    // To where the kind of byte changes: nothing that is looked for starts before.
    private var plainEnd: Int {
        var end = position + 1
        while end < bytes.count, bytes[end].identityClass == bytes[end - 1].identityClass { end += 1 }
        return end
    }
}

extension UInt8 {
    fileprivate var isHexadecimalLetter: Bool { isLetter && UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

    fileprivate var isAddressByte: Bool {
        isDigit || isHexadecimalLetter || self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
    }

    fileprivate var identityClass: Int {
        if isDigit { return 0 }
        if isHexadecimalLetter { return 1 }
        if isBase64Digit { return 2 }
        return isAddressByte ? 3 : 4
    }
}
