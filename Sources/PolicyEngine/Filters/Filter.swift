/// A filter over the attributes of devices (R7.1).
public struct Filter: Hashable, Sendable {
    /// 1 to 20 lower-case letters, digits and `-`.
    public let name: String
    /// The condition under which it matches.
    public let test: Test
    /// The actions of a match, and the restriction to new devices.
    public let options: Options

    /// The condition under which a filter matches.
    public enum Test: Hashable, Sendable {
        /// The attribute's whole value is this text, byte for byte (R7.2).
        case exact(key: String, value: String)
        /// The pattern is found somewhere in the attribute's value (R7.2).
        case regex(key: String, pattern: Pattern)
        /// All filters of these names match (R7.4).
        case conjunction([String])
    }

    /// The actions of a match, and the restriction to new devices (R7.5).
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
        for (index, input) in inputs.enumerated() where inputs[..<index].contains(input) {
            throw .repeatedInput(input, of: name)
        }
    }

    /// True if a text can be the name of a filter.
    package static func isName(_ text: String) -> Bool {
        1...nameLimit ~= text.utf8.count
            && text.utf8.allSatisfy { $0.isDigit || $0.isLowercaseLetter || $0 == UInt8(ascii: "-") }
    }

    /// The names of the inputs, for a conjunction.
    package var inputs: [String]? {
        if case .conjunction(let inputs) = test { inputs } else { nil }
    }

    /// The attribute that an ordinary filter looks at.
    package var key: String? {
        switch test {
        case .exact(let key, _), .regex(let key, _): key
        case .conjunction: nil
        }
    }
}

extension Filter.Test {
    /// True if both test the same; texts are compared by bytes, as they are in a match (R7.2).
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

/// Why a filter cannot be.
public enum FilterError: Error, Hashable, Sendable {
    /// Not 1 to 20 lower-case letters, digits and `-` (R7.1).
    case invalidName(String)
    /// A conjunction without inputs.
    case noInputs(String)
    /// A conjunction that names an input twice.
    case repeatedInput(String, of: String)
    /// A conjunction whose input is no filter of the account (R7.4).
    case missingInput(String, of: String, known: [String])
    /// A conjunction whose input is one itself (R7.4).
    case nestedConjunction(String, of: String)
    /// A conjunction that would take the name of another one's input (R7.4).
    case conjunctionUsedAsInput(String, of: String)
    /// It would be the 26th filter (R16).
    case limitReached(String)
    /// Two filters of that name in one list (R7.1).
    case duplicate(String)
    /// No filter of that name.
    case unknown(String, known: [String])
}

extension FilterError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "`\(name)` is not a filter name; use 1 to \(Filter.nameLimit) lower-case letters, digits and `-`"
        case .noInputs(let name): "conjunction `\(name)` has no input"
        case .repeatedInput(let input, let name): "input `\(input)` of conjunction `\(name)` is named twice"
        case .missingInput(let input, let name, _): "input `\(input)` of conjunction `\(name)` is no filter"
        case .nestedConjunction(let input, let name):
            "input `\(input)` of conjunction `\(name)` is a conjunction itself"
        case .conjunctionUsedAsInput(let name, let other):
            "`\(name)` cannot become a conjunction; it is an input of conjunction `\(other)`"
        case .limitReached(let name):
            "filter `\(name)` is one too many; an account has at most \(AccountLimits.filters)"
        case .duplicate(let name): "filter `\(name)` exists already"
        case .unknown(let name, _): "there is no filter `\(name)`"
        }
    }
}

extension FilterError {
    /// A hint that the error itself does not give; `nil` if there is none.
    package var hint: String? {
        switch self {
        case .invalidName, .unknown, .missingInput, .repeatedInput: nil
        case .noInputs: "name its inputs, which are ordinary filters"
        case .nestedConjunction, .conjunctionUsedAsInput: "name the inputs of the inner conjunction instead"
        case .limitReached: "remove one, or use one regex for several values"
        case .duplicate: "each filter of a list needs a name of its own"
        }
    }
}
