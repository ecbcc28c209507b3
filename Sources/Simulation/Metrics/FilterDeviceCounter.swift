internal import PolicyEngine

/// Counts the devices that each filter matched, by the filter's name over all revisions of the account.
struct FilterDeviceCounter {
    // Filters are numbered by revision and place; a device's set holds those numbers below 64, `others` the rest.
    private var matched: [UInt64] = []
    private var others: Set<UInt64> = []

    mutating func count(_ decision: Decision) {
        let device = decision.device.offset
        if device >= matched.count {
            matched.append(contentsOf: repeatElement(0, count: device + 1 - matched.count))
        }
        for place in decision.filters {
            let number = decision.revision * AccountLimits.filters + place
            if number < 64 {
                matched[device] |= 1 << UInt64(number)
            } else {
                others.insert(UInt64(number) << 32 | UInt64(device))
            }
        }
    }

    /// The number of devices by filter name.
    func figures(history: AccountHistory) -> [String: Int] {
        var numbersByName: [String: [Int]] = [:]
        for (revision, value) in history.revisions.enumerated() {
            for (place, filter) in value.account.filters.enumerated() {
                numbersByName[filter.name, default: []].append(revision * AccountLimits.filters + place)
            }
        }
        return numbersByName.mapValues(deviceCount)
    }

    private func deviceCount(of numbers: [Int]) -> Int {
        let mask = numbers.reduce(into: UInt64(0)) { if $1 < 64 { $0 |= 1 << UInt64($1) } }
        let far = Set(numbers.filter { $0 >= 64 })
        let near = matched.lazy.filter { $0 & mask != 0 }.count
        guard !far.isEmpty else { return near }
        let farDevices = Set(others.lazy.filter { far.contains(Int($0 >> 32)) }.map { Int($0 & 0xFFFF_FFFF) })
        return near + farDevices.lazy.filter { matched[$0] & mask == 0 }.count
    }
}
