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
