package import Documents
package import PolicyEngine

extension Int: PartialCodable {
    package var partial: JSONValue { .integer(self) }
    // No figure of a part is negative, whether it counts something or numbers it.
    package init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.integer(from: 0) }
}

extension String: PartialCodable {
    package var partial: JSONValue { .string(self) }
    package init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.text() }
}

extension Bool: PartialCodable {
    package var partial: JSONValue { .boolean(self) }
    package init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.boolean() }
}

extension ExactText: PartialCodable {
    package var partial: JSONValue { .string(text) }
    package init(_ reader: PartialReader) throws(PartialFailure) { self.init(try reader.text()) }
}

extension Instant: PartialCodable {
    package var partial: JSONValue { .integer(secondsSinceEpoch) }
    package init(_ reader: PartialReader) throws(PartialFailure) { self.init(secondsSinceEpoch: try reader.integer()) }
    package func reported(_ unit: ComparedUnit) -> JSONValue { .string(description) }
}

extension DeviceID: PartialCodable {
    package var partial: JSONValue { .string(description) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        guard let id = DeviceID(try reader.text()) else { throw reader.failure("is not a device ID") }
        self = id
    }

    /// An ID for a value that is filled in later.
    static var blank: DeviceID { DeviceID(first: 0, second: 0) }
}

extension PartialCodable where Self: RawRepresentable<String> {
    package var partial: JSONValue { .string(rawValue) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        guard let value = Self(rawValue: try reader.text()) else { throw reader.failure("is not a \(Self.self)") }
        self = value
    }
}

extension RejectionStatus: PartialCodable {}

extension Optional: PartialCodable where Wrapped: PartialCodable {
    package var partial: JSONValue { self?.partial ?? .null }
    package init(_ reader: PartialReader) throws(PartialFailure) { self = reader.isNull ? nil : try Wrapped(reader) }
    package func reported(_ unit: ComparedUnit) -> JSONValue { self?.reported(unit) ?? .null }
}

extension Array: PartialCodable where Element: PartialCodable {
    package var partial: JSONValue { .array(map(\.partial)) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        self = []
        for item in try reader.items() { append(try Element(item)) }
    }
    package func reported(_ unit: ComparedUnit) -> JSONValue { .array(map { $0.reported(unit) }) }
}

extension JSONValue {
    // Values in any order as an array, in the order of what they are written as.
    static func set(_ values: [JSONValue]) -> JSONValue {
        let written = values.map { value in
            var bytes = JSONBytes()
            value.write(to: &bytes)
            return (bytes: bytes.bytes, value: value)
        }
        return .array(written.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.value))
    }
}

extension Dictionary: PartialCodable where Key: PartialCodable, Value: PartialCodable {
    package var partial: JSONValue {
        .set(map { key, value in .array([key.partial, value.partial]) })
    }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        self = [:]
        for item in try reader.items() {
            let (key, value): (Key, Value) = try item.pair()
            guard updateValue(value, forKey: key) == nil else { throw item.failure("occurs twice") }
        }
    }

    package func reported(_ unit: ComparedUnit) -> JSONValue { .sorted(reportedMembers(unit)) }

    /// The members of an object, by what the keys are written as.
    package func reportedMembers(_ unit: ComparedUnit = .attestations) -> [ExactText: JSONValue] {
        [ExactText: JSONValue](
            uniqueKeysWithValues: map { key, value in
                let name = if case .string(let text) = key.partial { text } else { "\(key)" }
                return (ExactText(name), value.reported(unit))
            })
    }
}

extension ClosedRange: PartialCodable where Bound: PartialCodable {
    package var partial: JSONValue { .array([lowerBound.partial, upperBound.partial]) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        let (lower, upper): (Bound, Bound) = try reader.pair()
        guard lower <= upper else { throw reader.failure("ends before it starts") }
        self = lower...upper
    }
}

extension Rejection: PartialCodable {
    package var partial: JSONValue {
        switch self {
        case .flag(let flag): .array(["flag".partial, flag.partial])
        case .filter(let filter): .array(["filter".partial, filter.partial])
        case .blacklist: .array(["blacklist".partial, "".partial])
        }
    }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        let (kind, name): (String, ExactText) = try reader.pair()
        switch kind {
        case "flag": self = .flag(name)
        case "filter": self = .filter(name)
        case "blacklist": self = .blacklist
        default: throw reader.failure("is not a cause of a rejection")
        }
    }
}

extension DecidedRules: Addable {
    package mutating func add(_ other: DecidedRules) { formUnion(other) }
}

extension DecidedRules: PartialCodable {
    package var partial: JSONValue { all.map(\.number).partial }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        self = []
        for number in try reader.items() {
            let text = try number.text()
            guard let rule = DecidedRule.allCases.first(where: { $0.number == text }) else {
                throw number.failure("is not a decided rule")
            }
            insert(rule)
        }
    }

    package func reported(_ unit: ComparedUnit) -> JSONValue {
        .array(all.map { .sorted(["rule": .string($0.number), "sentence": .string($0.sentence)]) })
    }

    package static var reportedForm: JSONSchema {
        .list(
            of: .members([
                ("rule", .string.described(as: "The number of the rule.")),
                ("sentence", .string.described(as: "What was decided, in a sentence.")),
            ]))
    }
}
