internal import Replay

/// Devices by the values that they showed, for going through the combinations of these.
///
/// A combination is extended by values that come after its own, depth first: so each comes up once, and its devices are at
/// hand (Zaki, "Scalable algorithms for association mining", TKDE 12(3), 2000).
struct DeviceCombinations {
    typealias Count = DeviceProfiles.Count

    private let order: Int
    // By value: its key, and true if several values of that key occur together on one device.
    private let keys: [Int]
    private let isMultiple: [Bool]
    // Device by device: its values in rising order, the end of these, and the device as a count.
    private var values: [UInt32] = []
    private var ends: [Int] = []
    private var counts: [Count] = []

    /// - Parameters:
    ///   - profiles: The profiles of the devices.
    ///   - numbers: The values that are combined, by their numbers in the profiles; key by key.
    ///   - order: The most values of a combination, 1 through 3.
    init(_ profiles: DeviceProfiles, of numbers: [Int], order: Int) {
        self.order = order
        let all = profiles.values
        keys = numbers.map { all[$0].key }
        isMultiple = keys.map { [ProfileKey.flags.text, ProfileKey.filters.text].contains(profiles.keys[$0]) }
        var indices: [UInt32?] = Array(repeating: nil, count: all.count)
        for (index, number) in numbers.enumerated() { indices[number] = UInt32(index) }
        profiles.forEachDevice { numbers, count in
            let start = values.count
            for position in numbers.indices {
                if let index = indices[Int(numbers[position])] { values.append(index) }
            }
            values[start...].sort()
            ends.append(values.count)
            counts.append(count)
        }
    }

    /// The devices.
    var indices: Range<Int> { counts.indices }

    /// A device as a count.
    subscript(device: Int) -> Count { counts[device] }

    /// True if a device showed some values.
    func shows(_ some: [UInt32], _ device: Int) -> Bool { some.allSatisfy(values[range(of: device)].contains) }

    private func range(of device: Int) -> Range<Int> { (device == 0 ? 0 : ends[device - 1])..<ends[device] }

    // MARK: Combinations

    // A combination is one number of up to three parts.
    private static let partBits: UInt64 = 21
    /// The greatest number of values.
    static let valueLimit = 1 << 21 - 1

    /// The number that stands for values in rising order.
    static func key(_ values: [UInt32]) -> UInt64 { values.reduce(0) { $0 << partBits | UInt64($1 + 1) } }

    /// The values of a combination, in rising order.
    static func values(of key: UInt64) -> [UInt32] {
        var (key, values) = (key, [UInt32]())
        while key > 0 {
            values.append(UInt32(key & (1 << partBits - 1)) - 1)
            key >>= partBits
        }
        return values.reversed()
    }

    /// Goes through the combinations that some devices showed, in no order.
    ///
    /// - Parameter body: Takes a combination and those of the devices that showed it; returns true if larger ones are asked for.
    /// - Complexity: O(devices × values of a device to the power of the order), and less where few are extended.
    func forEach(of devices: some Sequence<Int>, _ body: (_ key: UInt64, Count) -> Bool) {
        var tallies = Array(repeating: Tally(), count: keys.count)
        let occurrences = devices.map { Occurrence(device: UInt32($0), rest: UInt32(range(of: $0).lowerBound)) }
        extend(0, size: 0, occurrences[...], &tallies, body)
    }

    // A device that showed a combination, and the place where the values that may extend it begin. There are fewer than 2^32.
    private struct Occurrence: BitwiseCopyable {
        let device: UInt32
        let rest: UInt32
    }

    // The occurrences of a combination with one more value; the tallies of all values are zero in between.
    private struct Tally {
        var count = Count()
        var occurrences = 0
        // The place of the next of them; negative if the combination is not extended.
        var place = -1
    }

    private func extend(
        _ key: UInt64, size: Int, _ occurrences: ArraySlice<Occurrence>, _ tallies: inout [Tally],
        _ body: (_ key: UInt64, Count) -> Bool
    ) {
        var found: [UInt32] = []
        for occurrence in occurrences {
            let count = counts[Int(occurrence.device)]
            for position in Int(occurrence.rest)..<ends[Int(occurrence.device)] {
                let value = Int(values[position])
                if tallies[value].occurrences == 0 { found.append(values[position]) }
                tallies[value].count += count
                tallies[value].occurrences += 1
            }
        }
        var larger: [(key: UInt64, range: Range<Int>)] = []
        for value in found {
            let (tally, extended) = (tallies[Int(value)], key << Self.partBits | UInt64(value + 1))
            tallies[Int(value)] = Tally()
            guard body(extended, tally.count), size + 1 < order else { continue }
            let start = larger.last?.range.upperBound ?? 0
            tallies[Int(value)].place = start
            larger.append((extended, start..<start + tally.occurrences))
        }
        guard let last = larger.last else { return }
        let sorted = sorted(occurrences, count: last.range.upperBound, &tallies)
        for value in found { tallies[Int(value)] = Tally() }
        for (key, range) in larger { extend(key, size: size + 1, sorted[range], &tallies, body) }
    }

    // The occurrences of each combination with one more value that is extended, at its place.
    private func sorted(
        _ occurrences: ArraySlice<Occurrence>, count: Int, _ tallies: inout [Tally]
    ) -> [Occurrence] {
        var sorted = Array(repeating: Occurrence(device: 0, rest: 0), count: count)
        for occurrence in occurrences {
            let end = ends[Int(occurrence.device)]
            for position in Int(occurrence.rest)..<end {
                let value = Int(values[position])
                guard tallies[value].place >= 0 else { continue }
                sorted[tallies[value].place] = Occurrence(
                    device: occurrence.device, rest: UInt32(rest(behind: position, before: end)))
                tallies[value].place += 1
            }
        }
        return sorted
    }

    // Two values of one attribute mean that it changed: only flags and filters are combined with one another.
    private func rest(behind position: Int, before end: Int) -> Int {
        let value = Int(values[position])
        var rest = position + 1
        guard !isMultiple[value] else { return rest }
        while rest < end, keys[Int(values[rest])] == keys[value] { rest += 1 }
        return rest
    }
}
