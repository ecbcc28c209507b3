internal import PolicyEngine

/// Counts the devices that each filter matched, by the filter's name over all revisions of the account.
struct FilterDeviceCounter {
    // Filters are numbered by revision and place; what is kept of a device holds the lower numbers, this the rest.
    private var others: Set<UInt64> = []

    mutating func count(_ decision: Decision, entry: inout DeviceLedger.Entry) {
        for place in decision.filters {
            let number = decision.revision * AccountLimits.filters + place
            if number < DeviceLedger.Entry.filterLimit {
                entry.noteFilter(number)
            } else {
                others.insert(UInt64(number) << 32 | UInt64(decision.device.offset))
            }
        }
    }

    /// The number of devices by filter name.
    func figures(history: AccountHistory, ledger: DeviceLedger) -> [String: Int] {
        var numbersByName: [String: [Int]] = [:]
        for (revision, value) in history.revisions.enumerated() {
            for (place, filter) in value.account.filters.enumerated() {
                numbersByName[filter.name, default: []].append(revision * AccountLimits.filters + place)
            }
        }
        return numbersByName.mapValues { deviceCount(of: $0, ledger: ledger) }
    }

    private func deviceCount(of numbers: [Int], ledger: DeviceLedger) -> Int {
        let mask = numbers.reduce(into: UInt64(0)) { if $1 < DeviceLedger.Entry.filterLimit { $0 |= 1 << UInt64($1) } }
        let far = Set(numbers.filter { $0 >= DeviceLedger.Entry.filterLimit })
        let near = ledger.entries.count { $0.filters & mask != 0 }
        guard !far.isEmpty else { return near }
        let farDevices = Set(others.lazy.filter { far.contains(Int($0 >> 32)) }.map { Int($0 & 0xFFFF_FFFF) })
        return near + farDevices.lazy.filter { ledger.entries[$0].filters & mask == 0 }.count
    }
}
