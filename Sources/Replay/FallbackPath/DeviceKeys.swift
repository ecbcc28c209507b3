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

    /// The numbers of the devices of some records.
    ///
    /// - Parameters:
    ///   - keys: The devices of all records.
    ///   - rows: The records by their indices.
    ///   - devices: Takes the numbers, in that order.
    ///   - find: Looks for the device of a record.
    mutating func find(
        _ keys: DeviceKeys, at rows: some Sequence<Int>, into devices: inout [DeviceIndex],
        _ find: (Int) -> DeviceIndex
    ) {
        if dictionary != keys.dictionary {
            dictionary = keys.dictionary
            numbers = Array(repeating: 0, count: keys.dictionary.values.count)
        }
        devices.removeAll(keepingCapacity: true)
        for row in rows {
            let key = Int(keys.keys[row])
            if numbers[key] == 0 { numbers[key] = UInt32(find(row).offset + 1) }
            devices.append(DeviceIndex(offset: Int(numbers[key]) - 1))
        }
    }
}
