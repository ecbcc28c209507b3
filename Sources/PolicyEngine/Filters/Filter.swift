/// A filter over the attributes of devices (R7.1).
public struct Filter: Hashable, Sendable {
    /// 1 to 20 lower-case letters, digits and `-`.
    public let name: String
    /// What must hold for it to match.
    public let test: Test
    /// What a match brings about.
    public let options: Options

    /// What must hold for a filter to match.
    public enum Test: Hashable, Sendable {
        /// The attribute's whole value is this text, byte for byte (R7.2).
        case exact(key: String, value: String)
        /// The pattern is found somewhere in the attribute's value (R7.2).
        case regex(key: String, pattern: Pattern)
        /// All filters of these names match (R7.4).
        case conjunction([String])
    }

    /// What a match brings about (R7.5).
    public struct Options: OptionSet, Hashable, Sendable {
        /// One bit for each option.
        public let rawValue: UInt8

        /// Makes a set of options from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Matches attestations with `new-did` only.
        public static let newDevicesOnly = Options(rawValue: 1)
        /// Puts the device information into the ring of filtered devices.
        public static let captureDeviceInformation = Options(rawValue: 2)
        /// Fails the attestation with the rejection `filter:<name>`.
        public static let reject = Options(rawValue: 4)
        /// Bans the device ID.
        public static let ban = Options(rawValue: 8)
        /// Sets `risky-device`.
        public static let risky = Options(rawValue: 16)
        /// Applies the filtered security policy (R7.3).
        public static let executeFilteredPolicy = Options(rawValue: 32)
    }

    /// The longest name.
    public static let nameLimit = 20

    /// Makes a filter.
    ///
    /// - Throws: ``FilterError`` when the name is none, or a conjunction has no input or one twice.
    public init(name: String, test: Test, options: Options = []) throws(FilterError) {
        guard Self.isName(name) else { throw .invalidName(name) }
        if case .conjunction(let inputs) = test { try Self.check(inputs, of: name) }
        self.name = name
        self.test = test
        self.options = options
    }

    private static func check(_ inputs: [String], of name: String) throws(FilterError) {
        if inputs.isEmpty { throw .noInputs(name) }
        for (place, input) in inputs.enumerated() where inputs[..<place].contains(input) {
            throw .repeatedInput(input, of: name)
        }
    }

    /// Whether a text can be the name of a filter.
    public static func isName(_ text: String) -> Bool {
        1...nameLimit ~= text.utf8.count
            && text.utf8.allSatisfy { $0.isDigit || $0.isLowercaseLetter || $0 == UInt8(ascii: "-") }
    }

    /// The names of the inputs, for a conjunction.
    public var inputs: [String]? {
        if case .conjunction(let inputs) = test { inputs } else { nil }
    }

    /// The attribute that an ordinary filter looks at.
    public var key: String? {
        switch test {
        case .exact(let key, _), .regex(let key, _): key
        case .conjunction: nil
        }
    }
}

extension Filter.Test {
    /// Whether both test the same; values that look the same in other bytes are others, as they are to a match (R7.2).
    public static func == (left: Filter.Test, right: Filter.Test) -> Bool {
        switch (left, right) {
        case (.exact(let key, let value), .exact(let otherKey, let otherValue)):
            ExactText(key) == ExactText(otherKey) && ExactText(value) == ExactText(otherValue)
        case (.regex(let key, let pattern), .regex(let otherKey, let otherPattern)):
            ExactText(key) == ExactText(otherKey) && pattern == otherPattern
        case (.conjunction(let inputs), .conjunction(let otherInputs)): inputs == otherInputs
        default: false
        }
    }

    /// Feeds what is tested to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .exact(let key, let value): hasher.combine([ExactText(key), ExactText(value)])
        case .regex(let key, let pattern):
            hasher.combine(ExactText(key))
            hasher.combine(pattern)
        case .conjunction(let inputs): hasher.combine(inputs)
        }
    }
}
