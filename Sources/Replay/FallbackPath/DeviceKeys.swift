internal import Columns
internal import PolicyEngine

/// The devices of some records by their keys in a dictionary.
struct DeviceKeys: Sendable {
    let dictionary: ColumnDictionary
    /// For each record the key of its device.
    var keys: [Int32]
}

/// The numbers that the devices of a dictionary have in one shard, so that a device is looked for once.
struct DeviceNumbers {
    private var dictionary: ColumnDictionary?
    // By key, the number of the device and 1; 0 for one that was not looked for.
    private var numbers: [UInt32] = []
    // Of the current records.
    private var current: [UInt32] = []

    /// The records whose devices have no number yet.
    ///
    /// - Parameters:
    ///   - keys: The devices of all records.
    ///   - rows: The records by their indices.
    mutating func unknown(_ keys: DeviceKeys, at rows: some Sequence<Int>) -> [Int] {
        if dictionary != keys.dictionary {
            dictionary = keys.dictionary
            numbers = Array(repeating: 0, count: keys.dictionary.values.count)
        }
        // First in a loop that does nothing else, so that waiting for memory overlaps.
        current.removeAll(keepingCapacity: true)
        for row in rows { current.append(numbers[Int(keys.keys[row])]) }
        guard current.contains(0) else { return [] }
        return zip(rows, current).compactMap { $1 == 0 ? $0 : nil }
    }

    /// Takes the numbers of devices that had none.
    ///
    /// - Parameters:
    ///   - devices: The numbers.
    ///   - rows: The records of these devices.
    mutating func note(_ devices: [DeviceIndex], of keys: DeviceKeys, at rows: [Int]) {
        for (device, row) in zip(devices, rows) { numbers[Int(keys.keys[row])] = UInt32(device.offset + 1) }
    }

    /// The numbers of the devices of some records, all of which have one.
    ///
    /// - Parameters:
    ///   - keys: The devices of all records.
    ///   - rows: The records by their indices.
    ///   - devices: Takes the numbers, in that order.
    func find(_ keys: DeviceKeys, at rows: some Sequence<Int>, into devices: inout [DeviceIndex]) {
        devices.removeAll(keepingCapacity: true)
        for row in rows { devices.append(DeviceIndex(offset: Int(numbers[Int(keys.keys[row])]) - 1)) }
    }
}
