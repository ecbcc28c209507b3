package import Documents

/// The result of a check.
struct CheckResult {
    /// The expected and the actual value, for people.
    let expected, actual: String
    let passed: Bool
    /// The value with which it would hold; used where it does not.
    var correction: ActualValue?
    /// Why it holds whatever the account decides, if it does.
    var vacuity: String?
    /// The filters and policies that must have been reached, so that passing means something.
    var reaches: [Reach] = []

    /// The result as it is reported.
    func reported(
        file: String, position: SourcePosition, message: String, allowsVacuous: Bool
    ) -> ExpectationResult {
        var result = ExpectationResult(
            file: file, position: position, passed: passed, expected: expected, actual: actual, message: message)
        if !passed, correction?.value != nil { result.correction = correction }
        guard !allowsVacuous else { return result }
        result = result.failing(asVacuous: vacuity)
        result.reaches = reaches
        return result
    }
}

/// The value that a fetch has in place of the expected one.
package struct ActualValue: Hashable, Sendable {
    package let text: String
    /// The same, to be expected; `nil` where there is nothing, or no plain value.
    package var value: DocumentValue?

    static func word(_ text: String) -> ActualValue { ActualValue(text: text, value: .text(text)) }

    static func list(_ names: [String]) -> ActualValue {
        ActualValue(text: names.bracketed, value: .texts(names))
    }
}

extension [String] {
    /// The names in brackets.
    var bracketed: String { "[" + joined(separator: ", ") + "]" }

    /// Each once, in the order of their first places.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
