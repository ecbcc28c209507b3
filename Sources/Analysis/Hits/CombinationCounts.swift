internal import PolicyEngine
internal import Replay

/// The devices that showed each combination of values, of combinations that enough devices showed.
///
/// A combination is counted only where all smaller ones have this support (Agrawal, Srikant, "Fast algorithms for mining
/// association rules", VLDB 1994).
struct CombinationCounts {
    typealias Count = DeviceProfiles.Count

    // The values with support, in their order.
    private let values: [DeviceProfiles.Value]
    private let devices: DeviceCombinations
    private var isRemoved: [Bool]
    // The combinations by number.
    private var table = Numbering<UInt64>()
    private var counts: [Count] = []
    /// The devices that are counted.
    private(set) var total: Count

    /// - Parameters:
    ///   - order: The most values of a combination, 1 through 3.
    ///   - support: The least number of devices.
    init(_ profiles: DeviceProfiles, order: Int, support: Int) {
        let (all, shown) = (profiles.values, profiles.deviceCounts)
        var least = support
        while shown.count(where: { $0 >= least }) >= DeviceCombinations.valueLimit { least *= 2 }
        let numbers = shown.indices.filter { shown[$0] >= least }.sorted { all[$0].precedes(all[$1]) }
        values = numbers.map { all[$0] }
        devices = DeviceCombinations(profiles, of: numbers, order: order)
        isRemoved = devices.indices.map { _ in false }
        total = profiles.total
        var (table, counts) = (Numbering<UInt64>(), [Count]())
        devices.forEach(of: devices.indices) { key, count in
            guard count.devices >= least else { return false }
            _ = table.number(of: key)
            counts.append(count)
            return true
        }
        (self.table, self.counts) = (table, counts)
    }

    /// The combinations with as many devices as support asks for, by their numbers.
    var numbers: Range<Int> { counts.indices }

    /// The devices that showed a combination, without those that were removed.
    subscript(number: Int) -> Count { counts[number] }

    /// The indices of the values of a combination, in the order of keys and values.
    func values(of number: Int) -> [UInt32] { DeviceCombinations.values(of: table.keys[number]) }

    /// The values of a combination.
    func profileValues(of number: Int) -> [DeviceProfiles.Value] {
        values(of: number).map { values[Int($0)] }
    }

    /// The numbers of the combinations with one value less.
    func parts(of number: Int) -> [Int] {
        let values = values(of: number)
        guard values.count > 1 else { return [] }
        return values.indices.compactMap { index in
            var part = values
            part.remove(at: index)
            return table.known(DeviceCombinations.key(part))
        }
    }

    /// Removes the devices that showed a combination.
    mutating func remove(_ number: Int) {
        let combination = values(of: number)
        let removed = devices.indices.filter { !isRemoved[$0] && devices.shows(combination, $0) }
        for device in removed {
            isRemoved[device] = true
            total = total - devices[device]
        }
        var counts = counts
        devices.forEach(of: removed) { key, count in
            guard let number = table.known(key) else { return false }
            counts[number] = counts[number] - count
            return true
        }
        self.counts = counts
    }
}
