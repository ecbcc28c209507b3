package import Figures
package import PolicyEngine

/// The labels of a file: which values of which attribute belong to bad devices or good ones, and when.
package struct Labels: Sendable {
    /// A label.
    package struct Row: Sendable {
        package let attribute: String
        package let value: String
        /// ``DeviceLabel/bad`` or ``DeviceLabel/good``.
        package let label: DeviceLabel
        /// It is in force from this instant on; `nil` for ever before.
        package let from: Instant?
        /// It is in force before this instant; `nil` for ever after.
        package let until: Instant?
        /// The line of its file, from 1.
        package let line: Int

        /// True if it is in force at a time.
        func isInForce(at time: Instant) -> Bool { from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true }
    }

    /// The path of their file, as it is shown to the user.
    package let path: String
    /// The labels in the order of their file.
    package let rows: [Row]
    /// The attributes that they name, the device ID left out.
    package private(set) var keys: [String] = []
    // Rows with the same attribute and value; the first group is empty.
    private var groups: [[Int32]] = [[]]
    private var devices: [DeviceID: UInt32] = [:]
    // By key, its values, and by their numbers the groups.
    private var values: [(numbers: Interner, groups: [UInt32])] = []

    /// The attribute that every record has.
    package static let deviceKey = "device-id"

    /// - Parameters:
    ///   - rows: The labels; those of device IDs name valid ones.
    ///   - path: The path of their file, as it is shown to the user.
    package init(_ rows: [Row], path: String) {
        (self.rows, self.path) = (rows, path)
        for (number, row) in rows.enumerated() {
            let group = row.attribute == Self.deviceKey ? group(ofDevice: row.value) : group(of: row)
            groups[Int(group)].append(Int32(number))
        }
    }

    private mutating func group(ofDevice text: String) -> UInt32 {
        guard let device = DeviceID(text) else { return newGroup() }
        let group = devices[device] ?? newGroup()
        devices[device] = group
        return group
    }

    private mutating func group(of row: Row) -> UInt32 {
        let known = keys.firstIndex { ExactText($0) == ExactText(row.attribute) }
        if known == nil {
            keys.append(row.attribute)
            values.append((Interner(capacity: .max), []))
        }
        let (key, value) = (known ?? keys.count - 1, Array(row.value.utf8))
        let number = values[key].numbers.intern(value.span, range: value.indices).offset
        if number == values[key].groups.count { values[key].groups.append(newGroup()) }
        return values[key].groups[number]
    }

    private mutating func newGroup() -> UInt32 {
        groups.append([])
        return UInt32(groups.count - 1)
    }

    /// The number of the labels of a device ID; 0 where there is none.
    func group(of device: DeviceID) -> UInt32 { devices[device] ?? 0 }

    /// The number of the labels of a value; 0 where there is none.
    ///
    /// - Parameter key: The attribute, by its index in ``keys``.
    func group(of value: Span<UInt8>, range: Range<Int>, key: Int) -> UInt32 {
        values[key].numbers.known(value, range: range).map { values[key].groups[$0.offset] } ?? 0
    }

    /// The labels of a number, by their index in ``rows``.
    func rows(ofGroup group: UInt32) -> [Int32] { groups[Int(group)] }
}
