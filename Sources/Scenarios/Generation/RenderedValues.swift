internal import PolicyEngine

/// The values of one attribute, each as the records of a capture say it: worked out once for a value, and not for each of
/// its records.
struct RenderedValues {
    /// The attribute.
    let key: AttributeKey
    private let name: String
    private let format: GeneratedFormat
    // One value behind the other; value *n* lies between ends[n] and ends[n + 1].
    private var bytes: [UInt8] = []
    private var ends = [0]

    init(_ key: AttributeKey, name: String, format: GeneratedFormat) {
        self.key = key
        self.name = name
        self.format = format
    }

    /// Renders the values up to one.
    mutating func prepare(_ value: ValueNumber, attributes: AttributeTable) {
        while ends.count <= value.offset + 1 {
            bytes += format.field(name, attributes.text(of: ValueNumber(offset: ends.count - 1), for: key))
            ends.append(bytes.count)
        }
    }

    /// Copies a value that was prepared behind other bytes.
    func append(_ value: ValueNumber, to record: inout [UInt8]) {
        bytes.span.append(ends[value.offset]..<ends[value.offset + 1], to: &record)
    }
}
