internal import PolicyEngine
internal import Replay

/// The devices that showed each combination of values, of combinations that enough devices showed.
///
/// Larger combinations are counted only where all smaller ones have support (Agrawal, Srikant, "Fast algorithms for mining
/// association rules", VLDB 1994).
struct CombinationCounts {
    typealias Count = (devices: Int, affected: Int)

    private let profileValues: [DeviceProfiles.Value]
    private let isMultiple: [Bool]
    private let order: Int
    // The values with support, by their index the number in the profiles.
    private var values: [Int] = []
    // Groups of devices: the indices of their values, in rising order.
    private var groups: [(values: [Int], count: Count)] = []
    private var isRemoved: [Bool]
    // The combinations by number.
    private var table = NumberTable()
    private var counts: [Count] = []
    private var hasSupport: [Bool] = []
    /// The devices that are counted.
    private(set) var total: Count = (0, 0)
    /// The number of combinations with as many devices as support asks for.
    private(set) var tried = 0

    /// - Parameters:
    ///   - profiles: The finished profiles.
    ///   - order: The most values of a combination, 1 through 3.
    ///   - support: The least number of devices.
    init(_ profiles: DeviceProfiles, order: Int, support: Int) {
        profileValues = profiles.values
        isMultiple = profiles.keys.map { [ProfileKey.flags.text, ProfileKey.filters.text].contains($0) }
        self.order = order
        isRemoved = []
        let devices = profiles.deviceCounts
        var least = support
        while devices.count(where: { $0 >= least }) >= Self.valueLimit { least *= 2 }
        values = devices.indices.filter { devices[$0] >= least }
        let indices = Dictionary(uniqueKeysWithValues: values.enumerated().map { (UInt32($1), $0) })
        var merged: [[Int]: Count] = [:]
        for (numbers, group) in profiles.groups {
            let key = numbers.compactMap { indices[$0] }
            merged[key, default: (0, 0)].devices += group.devices
            merged[key, default: (0, 0)].affected += group.affected
            total.devices += group.devices
            total.affected += group.affected
        }
        groups = merged.map { ($0.key, $0.value) }
        isRemoved = groups.map { _ in false }
        for size in 1..<(order + 1) { count(size, support: least) }
    }

    // A combination is one number of three parts.
    private static let partBits: UInt64 = 21
    private static let valueLimit = 1 << 21 - 1

    private static func key(_ values: [Int]) -> UInt64 {
        values.reduce(0) { $0 << partBits | UInt64($1 + 1) }
    }

    private mutating func count(_ size: Int, support: Int) {
        let start = counts.count
        for (values, count) in groups {
            forEach(size, of: values) { key in
                let number = table.intern(key)
                if number == counts.count { counts.append((0, 0)) }
                counts[number].devices += count.devices
                counts[number].affected += count.affected
            }
        }
        for number in start..<counts.count { hasSupport.append(counts[number].devices >= support) }
        tried += hasSupport[start...].count { $0 }
    }

    // Goes through the combinations of a size whose parts all have support.
    private func forEach(_ size: Int, of values: [Int], _ body: (UInt64) -> Void) {
        for (first, one) in values.enumerated() {
            if size == 1 {
                body(Self.key([one]))
                continue
            }
            let partners = values[(first + 1)...].filter { other in
                isAllowed(one, other) && (size == 2 || isSupported([one, other]))
            }
            for (second, other) in partners.enumerated() {
                if size == 2 {
                    body(UInt64(one + 1) << Self.partBits | UInt64(other + 1))
                    continue
                }
                for third in partners[(second + 1)...] where isAllowed(other, third) && isSupported([other, third]) {
                    body(Self.key([one, other, third]))
                }
            }
        }
    }

    // Two values of one attribute mean that it changed.
    private func isAllowed(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (profileValues[values[one]].key, profileValues[values[other]].key)
        return left != right || isMultiple[left]
    }

    private func isSupported(_ values: [Int]) -> Bool {
        table.number(of: Self.key(values)).map { hasSupport[$0] } ?? false
    }
}

extension CombinationCounts {
    /// The numbers of the combinations with support.
    var tested: [Int] { counts.indices.filter { hasSupport[$0] } }

    /// The devices that showed a combination, without those that were removed.
    subscript(number: Int) -> Count { counts[number] }

    /// The indices of the values of a combination, in the order of keys and values.
    func values(of number: Int) -> [Int] {
        var (key, values) = (table.keys[number], [Int]())
        while key > 0 {
            values.append(Int(key & (1 << Self.partBits - 1)) - 1)
            key >>= Self.partBits
        }
        return values.reversed()
    }

    /// The values of a combination.
    func profileValues(of number: Int) -> [DeviceProfiles.Value] {
        values(of: number).map { profileValues[values[$0]] }
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
            total.devices -= group.count.devices
            total.affected -= group.count.affected
            for size in 1..<(order + 1) {
                var numbers: [Int] = []
                forEach(size, of: group.values) { key in
                    if let number = table.number(of: key) { numbers.append(number) }
                }
                for number in numbers {
                    counts[number].devices -= group.count.devices
                    counts[number].affected -= group.count.affected
                }
            }
        }
    }
}
