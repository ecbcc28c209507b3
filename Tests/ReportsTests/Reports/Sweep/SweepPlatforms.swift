import PolicyEngine

@testable import TestSupport

/// Apple and Google, whom all accounts of a scenario ask (R8, R9).
struct SweepPlatforms {
    /// Apple's bits, by team and hardware.
    var bits: [String: [String: ReferenceBits]] = [:]
    /// The answers of a phone to DeviceCheck, by hardware (R14.2c).
    var capabilities: [String: String] = [:]
    var outcomes: [String: String] = [:]
    // The uses of a key, by day; the answers for hardware, by minute.
    private var uses: [String: [Int: Int]] = [:]
    private var usesOfHardware: [String: [Int: Int]] = [:]

    /// R8.2–R8.5: a DeviceCheck and the flags that result from it.
    mutating func check(_ install: SweepInstall, _ account: SweepAccount, at time: Instant) -> Set<String> {
        switch capabilities[install.hardware] {
        case "unavailable": return ["devicecheck-unavailable"]
        case "invalid": return ["devicecheck-failed"]
        default:
            let isBanned = account.deviceCheck.check(
                &bits[account.team ?? "", default: [:]][install.hardware], in: Self.month(of: time))
            return isBanned ? ["devicecheck-completed", "devicecheck-ban"] : ["devicecheck-completed"]
        }
    }

    /// R8.4–R8.6: a ban or an unban of a device ID is written, if Apple can identify the device.
    mutating func write(_ mode: String, _ install: SweepInstall, _ account: SweepAccount, at time: Instant) {
        guard install.system == "ios", account.hasDeviceCheckKey, capabilities[install.hardware] == "available" else {
            return
        }
        let (team, month) = (account.team ?? "", Self.month(of: time))
        if mode == "ban" {
            account.deviceCheck.ban(&bits[team, default: [:]][install.hardware], in: month)
        } else {
            account.deviceCheck.unban(&bits[team, default: [:]][install.hardware], in: month)
        }
    }

    /// R9.2, R9.3: an attestation of SafetyNet and the flags that result from it.
    ///
    /// - Parameter hasCertificates: True if the account had app signing certificates when the app was launched.
    mutating func attest(
        _ install: SweepInstall, _ account: SweepAccount, hasCertificates: Bool, at time: Instant
    ) -> Set<String> {
        let outcome = outcomes[install.hardware] ?? "unavailable"
        guard outcome != "unavailable", grants(install.hardware, account, at: time) else {
            return ["safetynet-unavailable"]
        }
        if outcome == "pass" || outcome == "fail-cert" && !hasCertificates { return ["safetynet-completed"] }
        return ["safetynet-completed", "safetynet-\(outcome)"]
    }

    private mutating func grants(_ hardware: String, _ account: SweepAccount, at time: Instant) -> Bool {
        let (key, day, minute) = (account.safetyNetKey ?? "", time.dayNumber, time.minuteNumber)
        guard uses[key]?[day] ?? 0 < account.dailyQuota, usesOfHardware[hardware]?[minute] ?? 0 < 5 else {
            return false
        }
        uses[key, default: [:]][day, default: 0] += 1
        usesOfHardware[hardware, default: [:]][minute, default: 0] += 1
        return true
    }

    private static func month(of time: Instant) -> Int { time.date.year * 12 + time.date.month - 1 }
}
