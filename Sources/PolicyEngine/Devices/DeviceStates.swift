/// The states that the service keeps of all devices (R6.5).
///
/// Most of them say no more than that the device attested, which takes a byte: the bytes of many devices stay near the
/// processor, where whole states would not.
struct DeviceStates {
    // By device number.
    private var kinds = AlignedArray<Kind>()
    // The devices of which more is remembered, and by their number among those what it is.
    private var others = NumberTable()
    private var states: [DeviceState] = []

    private enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Nothing is remembered.
        case unknown
        /// It attested, and that is all.
        case known
        /// It has a state of its own.
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

    /// Has what is remembered of a device fetched from the computer's memory.
    @inline(__always)
    func prefetch(_ device: DeviceIndex) {
        if device.offset < kinds.count { kinds.prefetch(device.offset) }
    }

    /// Forgets what devices did (R6.5); what the account says of them stays.
    mutating func clear() {
        for offset in kinds.indices where kinds[offset] == .known { kinds[offset] = .unknown }
        for number in states.indices { states[number].clear() }
    }

    /// Takes the entries that an account has for devices, in place of those before.
    ///
    /// - Parameter devices: The device of each entry.
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
        others.number(of: UInt64(device.number)).map { states[$0] } ?? DeviceState()
    }

    @inline(never)
    private mutating func keep(_ state: DeviceState, of device: DeviceIndex) {
        if device.offset >= kinds.count {
            kinds.append(repeating: .unknown, count: device.offset + 1 - kinds.count)
        }
        if kinds[device.offset] != .other { kinds[device.offset] = Self.kind(of: state) }
        guard kinds[device.offset] == .other else { return }
        let number = others.intern(UInt64(device.number))
        if number == states.count { states.append(state) } else { states[number] = state }
    }

    private static func kind(of state: DeviceState) -> Kind {
        state == DeviceState() ? .unknown : state == .attested ? .known : .other
    }
}
