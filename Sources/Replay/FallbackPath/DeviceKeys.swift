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
    // By key.
    private var numbers: [DeviceIndex] = []

    // Of a device that was not looked for; no device has this number.
    private static let unknown = DeviceIndex(offset: Int(UInt32.max))

    /// Finds the devices of some records.
    ///
    /// - Parameters:
    ///   - keys: The devices of all records.
    ///   - rows: Which records.
    ///   - devices: Takes the numbers, in that order.
    ///   - intern: Numbers the devices of some of the records.
    mutating func find(
        _ keys: DeviceKeys, at rows: [Int], into devices: inout [DeviceIndex],
        _ intern: (_ rows: [Int]) -> [DeviceIndex]
    ) {
        if dictionary != keys.dictionary {
            dictionary = keys.dictionary
            numbers = Array(repeating: Self.unknown, count: keys.dictionary.values.count)
        }
        devices.removeAll(keepingCapacity: true)
        // In a loop that does nothing else, so that waiting for memory overlaps.
        for row in rows { devices.append(numbers[Int(keys.keys[row])]) }
        let unknown = devices.indices.filter { devices[$0] == Self.unknown }
        if unknown.isEmpty { return }
        for (index, device) in zip(unknown, intern(unknown.map { rows[$0] })) {
            devices[index] = device
            numbers[Int(keys.keys[rows[index]])] = device
        }
    }
}
