extension DeviceID {
    /// The 16 bytes that the text stands for; `nil` if it is not the canonical text of any (R1.1).
    package var bytes: [UInt8]? {
        var (bits, index) = (UInt128(0), 0)
        var spare: UInt8 = 0
        forEachByte { byte in
            guard index < 22 else { return }
            let digit = Self.digit(byte)
            // 22 digits of 6 bits have 132 bits, of which the last four are spare.
            if index < 21 {
                bits = bits << 6 | UInt128(digit)
            } else {
                (bits, spare) = (bits << 2 | UInt128(digit >> 4), digit & 15)
            }
            index += 1
        }
        guard spare == 0 else { return nil }
        return stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt128($0)) }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}
