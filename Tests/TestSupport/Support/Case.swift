import Testing

/// A row of a table of one input and one result each, for which a type of its own would say no more.
///
/// It is reported by its label, and without one by its input.
struct Case<Input: Sendable, Result: Sendable>: Sendable, CustomTestStringConvertible {
    let label: String
    let input: Input
    let expected: Result
    var testDescription: String { label }

    init(_ label: String, _ input: Input, gives expected: Result) {
        (self.label, self.input, self.expected) = (label, input, expected)
    }

    init(_ input: Input, gives expected: Result) {
        self.init(String(reflecting: input), input, gives: expected)
    }
}
