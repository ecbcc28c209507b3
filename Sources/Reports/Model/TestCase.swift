internal import Documents
internal import Scenarios

/// An expectation of a scenario with its result, as the forms for CI servers name it.
struct TestCase {
    let scenario: ScenarioResult
    let result: ExpectationResult

    /// The expectation and its line: `verdict of bob (line 4)`.
    var name: String { "\(result.message) (line \(result.position.line))" }

    /// The expectation and its position: `bob.yaml:4:7: verdict of bob`.
    var location: String { "\(result.file):\(result.position): \(result.message)" }

    /// The expected and the actual value: `expected pass, actual fail`.
    var difference: String { "expected \(result.expected), actual \(result.actual)" }

    /// The difference, and what rejects the fetches: `expected pass, actual fail; rejected for rooted (1)`.
    var reason: String { difference + (result.rejections.map { "; rejected for \($0)" } ?? "") }
}

extension ScenarioResult {
    /// The expectations, in the order in which they were checked.
    var testCases: [TestCase] { expectations.map { TestCase(scenario: self, result: $0) } }

    /// The expectations that do not hold.
    var failures: [TestCase] { testCases.filter { !$0.result.passed } }
}
