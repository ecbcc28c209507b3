internal import PolicyEngine

/// The settings of an account beside policies, filters and entries: keys, certificates and registrations, in words.
struct ReferenceServices: Hashable, Sendable {
    /// Nothing where there is no DeviceCheck key.
    var deviceCheck: ReferenceDeviceCheck?
    /// Nothing where there is no SafetyNet key.
    var safetyNetKey: String?
    var dailyQuota = 10_000
    var hasCertificate = false
    /// Nothing where the account lists none.
    var registrations: [ReferenceRegistration]?

    /// The team of every account.
    static let team = "TEAM"
}

/// A registered app, in words (R15).
struct ReferenceRegistration: Hashable, Sendable {
    var signature: String
    var package: String?
    var version: String?
    var library: String?
    /// The SDK; nothing where it is not said, so that the platform is not known.
    var sdk: String?
    var isBundle = false
    var expiry: Instant?
}

/// A device and what can be found out of it, in words.
struct ReferencePhone: Hashable, Sendable {
    /// `ios`, `android` or something else.
    var system: String
    /// Equal numbers share the hardware.
    var hardware: Int
    /// The device ID that it has now.
    var id: String
    /// Its answer to DeviceCheck; `nil` if that is not simulated.
    var capability: String?
    /// The result of SafetyNet; `nil` if that is not simulated.
    var outcome: String?
    var launched: Instant
    var isFirstSinceLaunch = true
    var isRegistered = true
}

/// The settings of an account for Apple's bits, as the rules have them (R8.3–R8.8), in words.
struct ReferenceDeviceCheck: Hashable, Sendable {
    /// `none`, `bit0`, `bit1` or `both`.
    var bits: String
    /// In months.
    var expiry = 12

    /// A completed DeviceCheck; true if it finds the device banned.
    func check(_ known: inout ReferenceBits?, in month: Int) -> Bool {
        let found = unexpired(known, in: month)
        switch bits {
        case "bit0": return found?.bit0 ?? false
        case "bit1": return found?.bit1 ?? false
        case "both":
            // R8.5: not found, write 0; found, write one more, and no more than 3.
            var count = 0
            if let found { count = found.count == 3 ? 3 : found.count + 1 }
            known = ReferenceBits(count: count, month: month)
            return count == 3
        default: return false
        }
    }

    /// A ban of the device ID becomes one of the device (R8.4, R8.5).
    func ban(_ known: inout ReferenceBits?, in month: Int) {
        change(&known, in: month, toBanned: true)
    }

    /// An unban of the device ID lifts the ban of the device (R8.6).
    func unban(_ known: inout ReferenceBits?, in month: Int) {
        change(&known, in: month, toBanned: false)
    }

    // R8.3: too old is as good as not found.
    private func unexpired(_ known: ReferenceBits?, in month: Int) -> ReferenceBits? {
        known.flatMap { month - $0.month > expiry ? nil : $0 }
    }

    private func change(_ known: inout ReferenceBits?, in month: Int, toBanned isBanned: Bool) {
        var changed = unexpired(known, in: month) ?? ReferenceBits(count: 0, month: month)
        changed.month = month
        switch bits {
        case "bit0": changed.bit0 = isBanned
        case "bit1": changed.bit1 = isBanned
        case "both": changed = ReferenceBits(count: isBanned ? 3 : 0, month: month)
        default: return
        }
        known = changed
    }
}

/// The two bits that Apple keeps of a device, and the month of their last change (R8.3).
struct ReferenceBits: Hashable, Sendable, CustomStringConvertible {
    var bit0 = false
    var bit1 = false
    /// Months since January of the year 0.
    var month: Int

    /// Both as a number: bit 0 counts one, bit 1 counts two.
    var count: Int { (bit0 ? 1 : 0) + (bit1 ? 2 : 0) }

    /// Such as `2 of 2018-03`.
    var description: String {
        let number = month % 12 + 1
        return "\(count) of \(month / 12)-\(number < 10 ? "0" : "")\(number)"
    }

    init(count: Int, month: Int) {
        bit0 = count == 1 || count == 3
        bit1 = count == 2 || count == 3
        self.month = month
    }
}
