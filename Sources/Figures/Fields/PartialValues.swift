package import Documents
package import PolicyEngine

extension Int: FigureValue {
    package var partial: JSONValue { .integer(self) }
    // No figure of a part is negative, whether it counts something or numbers it.
    package init?(partial content: JSONContent) {
        guard let count = content.count(from: 0) else { return nil }
        self = count
    }
}

extension String: FigureValue {
    package var partial: JSONValue { .string(self) }
    package init?(partial content: JSONContent) {
        guard let text = content.text else { return nil }
        self = text
    }
}

extension Bool: FigureValue {
    package var partial: JSONValue { .boolean(self) }
    package init?(partial content: JSONContent) {
        guard case .boolean(let value) = content else { return nil }
        self = value
    }
}

extension ExactText: FigureValue {
    package var partial: JSONValue { .string(text) }
    package init?(partial content: JSONContent) {
        guard case .string(let text) = content else { return nil }
        self = text
    }
}

extension Instant: FigureValue {
    package var partial: JSONValue { .integer(secondsSinceEpoch) }
    package init?(partial content: JSONContent) {
        guard let seconds = content.count(from: -JSONContent.largestCount) else { return nil }
        self.init(secondsSinceEpoch: seconds)
    }
    package func reported(_ unit: ComparedUnit) -> JSONValue { .string(description) }
}

extension DeviceID: FigureValue {
    package var partial: JSONValue { .string(description) }
    package init?(partial content: JSONContent) {
        guard let id = content.text.flatMap({ DeviceID($0) }) else { return nil }
        self = id
    }

    /// An ID for a value that is filled in later.
    static var blank: DeviceID { DeviceID(first: 0, second: 0) }
}

extension FigureValue where Self: RawRepresentable<String> {
    package var partial: JSONValue { .string(rawValue) }
    package init?(partial content: JSONContent) {
        guard let value = content.text.flatMap(Self.init(rawValue:)) else { return nil }
        self = value
    }
}

extension RejectionStatus: FigureValue {}

extension Optional: FigureValue where Wrapped: FigureValue {
    package var partial: JSONValue { self?.partial ?? .null }
    package init?(partial content: JSONContent) {
        if content == .null {
            self = .none
        } else if let value = Wrapped(partial: content) {
            self = value
        } else {
            return nil
        }
    }
    package func reported(_ unit: ComparedUnit) -> JSONValue { self?.reported(unit) ?? .null }
}

extension Array: FigureValue where Element: FigureValue {
    package var partial: JSONValue { .array(map(\.partial)) }
    package init?(partial content: JSONContent) {
        guard let items = content.items else { return nil }
        self = items.compactMap { Element(partial: $0) }
        guard count == items.count else { return nil }
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

extension Dictionary: FigureValue where Key: FigureValue, Value: FigureValue {
    package var partial: JSONValue {
        .set(map { key, value in .array([key.partial, value.partial]) })
    }

    package init?(partial content: JSONContent) {
        guard let items = content.items else { return nil }
        self = [:]
        for item in items {
            guard let (key, value): (Key, Value) = item.pair(), updateValue(value, forKey: key) == nil else {
                return nil
            }
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

extension ClosedRange: FigureValue where Bound: FigureValue {
    package var partial: JSONValue { .array([lowerBound.partial, upperBound.partial]) }
    package init?(partial content: JSONContent) {
        guard let (lower, upper): (Bound, Bound) = content.pair(), lower <= upper else { return nil }
        self = lower...upper
    }
}

extension Rejection: FigureValue {
    package var partial: JSONValue {
        switch self {
        case .flag(let flag): .array(["flag".partial, flag.partial])
        case .filter(let filter): .array(["filter".partial, filter.partial])
        case .blacklist: .array(["blacklist".partial, "".partial])
        }
    }

    package init?(partial content: JSONContent) {
        guard let (kind, name): (String, ExactText) = content.pair() else { return nil }
        switch kind {
        case "flag": self = .flag(name)
        case "filter": self = .filter(name)
        case "blacklist": self = .blacklist
        default: return nil
        }
    }
}

extension DecidedRules: Addable {
    package mutating func add(_ other: DecidedRules) { formUnion(other) }
}

extension DecidedRules: FigureValue {
    package var partial: JSONValue { all.map(\.number).partial }

    package init?(partial content: JSONContent) {
        guard let numbers = [String](partial: content) else { return nil }
        let rules = numbers.compactMap { number in DecidedRule.allCases.first { $0.number == number } }
        guard rules.count == numbers.count else { return nil }
        self.init(rules)
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
