package import Documents
package import PolicyEngine
package import Replay

/// The values that the devices of captures showed for one key, to be searched again and again while a pattern is typed.
package struct KeyValues: Sendable {
    private let key: String
    private let profiles: DeviceProfiles
    // The numbers of the values, the commonest first, with the devices that showed each.
    private let order: [(number: Int, devices: Int)]

    // The values that are shown.
    private static let exampleLimit = 20

    /// Reads captures.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - request: The captures; the account has no meaning.
    /// - Returns: `nil` where the replay was refused or interrupted, and why.
    package static func reading(
        _ key: RecordKey, _ request: ReplayRequest
    ) -> (values: KeyValues?, diagnostics: Diagnostics) {
        let profile = CaptureProfile(request, keys: [ProfileKey(key)])
        return (profile.profiles.map { KeyValues(key.text, $0) }, profile.diagnostics)
    }

    private init(_ key: String, _ profiles: DeviceProfiles) {
        (self.key, self.profiles) = (key, profiles)
        let values = profiles.values
        let counted = profiles.deviceCounts.enumerated().map { (number: $0.offset, devices: $0.element) }
        order = counted.filter { $0.devices > 0 }.sorted {
            $0.devices != $1.devices ? $0.devices > $1.devices : values[$0.number].precedes(values[$1.number])
        }
    }

    /// The values that a filter would match, as JSON: their number, the number of devices that showed one, and the commonest.
    ///
    /// - Parameters:
    ///   - test: The condition of the filter.
    ///   - redactor: Hides values; `nil` shows them.
    /// - Complexity: O(values + devices).
    package func matches(_ test: Filter.Test, redactor: Redactor? = nil) -> JSONValue {
        let (matcher, values) = (PatternMatcher(), profiles.values)
        var (isMatched, found, isComplete) = (Array(repeating: false, count: values.count), [(Int, Int)](), true)
        for (number, devices) in order where !Cancellation.isDue() {
            switch test.isMet(by: values[number].text, matcher) {
            case true?:
                isMatched[number] = true
                found.append((number, devices))
            case false?: break
            case nil: isComplete = false
            }
        }
        var devices = 0
        profiles.forEachDevice { numbers, count in
            for index in numbers.indices where isMatched[Int(numbers[index])] {
                devices += count.devices
                break
            }
        }
        let examples = found.prefix(Self.exampleLimit).map { number, devices in
            let text = values[number].text
            return JSONValue.ordered([
                ("value", .string(redactor?.value(text, of: key) ?? text)), ("devices", .integer(devices)),
            ])
        }
        return .ordered([
            ("version", .integer(1)), ("key", .string(key)), ("devices", .integer(devices)),
            ("values", .integer(found.count)), ("examples", .array(examples)), ("complete", .boolean(isComplete)),
        ])
    }
}

extension Filter.Test {
    // `nil` where the search was given up.
    fileprivate func isMet(by text: String, _ matcher: PatternMatcher) -> Bool? {
        switch self {
        case .exact(_, let value): ExactText(value) == ExactText(text)
        case .regex(_, let pattern): matcher.isFound(pattern, in: text)
        case .conjunction: false
        }
    }
}
