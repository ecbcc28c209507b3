internal import PolicyEngine
internal import Replay

/// The devices that showed each combination of values, of combinations that enough devices showed.
///
/// Larger combinations are counted only where all smaller ones have support (Agrawal, Srikant, "Fast algorithms for mining
/// association rules", VLDB 1994).
struct CombinationCounts {
    typealias Count = DeviceProfiles.Count

    private let order: Int
    // The values with support, in their order, and the key of each.
    private let values: [DeviceProfiles.Value]
    private let keys: [Int]
    private let isMultiple: [Bool]
    // Groups of devices: the indices of their values, in rising order.
    private let groups: [(values: [UInt32], count: Count)]
    private var isRemoved: [Bool]
    // The combinations by number.
    private var table = NumberTable()
    private var counts: [Count] = []
    private var hasSupport: [Bool] = []
    /// The devices that are counted.
    private(set) var total: Count
    /// The number of combinations with as many devices as support asks for.
    private(set) var tried = 0

    /// - Parameters:
    ///   - profiles: The profiles.
    ///   - order: The most values of a combination, 1 through 3.
    ///   - support: The least number of devices.
    init(_ profiles: DeviceProfiles, order: Int, support: Int) {
        self.order = order
        isMultiple = profiles.keys.map { [ProfileKey.flags.text, ProfileKey.filters.text].contains($0) }
        let (all, devices) = (profiles.values, profiles.deviceCounts)
        var least = support
        while devices.count(where: { $0 >= least }) >= Self.valueLimit { least *= 2 }
        let numbers = devices.indices.filter { devices[$0] >= least }.sorted { all[$0].precedes(all[$1]) }
        values = numbers.map { all[$0] }
        keys = values.map(\.key)
        groups = Self.groups(profiles, numbers)
        isRemoved = groups.map { _ in false }
        total = profiles.total
        for size in 1..<(order + 1) { count(size, support: least) }
    }

    // Devices that showed the same of some values.
    private static func groups(
        _ profiles: DeviceProfiles, _ values: [Int]
    ) -> [(values: [UInt32], count: Count)] {
        var indices: [UInt32?] = Array(repeating: nil, count: profiles.values.count)
        for (index, number) in values.enumerated() { indices[number] = UInt32(index) }
        var (groups, shown) = ([[UInt32]: Count](), [UInt32]())
        profiles.forEachDevice { numbers, count in
            shown.removeAll(keepingCapacity: true)
            for position in numbers.indices {
                if let index = indices[Int(numbers[position])] { shown.append(index) }
            }
            shown.sort()
            groups[shown, default: Count()] += count
        }
        return groups.map { ($0.key, $0.value) }
    }

    // A combination is one number of three parts.
    private static let partBits: UInt64 = 21
    private static let valueLimit = 1 << 21 - 1

    private static func key(_ values: [UInt32]) -> UInt64 {
        values.reduce(0) { $0 << partBits | UInt64($1 + 1) }
    }

    private mutating func count(_ size: Int, support: Int) {
        let start = counts.count
        var combinations: [UInt64] = []
        for (values, count) in groups {
            combinations.removeAll(keepingCapacity: true)
            append(size, of: values, to: &combinations)
            for key in combinations {
                let number = table.intern(key)
                if number == counts.count { counts.append(Count()) }
                counts[number] += count
            }
        }
        for number in start..<counts.count { hasSupport.append(counts[number].devices >= support) }
        tried += hasSupport[start...].count { $0 }
    }

    // Adds the combinations of a size whose parts all have support.
    private func append(_ size: Int, of values: [UInt32], to combinations: inout [UInt64]) {
        for (first, one) in values.enumerated() {
            let begun = UInt64(one + 1)
            if size == 1 { combinations.append(begun) }
            guard size > 1 else { continue }
            for second in (first + 1)..<values.count where isAllowed(one, values[second]) {
                let pair = begun << Self.partBits | UInt64(values[second] + 1)
                if size == 2 { combinations.append(pair) }
                guard size > 2, isSupported(pair) else { continue }
                for third in values[(second + 1)...]
                where isAllowed(one, third) && isAllowed(values[second], third) && isSupported(Self.key([one, third]))
                    && isSupported(Self.key([values[second], third]))
                { combinations.append(pair << Self.partBits | UInt64(third + 1)) }
            }
        }
    }

    // Two values of one attribute mean that it changed.
    private func isAllowed(_ one: UInt32, _ other: UInt32) -> Bool {
        let (left, right) = (keys[Int(one)], keys[Int(other)])
        return left != right || isMultiple[left]
    }

    private func isSupported(_ key: UInt64) -> Bool { table.number(of: key).map { hasSupport[$0] } ?? false }
}

extension CombinationCounts {
    /// The numbers of the combinations with support.
    var tested: [Int] { counts.indices.filter { hasSupport[$0] } }

    /// The devices that showed a combination, without those that were removed.
    subscript(number: Int) -> Count { counts[number] }

    /// The indices of the values of a combination, in the order of keys and values.
    func values(of number: Int) -> [UInt32] {
        var (key, values) = (table.keys[number], [UInt32]())
        while key > 0 {
            values.append(UInt32(key & (1 << Self.partBits - 1)) - 1)
            key >>= Self.partBits
        }
        return values.reversed()
    }

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
            return table.number(of: Self.key(part))
        }
    }

    /// Removes the devices that showed a combination.
    mutating func remove(_ number: Int) {
        let combination = values(of: number)
        for (index, group) in groups.enumerated()
        where !isRemoved[index] && combination.allSatisfy(group.values.contains) {
            isRemoved[index] = true
            total = total - group.count
            for size in 1..<(order + 1) {
                var combinations: [UInt64] = []
                append(size, of: group.values, to: &combinations)
                for number in combinations.compactMap({ table.number(of: $0) }) {
                    counts[number] = counts[number] - group.count
                }
            }
        }
    }
}
