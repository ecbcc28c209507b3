/// DeviceCheck as an account uses it while it has a key: what is asked of Apple, and what is written (R8).
struct DeviceCheckIntegration: Sendable {
    private let team: String
    private let bits: DeviceCheckSettings.Bits
    private let expiry: Int

    /// The integration of an account.
    ///
    /// - Returns: `nil` where no key is set (R8.7).
    init?(_ account: Account) {
        guard let settings = account.deviceCheck, settings.keyID != nil else { return nil }
        team = account.developerTeam
        bits = settings.bits
        expiry = settings.expiry
    }

    /// The DeviceCheck of a device ID that has not completed one (R8.2–R8.5, R8.8).
    ///
    /// - Parameters:
    ///   - capability: The answer of the physical device.
    ///   - device: The physical device.
    ///   - time: Now.
    ///   - service: Apple's side.
    /// - Returns: The flags to persist, instead of those of earlier checks.
    func check(
        _ capability: DeviceCheckCapability, of device: PhysicalDevice, at time: Instant,
        with service: inout DeviceCheckService
    ) -> FlagSet {
        switch capability {
        case .unavailable: [.deviceCheckUnavailable]
        case .invalid: [.deviceCheckFailed]
        case .available:
            findsBan(of: device, in: CalendarMonth(of: time), with: &service)
                ? [.deviceCheckCompleted, .deviceCheckBan] : [.deviceCheckCompleted]
        }
    }

    /// Makes the ban of a device ID one of the physical device (R8.4, R8.5).
    func ban(_ device: PhysicalDevice, at time: Instant, with service: inout DeviceCheckService) {
        write(of: device, at: time, with: &service) { known in
            switch bits {
            case .none: nil
            case .bit0, .bit1: known | mask
            case .both: DeviceCheckSetting.maximum
            }
        }
    }

    /// Lifts the ban of a physical device (R8.6).
    func unban(_ device: PhysicalDevice, at time: Instant, with service: inout DeviceCheckService) {
        write(of: device, at: time, with: &service) { known in
            switch bits {
            case .none: nil
            case .bit0, .bit1: known & ~mask
            case .both: 0
            }
        }
    }

    // The bit that carries bans, where one does.
    private var mask: UInt8 { bits == .bit1 ? 2 : 1 }

    private func findsBan(
        of device: PhysicalDevice, in month: CalendarMonth, with service: inout DeviceCheckService
    ) -> Bool {
        switch bits {
        case .none: return false
        case .bit0, .bit1: return unexpired(of: device, in: month, with: service).map { $0.bits & mask != 0 } ?? false
        case .both:
            // The count of installs: the first one is 0, and from the fourth on the device is banned (R8.5).
            let before = unexpired(of: device, in: month, with: service)?.bits
            let count = before.map { min(DeviceCheckSetting.maximum, $0 + 1) } ?? 0
            service.update(device, team: team, bits: count, in: month)
            return count == DeviceCheckSetting.maximum
        }
    }

    // R8.3: a setting that lies too far back counts as not found.
    private func unexpired(
        of device: PhysicalDevice, in month: CalendarMonth, with service: DeviceCheckService
    ) -> DeviceCheckSetting? {
        service.query(device, team: team).flatMap { $0.changed.months(until: month) > expiry ? nil : $0 }
    }

    // The bit that the account does not use may be another account's, and so stays as it is, unless the setting is too
    // old (R8.3).
    private func write(
        of device: PhysicalDevice, at time: Instant, with service: inout DeviceCheckService,
        _ change: (UInt8) -> UInt8?
    ) {
        let month = CalendarMonth(of: time)
        guard let changed = change(unexpired(of: device, in: month, with: service)?.bits ?? 0) else { return }
        service.update(device, team: team, bits: changed, in: month)
    }
}
