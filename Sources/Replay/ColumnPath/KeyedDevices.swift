internal import Columns
internal import PolicyEngine

/// The IDs of devices in a dictionary, read once for all who read its batches.
final class KeyedDevices: Sendable {
    let dictionary: ColumnDictionary
    // By key; that of the filtered policy, which is no device, where there is none.
    private let ids: [DeviceID]

    private static let placeholder = DeviceID(first: 0, second: 0)

    init(_ dictionary: ColumnDictionary) {
        let (none, bytes) = (DeviceID(DeviceID.filteredPolicyText) ?? Self.placeholder, dictionary.bytes)
        self.dictionary = dictionary
        ids = dictionary.values.map { value in
            value.isAbsent ? none : DeviceID(column: bytes.span, value.range, isText: dictionary.isText) ?? none
        }
    }

    /// Reads the IDs of some keys; that of the filtered policy stands for none.
    ///
    /// In a loop that does nothing else, so that waiting for memory overlaps.
    ///
    /// - Returns: True if each of them is a device.
    func read(_ keys: Span<Int32>, into found: inout [DeviceID]) -> Bool {
        let missing = keys.count - found.count
        if missing > 0 { found.append(contentsOf: repeatElement(Self.placeholder, count: missing)) }
        let known = ids
        let ids = known.span
        var found = found.mutableSpan
        let none = ids[ids.count - 1]
        var areDevices = true
        for row in keys.indices {
            let id = ids[Int(keys[row])]
            found[row] = id
            areDevices = areDevices && id != none
        }
        return areDevices
    }
}
