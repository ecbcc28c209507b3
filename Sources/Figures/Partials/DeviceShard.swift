package import PolicyEngine

/// One of a number of parts of all devices, the same on every machine: several machines share a capture by it.
///
/// The number of a device's part follows from the 24 bytes of its ID's text, by FNV-1a of 64 bits and the last mixing step of
/// MurmurHash3; the upper half of the product with the number of parts says which part it is, counted from 0.
package struct DeviceShard: Hashable, Sendable {
    /// Which part, 1 or more.
    package let number: Int
    /// The number of parts.
    package let count: Int

    /// The largest number of parts.
    package static let limit = 65_536

    /// - Returns: `nil` unless the number is one of the parts, of which there are at most ``limit``.
    package init?(number: Int, of count: Int) {
        guard (1...Self.limit).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Reads `3/8`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }), let number = Int(parts[0]),
            let count = Int(parts[1])
        else { return nil }
        self.init(number: number, of: count)
    }

    /// True if it is the first part, which counts input that belongs to no device.
    package var isFirst: Bool { number == 1 }

    /// True if a device belongs to the part.
    package func contains(_ device: DeviceID) -> Bool { Self.offset(of: device, count: count) == number - 1 }

    /// The part of a device, counted from 0.
    package static func offset(of device: DeviceID, count: Int) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        device.forEachByte { hash = (hash ^ UInt64($0)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    }
}

extension DeviceShard: CustomStringConvertible {
    /// `3/8`.
    package var description: String { "\(number)/\(count)" }
}
