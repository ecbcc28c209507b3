/// The columns of a file or a stream, and what its writer says about them.
package struct ColumnSchema: Hashable, Sendable {
    /// The columns, in their order.
    package let fields: [ColumnField]
    /// Keys and values that describe the whole.
    package let metadata: [ColumnNote]

    package init(_ fields: [ColumnField], metadata: [ColumnNote] = []) {
        (self.fields, self.metadata) = (fields, metadata)
    }
}

/// A key and a value of a schema's metadata.
package struct ColumnNote: Hashable, Sendable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
}

/// The name and the form of a column.
package struct ColumnField: Hashable, Sendable {
    package let name: String
    /// The form of the values; of those in the dictionary if there is one.
    package let type: ColumnType
    /// The form of the keys, if the values are in a dictionary.
    package let keys: DictionaryKeys?

    package init(_ name: String, _ type: ColumnType, keys: DictionaryKeys? = nil) {
        (self.name, self.type, self.keys) = (name, type, keys)
    }
}

/// The keys of a dictionary: the number of the dictionary, and the form of the keys.
package struct DictionaryKeys: Hashable, Sendable {
    package let dictionary: Int64
    /// The bits of a key: 8, 16 or 32.
    package let bits: Int
    package let isSigned: Bool

    package init(dictionary: Int64, bits: Int, isSigned: Bool = true) {
        (self.dictionary, self.bits, self.isSigned) = (dictionary, bits, isSigned)
    }

    /// The smallest signed keys for a dictionary.
    ///
    /// - Parameter count: The number of its values.
    package init(dictionary: Int64, count: Int) {
        self.init(dictionary: dictionary, bits: count <= 1 << 7 ? 8 : count <= 1 << 15 ? 16 : 32)
    }
}

/// The form of the values of a column: the types of Arrow that a capture can have.
package indirect enum ColumnType: Hashable, Sendable {
    /// Nothing but absent values.
    case null
    case boolean
    case integer(bits: Int, isSigned: Bool)
    case float(bits: Int)
    case text(TextLayout)
    case bytes(TextLayout)
    /// As many bytes for each value.
    case fixedBytes(Int)
    /// Units since 1970. The zone is the one in which people see them; if there is none, so is that of the numbers.
    case time(TimeUnit, zone: String?)
    case list(ListLayout, ColumnField)

    /// The places of texts of different lengths.
    package enum TextLayout: Sendable {
        /// Offsets of 4 bytes.
        case small
        /// Offsets of 8 bytes.
        case large
        /// A structure of 16 bytes, which contains short values.
        case view
    }

    /// The places of lists among all elements.
    package enum ListLayout: Sendable {
        /// Offsets of 4 or 8 bytes, one list behind the other.
        case small, large
        /// Offsets and sizes of 4 or 8 bytes, in any order.
        case view, largeView
    }

    /// The unit of a time.
    package enum TimeUnit: Int, Sendable {
        case seconds, milliseconds, microseconds, nanoseconds

        /// The number of units in a second.
        package var perSecond: Int64 { [1, 1000, 1_000_000, 1_000_000_000][rawValue] }
    }

    /// True for values that are ranges of bytes, as the values of dictionaries and the elements of lists have to be.
    var isPlain: Bool {
        switch self {
        case .time, .list: false
        default: true
        }
    }
}
