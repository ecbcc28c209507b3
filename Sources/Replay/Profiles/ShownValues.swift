internal import PolicyEngine

/// The values that each device of a shard showed.
///
/// Most records of a device show what its latest one showed: then there is nothing to note.
struct ShownValues {
    private let keys: [ProfileKey]
    private let registry: ValueRegistry
    // By device.
    private var latest = AlignedArray<Shown>()
    // Earlier values of devices: the device, the key, and the number of the value.
    private var earlier = Numbering<UInt64>()

    private struct Shown: BitwiseCopyable {
        var numbers = SIMD8<UInt32>.zero
        var flags = FlagSet.empty.bits
        var filters = FilterSet.empty.bits
        var hasPassed = false
        var hasFailed = false

        /// Notes a record.
        ///
        /// - Returns: The values before and after it; `nil` if they are the same.
        mutating func note(
            _ record: KeyedNumbers, _ flags: FlagSet, _ decision: Decision
        ) -> (before: KeyedNumbers, after: KeyedNumbers)? {
            self.flags |= flags.bits
            filters |= decision.filters.bits
            if decision.passed { hasPassed = true } else { hasFailed = true }
            let before = KeyedNumbers(lanes: numbers)
            let after = record.over(before)
            guard after != before else { return nil }
            numbers = after.lanes
            return (before, after)
        }
    }

    // A shard has fewer devices than 2^29.
    private static func key(_ device: Int, _ key: Int, _ number: UInt32) -> UInt64 {
        UInt64(device) << 35 | UInt64(key) << 32 | UInt64(number)
    }

    /// - Parameters:
    ///   - keys: The kinds of values.
    ///   - registry: The values of all readers.
    init(_ keys: [ProfileKey], _ registry: ValueRegistry) {
        precondition(keys.count <= KeyedNumbers.limit, "there are few keys")
        (self.keys, self.registry) = (keys, registry)
    }

    /// Notes the values of a record.
    ///
    /// - Parameters:
    ///   - numbers: Those of the record keys.
    ///   - flags: The flags of the attestation.
    ///   - decision: The decision on it.
    mutating func note(_ numbers: KeyedNumbers, flags: FlagSet, decision: Decision) {
        let device = decision.device.offset
        if device >= latest.count { latest.append(repeating: Shown(), count: device + 1 - latest.count) }
        guard let (before, after) = latest[device].note(numbers, flags, decision) else { return }
        for key in keys.indices where before[key] != after[key] {
            if let number = before[key] { _ = earlier.number(of: Self.key(device, key, number)) }
        }
    }

    /// The profiles of the devices.
    ///
    /// - Parameters:
    ///   - symbols: The numbering of devices and flags.
    ///   - filterNames: The names of the account's filters.
    ///   - outcomes: What a change does to each device; `nil` if nothing is compared.
    func profiles(
        symbols: borrowing SymbolTable, filterNames: [String], outcomes: DoubtedOutcomes?
    ) -> DeviceProfiles {
        var profiles = DeviceProfiles(keys: keys.map(\.text), registry, isInDoubt: outcomes?.doubtful != nil)
        let flagNames = symbols.catalogue.flags.map(\.name)
        let flags = numbers(of: .flags, flagNames)
        let filters = numbers(of: .filters, filterNames)
        let verdicts = numbers(of: .verdict, ["pass", "fail"])
        let earlier = earlier.keys.sorted()
        var (position, numbers) = (0, [UInt32]())
        for device in latest.indices {
            let shown = latest[device]
            guard shown.hasPassed || shown.hasFailed else { continue }
            numbers.removeAll(keepingCapacity: true)
            let last = KeyedNumbers(lanes: shown.numbers)
            for key in keys.indices { if let number = last[key] { numbers.append(number) } }
            while position < earlier.count, Int(earlier[position] >> 35) == device {
                let number = UInt32(truncatingIfNeeded: earlier[position])
                // It may have come back to a value.
                if last[Int(earlier[position] >> 32 & 7)] != number { numbers.append(number) }
                position += 1
            }
            for flags in flags { FlagSet(bits: shown.flags).forEachIndex { numbers.append(flags[$0]) } }
            for filters in filters {
                for filter in FilterSet(bits: shown.filters) where filter < filters.count {
                    numbers.append(filters[filter])
                }
            }
            for verdicts in verdicts {
                if shown.hasPassed { numbers.append(verdicts[0]) }
                if shown.hasFailed { numbers.append(verdicts[1]) }
            }
            profiles.add(
                numbers, device: symbols.devices[DeviceIndex(offset: device)], outcomes?.sure[device],
                inDoubt: outcomes?.doubtful?[device])
        }
        return profiles
    }

    // For each key of a kind, the numbers of some names.
    private func numbers(of kind: ProfileKey, _ names: [String]) -> [[UInt32]] {
        keys.indices.filter { keys[$0] == kind }.map { key in
            names.map { registry.number(of: DeviceProfiles.Value(key: key, text: $0)) }
        }
    }
}
