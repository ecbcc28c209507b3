/// The state that the service keeps of one device ID between attestations (R6.5).
struct DeviceState: Equatable, Sendable {
    /// The persisted flags; all of them lie in the built-in catalogue, below index 64.
    private var persistedBits: UInt64 = 0
    /// The entry of the account in force that speaks of this device: its number plus one, 0 for none.
    var entryNumber: UInt8 = 0
    /// True if the device attested since the state was last cleared.
    var isKnown = false

    /// Of a device that attested, and that is all.
    static var attested: DeviceState {
        var state = DeviceState()
        state.isKnown = true
        return state
    }

    /// The persisted flags (R6.3–R6.5).
    var persisted: FlagSet { FlagSet(bits: UInt128(persistedBits)) }

    /// True if the device is banned and was not unbanned.
    var isBanned: Bool { persisted.contains(.deviceBan) && !persisted.contains(.deviceUnban) }

    /// Persists a flag of the built-in catalogue.
    mutating func persist(_ flag: Flag) {
        persistedBits |= UInt64(truncatingIfNeeded: flag.bit)
    }

    /// Persists some flags of the built-in catalogue instead of others.
    mutating func persist(_ flags: FlagSet, insteadOf others: FlagSet) {
        persistedBits &= ~UInt64(truncatingIfNeeded: others.bits)
        persistedBits |= UInt64(truncatingIfNeeded: flags.bits)
    }

    /// Forgets what the device did (R6.5); what the account says of it stays.
    mutating func clear() {
        persistedBits = 0
        isKnown = false
    }
}
