package import PolicyEngine

/// The devices of captures by the values that they showed; devices that showed the same are one group.
package struct DeviceProfiles: Sendable {
    /// The keys as they were typed.
    package let keys: [String]
    /// The values by number; in the order of the keys and of their bytes once they are finished.
    package private(set) var values: [Value] = []
    /// By the numbers of the values that they showed, in rising order.
    package private(set) var groups: [[UInt32]: Group] = [:]
    /// The devices, in no order.
    package private(set) var devices: Set<DeviceID> = []
    private var numbers: [Value: UInt32] = [:]
    private var isInDoubt: Bool

    /// A value of a key.
    package struct Value: Hashable, Sendable {
        /// The index of the key.
        package let key: Int
        private let exactText: ExactText

        package var text: String { exactText.text }

        package init(key: Int, text: String) { (self.key, exactText) = (key, ExactText(text)) }

        /// True if it comes first in the order of keys and bytes.
        package func precedes(_ other: Value) -> Bool { (key, exactText) < (other.key, other.exactText) }
    }

    /// Devices that showed the same values.
    package struct Group: Hashable, Sendable {
        /// Those of which it is known what the change does to them; all, if nothing is compared.
        package var devices = 0
        /// The newly rejected ones among them.
        package var affected = 0
        // The same without what depends on new devices.
        fileprivate var devicesInDoubt = 0
        fileprivate var affectedInDoubt = 0
    }

    /// - Parameters:
    ///   - keys: The keys as they were typed.
    ///   - isInDoubt: True if outcomes without what depends on new devices are given, too, and no record has `new-did`.
    package init(keys: [String], isInDoubt: Bool = false) { (self.keys, self.isInDoubt) = (keys, isInDoubt) }

    /// The number of a value, given one at first sight.
    package mutating func number(of text: String, key: Int) -> UInt32 { number(of: Value(key: key, text: text)) }

    private mutating func number(of value: Value) -> UInt32 {
        if let known = numbers[value] { return known }
        numbers[value] = UInt32(values.count)
        values.append(value)
        return UInt32(values.count - 1)
    }

    /// Adds a device.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of its values, in any order.
    ///   - outcome: The effect of the change on it; `nil` if nothing is compared.
    ///   - doubted: The same without what depends on new devices.
    package mutating func add(
        _ numbers: [UInt32], device: DeviceID, _ outcome: DeviceOutcome? = nil, inDoubt doubted: DeviceOutcome? = nil
    ) {
        devices.insert(device)
        var group = Group()
        (group.devices, group.affected) = (outcome ?? .unaffected).counts
        (group.devicesInDoubt, group.affectedInDoubt) = (doubted ?? outcome ?? .unaffected).counts
        add(group, of: numbers)
    }

    private mutating func add(_ group: Group, of numbers: [UInt32]) {
        var numbers = numbers.sorted()
        // Texts that differ only in bytes that are no UTF-8 have one number.
        if zip(numbers, numbers.dropFirst()).contains(where: ==) { numbers = Set(numbers).sorted() }
        groups[numbers, default: Group()].add(group)
    }

    /// Adds other devices.
    package mutating func add(_ other: DeviceProfiles) {
        isInDoubt = isInDoubt && other.isInDoubt
        let renumbered = other.values.map { number(of: $0) }
        for (numbers, group) in other.groups { add(group, of: numbers.map { renumbered[Int($0)] }) }
        devices.formUnion(other.devices)
    }

    /// Takes what holds now that all records are read, and numbers the values in their order.
    package mutating func finish() {
        let order = values.indices.sorted { values[$0].precedes(values[$1]) }
        var renumbered = Array(repeating: UInt32(0), count: values.count)
        for (number, index) in order.enumerated() { renumbered[index] = UInt32(number) }
        var finished: [[UInt32]: Group] = [:]
        for (numbers, group) in groups {
            var group = group
            if isInDoubt { (group.devices, group.affected) = (group.devicesInDoubt, group.affectedInDoubt) }
            if group.devices > 0 { finished[numbers.map { renumbered[Int($0)] }.sorted()] = group }
        }
        (values, groups) = (order.map { values[$0] }, finished)
        numbers = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, UInt32($0)) })
    }

    /// By the number of each value, the devices that showed it.
    package var deviceCounts: [Int] {
        var counts = Array(repeating: 0, count: values.count)
        for (numbers, group) in groups {
            for number in numbers { counts[Int(number)] += group.devices }
        }
        return counts
    }
}

extension DeviceProfiles.Group {
    fileprivate mutating func add(_ other: DeviceProfiles.Group) {
        devices += other.devices
        affected += other.affected
        devicesInDoubt += other.devicesInDoubt
        affectedInDoubt += other.affectedInDoubt
    }
}

/// The effect of a change on a device.
package enum DeviceOutcome: UInt8, Sendable {
    /// It is not known, or the device did not attest.
    case unknown
    case unaffected
    /// It is newly rejected at least once.
    case affected

    fileprivate var counts: (devices: Int, affected: Int) {
        (self == .unknown ? 0 : 1, self == .affected ? 1 : 0)
    }
}

/// The effects of a change by device, and the same without what depends on new devices.
struct DoubtedOutcomes {
    let sure: [DeviceOutcome]
    /// `nil` if nothing depends on new devices, or a record has `new-did`.
    let doubtful: [DeviceOutcome]?
}
