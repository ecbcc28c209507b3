package import Figures
package import PolicyEngine

/// The devices of captures by the values that they showed.
package struct DeviceProfiles: Sendable {
    /// The keys as they were typed.
    package let keys: [String]
    private let registry: ValueRegistry
    // Device by device, the numbers of its values, and the end of those of each.
    private var numbers: [UInt32] = []
    private var ends: [Int] = []
    private var outcomes: [ShownDevices.Count] = []
    // Device by device, the effect of the change, and the same without what depends on new devices; parts do not have them.
    private var turns: [(sure: DeviceOutcome, doubtful: DeviceOutcome)] = []
    private var identifiers: [DeviceID] = []
    private var isInDoubt: Bool

    package typealias Value = ProfiledValue

    /// Counts of devices.
    package struct Count: Hashable, Sendable {
        /// Those of which it is known what the change does to them; all, if nothing is compared.
        package var devices = 0
        /// The newly rejected ones among them.
        package var affected = 0

        package init() {}

        package static func += (left: inout Count, right: Count) {
            left.devices += right.devices
            left.affected += right.affected
        }

        package static func - (left: Count, right: Count) -> Count {
            var difference = left
            difference.devices -= right.devices
            difference.affected -= right.affected
            return difference
        }
    }

    /// - Parameters:
    ///   - keys: The keys as they were typed.
    ///   - isInDoubt: True if outcomes without what depends on new devices are given, too, and no record has `new-did`.
    package init(keys: [String], isInDoubt: Bool = false) {
        self.init(keys: keys, ValueRegistry(), isInDoubt: isInDoubt)
    }

    init(keys: [String], _ registry: ValueRegistry, isInDoubt: Bool) {
        (self.keys, self.registry, self.isInDoubt) = (keys, registry, isInDoubt)
    }

    /// The values by number; there may be some that no device showed.
    package var values: [Value] { registry.values }

    /// The number of devices.
    package var count: Int { ends.count }

    /// The number of a value, given one at first sight.
    package func number(of text: String, key: Int) -> UInt32 { registry.number(of: Value(key: key, text: text)) }

    /// Adds a device.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of its values, each once, in any order.
    ///   - device: The device.
    ///   - outcome: The effect of the change on it; `nil` if nothing is compared.
    ///   - doubted: The same without what depends on new devices.
    package mutating func add(
        _ numbers: [UInt32], device: DeviceID, _ outcome: DeviceOutcome? = nil, inDoubt doubted: DeviceOutcome? = nil
    ) {
        let (sure, doubtful) = (outcome ?? .unaffected, doubted ?? outcome ?? .unaffected)
        add(
            numbers,
            ShownDevices.Count(
                devices: sure.devices, affected: sure.affected, doubtfulDevices: doubtful.devices,
                doubtfulAffected: doubtful.affected))
        // Of a comparison, nobody asks which devices they are.
        if outcome == nil { identifiers.append(device) } else { turns.append((sure, doubtful)) }
    }

    private mutating func add(_ numbers: [UInt32], _ count: ShownDevices.Count) {
        self.numbers += numbers
        ends.append(self.numbers.count)
        outcomes.append(count)
    }

    /// Adds other devices, with the same keys.
    package mutating func add(_ other: DeviceProfiles) {
        isInDoubt = isInDoubt && other.isInDoubt
        let start = numbers.count
        if other.registry === registry {
            numbers += other.numbers
        } else {
            let renumbered = other.values.map(registry.number)
            numbers += other.numbers.map { renumbered[Int($0)] }
        }
        ends += other.ends.map { $0 + start }
        outcomes += other.outcomes
        identifiers += other.identifiers
        turns += other.turns
    }
}

extension DeviceProfiles {
    /// Goes through the devices of which it is known what the change does to them.
    ///
    /// - Parameter body: Gets the numbers of a device's values, in no order, and the device as a count.
    package func forEachDevice(_ body: (_ numbers: Span<UInt32>, _ count: Count) -> Void) {
        let all = numbers
        var start = 0
        for (end, outcomes) in zip(ends, outcomes) {
            var count = Count()
            count.devices = isInDoubt ? outcomes.doubtfulDevices : outcomes.devices
            count.affected = isInDoubt ? outcomes.doubtfulAffected : outcomes.affected
            if count.devices > 0 { body(all.span.extracting(start..<end), count) }
            start = end
        }
    }

    /// Goes through the devices that are newly accepted; of profiles of a comparison that are not of parts.
    ///
    /// - Parameter body: Gets the numbers of a device's values, in no order.
    package func forEachAcceptedDevice(_ body: (_ numbers: Span<UInt32>) -> Void) {
        let all = numbers
        var start = 0
        for (end, turn) in zip(ends, turns) {
            if (isInDoubt ? turn.doubtful : turn.sure).contains(.accepted) { body(all.span.extracting(start..<end)) }
            start = end
        }
    }

    /// All devices that count.
    package var total: Count {
        var total = Count()
        forEachDevice { total += $1 }
        return total
    }

    /// By the number of each value, the devices that showed it.
    package var deviceCounts: [Int] {
        var counts = Array(repeating: 0, count: values.count)
        forEachDevice { numbers, count in
            for index in numbers.indices { counts[Int(numbers[index])] += count.devices }
        }
        return counts
    }

    /// By key, the number of devices that showed any of some values of it.
    ///
    /// - Parameter isCounted: True for the values that count.
    package func devices(showingAny isCounted: (Value) -> Bool) -> [Int] {
        let keysOfCounted = values.map { isCounted($0) ? $0.key : nil }
        var (counts, device) = (keys.map { _ in 0 }, 0)
        // By key, the latest device that counts, from 1.
        var latest = counts
        forEachDevice { numbers, count in
            device += 1
            for index in numbers.indices {
                guard let key = keysOfCounted[Int(numbers[index])], latest[key] != device else { continue }
                latest[key] = device
                counts[key] += count.devices
            }
        }
        return counts
    }

    /// The values that some device showed, with the number of those that did; in no order.
    package var shownValues: [(value: Value, devices: Int)] {
        zip(values, deviceCounts).filter { $0.1 > 0 }.map { ($0, $1) }
    }

    /// The devices that showed all of some values; of profiles of which nothing is compared.
    package func devices(showing wanted: [Value]) -> Set<DeviceID> {
        let known = values
        var (found, start) = (Set<DeviceID>(), 0)
        for (device, end) in zip(identifiers, ends) {
            let shown = numbers[start..<end]
            if wanted.allSatisfy({ value in shown.contains { known[Int($0)] == value } }) { found.insert(device) }
            start = end
        }
        return found
    }

    /// True if a device is among them; of profiles of which nothing is compared.
    package func has(_ device: DeviceID) -> Bool { identifiers.contains(device) }

    /// The number of devices that are in other profiles, too; of profiles of which nothing is compared.
    package func commonDevices(with other: DeviceProfiles) -> Int {
        var table = DeviceTable()
        for device in identifiers { _ = table.intern(device) }
        return other.identifiers.count { table.index(of: $0) != nil }
    }
}

// MARK: Parts

extension DeviceProfiles {
    /// The profiles of parts.
    package init(_ shown: ShownDevices) {
        self.init(keys: shown.keys, isInDoubt: shown.isInDoubt)
        let renumbered = shown.values.map { number(of: $0.text.text, key: $0.key) }
        for (numbers, count) in shown.groups { add(numbers.map { renumbered[$0] }, count) }
    }

    /// The devices of a part of a comparison.
    package var shown: ShownDevices {
        var shown = ShownDevices(keys: keys, isInDoubt: isInDoubt)
        let values = values
        var (renumbered, start) = ([UInt32: Int](), 0)
        for (end, count) in zip(ends, outcomes) {
            let row = numbers[start..<end].map { number in
                if let known = renumbered[number] { return known }
                let value = values[Int(number)]
                let new = shown.number(of: ShownDevices.Value(key: value.key, text: ExactText(value.text)))
                renumbered[number] = new
                return new
            }
            shown.add(count, of: row)
            start = end
        }
        return shown
    }
}

extension DeviceOutcome {
    fileprivate var devices: Int { isEmpty ? 0 : 1 }
    fileprivate var affected: Int { contains(.rejected) ? 1 : 0 }
}
