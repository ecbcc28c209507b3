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
