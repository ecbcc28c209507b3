import Testing

extension Collection {
    /// The same rows, which must have that count.
    ///
    /// For a table that is computed or read from a file: a parameterised test without rows is skipped, and the run
    /// succeeds. `static let all = FlagFact.rows(of: text).rows(37)` stops the tests where the text lost a row. A table that
    /// is written out needs no such check.
    func rows(_ count: Int, file: StaticString = #file, line: UInt = #line) -> Self {
        precondition(self.count == count, "\(self.count) rows instead of \(count)", file: file, line: line)
        return self
    }

    /// The same rows, of which there must be that number or more.
    func rows(atLeast count: Int, file: StaticString = #file, line: UInt = #line) -> Self {
        precondition(self.count >= count, "\(self.count) rows, fewer than \(count)", file: file, line: line)
        return self
    }
}

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

/// A row of a table of cases, which is reported by its first text.
protocol LabelledRow: Sendable, CustomTestStringConvertible {}

extension LabelledRow {
    var testDescription: String {
        Mirror(reflecting: self).children.lazy.compactMap { $0.value as? String }.first ?? String(describing: self)
    }
}
