internal import PolicyEngine

/// The network that an address belongs to, by its first bits.
///
/// Of an IPv6 address twice as many bits count as of an IPv4 address, so that one key groups both alike: 24 and 48 bits are
/// usually a site, 32 and 64 bits one customer.
struct NetworkPrefix: CustomStringConvertible {
    // The 16 bytes of an IPv6 address, or the 4 of an IPv4 address, without the bits behind the prefix.
    private let bytes: [UInt8]
    private let length: Int

    /// - Parameters:
    ///   - text: An address, such as `192.0.2.82` or `2001:db8::1`; one of IPv4 that is written as IPv6 is one of IPv4.
    ///   - length: The bits of an IPv4 address, 1 through 32.
    /// - Returns: `nil` for a text that is not an address.
    init?(_ text: [UInt8], length: Int) {
        guard var bytes = Self.dotted(text) ?? Self.coloned(text) else { return nil }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
        if bytes.count == 16, bytes.starts(with: mapped) { bytes.removeFirst(12) }
        self.length = bytes.count == 4 ? length : 2 * length
        for bit in self.length..<(8 * bytes.count) { bytes[bit / 8] &= ~(0x80 >> UInt8(bit % 8)) }
        self.bytes = bytes
    }

    /// Such as `192.0.0.0/16` and `2001:db8::/32` (RFC 5952).
    var description: String {
        if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") + "/\(length)" }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        let zeros = Self.longestZeros(groups)
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        let address = zeros.count < 2 ? text(0..<8) : text(0..<zeros.lowerBound) + "::" + text(zeros.upperBound..<8)
        return "\(address)/\(length)"
    }

    private static func longestZeros(_ groups: [Int]) -> Range<Int> {
        var (best, start) = (0..<0, 0)
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > best.count {
                best = start..<index + 1
            }
        }
        return best
    }

    /// The number of an IPv4 address, which is four numbers of up to 255; `nil` for another text.
    static func address(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        var (address, part, digits, parts) = (UInt32(0), UInt32(0), 0, 1)
        for index in range {
            if bytes[index] == UInt8(ascii: ".") {
                guard digits > 0, parts < 4 else { return nil }
                (address, part, digits, parts) = (address << 8 | part, 0, 0, parts + 1)
            } else {
                guard bytes[index].isDigit, digits < 3 else { return nil }
                part = part * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
                digits += 1
                guard part <= 255 else { return nil }
            }
        }
        return digits > 0 && parts == 4 ? address << 8 | part : nil
    }

    private static func dotted(_ text: [UInt8]) -> [UInt8]? {
        address(text.span, 0..<text.count).map { address in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }
        }
    }

    // Eight groups; `::` stands for any number of them, and an IPv4 address for the last two (RFC 4291, 2.2).
    private static func coloned(_ text: [UInt8]) -> [UInt8]? {
        let text = String(decoding: text.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        let pieces = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        let halves = pieces.compactMap { groups($0[...]) }
        guard halves.count == pieces.count, let head = halves.first else { return nil }
        guard halves.count == 2 else { return halves.count == 1 && head.count == 16 ? head : nil }
        let missing = 16 - head.count - halves[1].count
        return missing >= 2 ? head + Array(repeating: 0, count: missing) + halves[1] : nil
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let last = dotted(Array(part.utf8)) {
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.isHexadecimalDigit }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }
}
