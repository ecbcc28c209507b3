internal import PolicyEngine

extension Int: PartialCodable {
    var partial: JSONValue { .integer(self) }
    init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.integer() }
}

extension String: PartialCodable {
    var partial: JSONValue { .string(self) }
    init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.text() }
}

extension Bool: PartialCodable {
    var partial: JSONValue { .boolean(self) }
    init(_ reader: PartialReader) throws(PartialFailure) { self = try reader.boolean() }
}

extension ExactText: PartialCodable {
    var partial: JSONValue { .string(text) }
    init(_ reader: PartialReader) throws(PartialFailure) { self.init(try reader.text()) }
}

extension Instant: PartialCodable {
    var partial: JSONValue { .integer(secondsSinceEpoch) }
    init(_ reader: PartialReader) throws(PartialFailure) { self.init(secondsSinceEpoch: try reader.integer()) }
}

extension DeviceID: PartialCodable {
    var partial: JSONValue { .string(description) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        guard let id = DeviceID(try reader.text()) else { throw reader.failure("is no device ID") }
        self = id
    }
}

extension Metric: PartialCodable {
    var partial: JSONValue { .string(name) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        guard let metric = Metric(try reader.text()) else { throw reader.failure("is no metric") }
        self = metric
    }
}

extension PartialCodable where Self: RawRepresentable<String> {
    var partial: JSONValue { .string(rawValue) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        guard let value = Self(rawValue: try reader.text()) else { throw reader.failure("is no \(Self.self)") }
        self = value
    }
}

extension WindowKind: PartialCodable {}

extension CallResult: PartialCodable {
    var partial: JSONValue { .string(name) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        let name = try reader.text()
        guard let result = Self.all.first(where: { $0.name == name }) else { throw reader.failure("is no CallResult") }
        self = result
    }
}

extension RejectionStatus: PartialCodable {}

extension Optional: PartialCodable where Wrapped: PartialCodable {
    var partial: JSONValue { self?.partial ?? .null }
    init(_ reader: PartialReader) throws(PartialFailure) { self = reader.isNull ? nil : try Wrapped(reader) }
}

extension Array: PartialCodable where Element: PartialCodable {
    var partial: JSONValue { .array(map(\.partial)) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        self = []
        for item in try reader.items() { append(try Element(item)) }
    }
}

// Pairs in the order of what the keys are written as; equal dictionaries may have their keys in any order.
extension Dictionary: PartialCodable where Key: PartialCodable, Value: PartialCodable {
    var partial: JSONValue {
        let pairs = map { key, value in
            var bytes = JSONBytes()
            key.partial.write(to: &bytes)
            return (text: bytes.bytes, pair: JSONValue.array([key.partial, value.partial]))
        }
        return .array(pairs.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.pair))
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self = [:]
        for item in try reader.items() {
            let (key, value): (Key, Value) = try item.pair()
            guard updateValue(value, forKey: key) == nil else { throw item.failure("stands there twice") }
        }
    }
}

extension ClosedRange: PartialCodable where Bound: PartialCodable {
    var partial: JSONValue { .array([lowerBound.partial, upperBound.partial]) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        let (lower, upper): (Bound, Bound) = try reader.pair()
        guard lower <= upper else { throw reader.failure("ends before it starts") }
        self = lower...upper
    }
}

extension NamedCounts: PartialCodable {
    var partial: JSONValue { .array(map { .array([$0.key.partial, $0.value.partial]) }) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        for item in try reader.items() {
            let (name, count): (String, Int) = try item.pair()
            self[name, default: 0] += count
        }
    }
}

extension VerdictCounts: PartialCodable {
    var partial: JSONValue { .array([passed.partial, failed.partial]) }
    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        (passed, failed) = try reader.pair()
    }
}

extension Rejection: PartialCodable {
    var partial: JSONValue {
        switch self {
        case .flag(let flag): .array(["flag".partial, flag.partial])
        case .filter(let filter): .array(["filter".partial, filter.partial])
        case .blacklist: .array(["blacklist".partial, "".partial])
        }
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        let (kind, name): (String, ExactText) = try reader.pair()
        switch kind {
        case "flag": self = .flag(name)
        case "filter": self = .filter(name)
        case "blacklist": self = .blacklist
        default: throw reader.failure("is no cause of a rejection")
        }
    }
}
