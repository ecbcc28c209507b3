internal import Documents
internal import PolicyEngine

/// The values of keys by numbers that all who read a capture share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is reported does.
final class ValueRegistry: Sendable {
    private let numbers = Lock(Numbering<ProfiledValue>())

    /// The number of a value.
    func number(of value: ProfiledValue) -> UInt32 { numbers.withLock { UInt32($0.number(of: value)) } }

    /// The values by number.
    var values: [ProfiledValue] { numbers.withLock { $0.keys } }
}

/// A value of one of the keys by which devices are grouped.
package struct ProfiledValue: Hashable, Sendable {
    /// The index of the key.
    package let key: Int
    private let exactText: ExactText

    package var text: String { exactText.text }

    package init(key: Int, text: String) { (self.key, exactText) = (key, ExactText(text)) }

    /// True if it comes first in the order of keys and bytes.
    package func precedes(_ other: ProfiledValue) -> Bool { (key, exactText) < (other.key, other.exactText) }
}

/// The values of one key for one reader of a capture, who asks the registry once for each.
struct SharedValues {
    private let registry: ValueRegistry
    private let key: Int
    private var values: DerivedValues
    // By number here, that of the registry.
    private var numbers: [UInt32] = []

    /// - Parameters:
    ///   - record: The key.
    ///   - key: Its index among those of the profiles.
    ///   - registry: The values of all readers.
    init(_ record: RecordKey, _ key: Int, _ registry: ValueRegistry) {
        (values, self.key, self.registry) = (DerivedValues(record), key, registry)
    }

    /// The number of the value that follows from that of an attribute; `nil` where there is none.
    mutating func number(of value: Span<UInt8>) -> UInt32? {
        values.number(value, 0..<value.count).map { shared($0) }
    }

    /// The number of the value that follows from the time of a record.
    mutating func number(at time: Instant) -> UInt32 { shared(values.number(at: time)) }

    private mutating func shared(_ number: Int) -> UInt32 {
        if number == numbers.count {
            let text = String(decoding: values.bytes(of: number), as: UTF8.self)
            numbers.append(registry.number(of: ProfiledValue(key: key, text: text)))
        }
        return numbers[number]
    }
}
