/// The states that the service keeps of all devices (R6.5).
///
/// Most states say no more than that the device attested, so they are kept as one byte: the bytes of many devices stay in the
/// processor's caches, where whole states would not.
struct DeviceStates {
    // The kind of each device's state, by the number of the device.
    private var kinds = AlignedArray<Kind>()
    // Numbers for the devices with a state of their own, and these states by those numbers.
    private var numbers = Numbering<UInt64>()
    private var states: [DeviceState] = []

    private enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Nothing is remembered of the device.
        case unknown
        /// The device attested, and nothing else is remembered of it.
        case known
        /// The device has a state of its own, and keeps it even when that says no more than another kind.
        case other
    }

    /// The state of a device.
    ///
    /// - Complexity: O(1).
    subscript(device: DeviceIndex) -> DeviceState {
        @inline(__always) get {
            guard device.offset < kinds.count else { return DeviceState() }
            switch kinds[device.offset] {
            case .unknown: return DeviceState()
            case .known: return .attested
            case .other: return ownState(of: device)
            }
        }
        set { keep(newValue, of: device) }
    }

    /// Asks the processor to fetch the kind of a device's state from memory, ahead of its use.
    @inline(__always)
    func prefetch(_ device: DeviceIndex) {
        if device.offset < kinds.count { kinds.prefetch(device.offset) }
    }

    /// Forgets what all devices did (R6.5), but not which of them have entries in the account.
    mutating func clear() {
        for offset in kinds.indices where kinds[offset] == .known { kinds[offset] = .unknown }
        for number in states.indices { states[number].clear() }
    }

    /// Takes the entries that an account has for devices, in place of the entries of an earlier account.
    ///
    /// - Parameter devices: The device of each entry, in the order of the entries; at most ``AccountLimits/devices``.
    mutating func link(_ devices: [DeviceIndex]) {
        for number in states.indices { states[number].entryNumber = 0 }
        for (number, device) in devices.enumerated() { self[device].entryNumber = UInt8(number + 1) }
    }

    /// The number of devices with a ban that was persisted and still counts (R6.3, R6.4).
    ///
    /// - Complexity: O(devices with a state of their own).
    var bannedCount: Int { states.count { $0.isBanned } }

    @inline(never)
    private func ownState(of device: DeviceIndex) -> DeviceState {
        numbers.known(UInt64(device.number)).map { states[$0] } ?? DeviceState()
    }

    @inline(never)
    private mutating func keep(_ state: DeviceState, of device: DeviceIndex) {
        if device.offset >= kinds.count {
            kinds.append(repeating: .unknown, count: device.offset + 1 - kinds.count)
        }
        if kinds[device.offset] != .other { kinds[device.offset] = Self.kind(of: state) }
        guard kinds[device.offset] == .other else { return }
        let number = numbers.number(of: UInt64(device.number))
        if number == states.count { states.append(state) } else { states[number] = state }
    }

    private static func kind(of state: DeviceState) -> Kind {
        state == DeviceState() ? .unknown : state == .attested ? .known : .other
    }
}

/// The state that the service keeps of one device ID between attestations (R6.5).
struct DeviceState: Equatable, Sendable {
    /// The persisted flags, a bit for each. All of them are in the built-in catalogue, at indices below 64.
    private var persistedBits: UInt64 = 0
    /// The number plus one of the entry that the account in force has for this device; 0 if it has none.
    var entryNumber: UInt8 = 0
    /// True if the device attested since the state was last cleared.
    var isKnown = false

    /// The state of a device that attested, and of which nothing else is remembered.
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

    /// Forgets what the device did (R6.5), but not its entry in the account.
    mutating func clear() {
        persistedBits = 0
        isKnown = false
    }
}
