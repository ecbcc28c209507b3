internal import PolicyEngine

/// All that decisions on a record depend on, its device and its time aside. Records of one kind are decided alike.
struct RecordKind: Mixed {
    /// The flags that were observed.
    let flags: FlagSet
    /// The matches of the filters of the account that the records were kept for.
    let matches: AttributeMatches

    var mixedBits: UInt64 {
        UInt64(truncatingIfNeeded: flags.bits) ^ UInt64(truncatingIfNeeded: flags.bits >> 64) << 7 ^ matches.mixedBits
    }
}

/// The rest of what is counted of a record.
struct RecordOrigin: Mixed {
    let app: AppNumbers
    let system: OperatingSystem
    /// The service's verdict, where the capture has it.
    let capturedVerdict: Bool?

    var mixedBits: UInt64 {
        let verdict: UInt64 = capturedVerdict.map { $0 ? 1 : 2 } ?? 0
        return UInt64(UInt32(truncatingIfNeeded: app.version ?? -1)) << 4 ^ UInt64(system.rawValue) << 2 ^ verdict
    }
}

/// A value of which a capture has few different ones.
protocol Mixed: Hashable, Sendable {
    /// Bits that differ for most different values.
    var mixedBits: UInt64 { get }
}

/// Numbers for values, in the order of first sight.
struct MixedNumbers<Value: Mixed>: Sendable {
    /// By number.
    private(set) var all: [Value] = []
    private var numbers: [Value: UInt32] = [:]
    // The numbers of some of them and 1, where a part of the bits says; 0 where there is none.
    private var recent = [UInt32](repeating: 0, count: 1 << recentBits)

    private static var recentBits: Int { 14 }

    /// The number of a value, given one at first sight.
    mutating func number(of value: Value) -> UInt32 {
        let mixed = value.mixedBits &* 0x9E37_79B9_7F4A_7C15
        let slot = Int(truncatingIfNeeded: mixed >> UInt64(64 - Self.recentBits))
        let known = recent[slot]
        if known > 0, all[Int(known) - 1] == value { return known - 1 }
        let number = numbers[value] ?? UInt32(all.count)
        if number == all.count {
            numbers[value] = number
            all.append(value)
        }
        recent[slot] = number + 1
        return number
    }
}
