internal import Documents
internal import Scenarios

/// An expectation of a scenario with its result, as the forms for CI servers name it.
struct TestCase {
    let result: ExpectationResult
    /// The expectation and its line: `verdict of bob (line 4)`; with the column, and a number, where others of the scenario
    /// have the same name.
    let name: String

    /// The expectation and its position: `bob.yaml:4:7: verdict of bob`.
    var location: String { "\(result.file):\(result.position): \(result.message)" }

    /// The time of the step from the start of the scenario, as the file has it: `5m30s`, `0s to 2d`, or `at the end`.
    var time: String {
        guard let times = result.times else { return "at the end" }
        let (first, last) = (DurationText.text(times.lowerBound), DurationText.text(times.upperBound))
        return first == last ? first : "\(first) to \(last)"
    }

    /// The check without the devices that it is about, which have a place of their own: `verdict`.
    var check: String {
        guard let subject = result.subject else { return result.message }
        return result.message.hasSuffix(" of \(subject)")
            ? String(result.message.dropLast(subject.count + 4)) : result.message
    }

    /// The devices that it is about: `all devices`, or a group.
    var subject: String { result.subject == "all" ? "all devices" : result.subject ?? "" }

    /// The expected and the actual value: `expected pass, actual fail`.
    var difference: String { "expected \(result.expected), actual \(result.actual)" }

    /// The difference, and what rejects the fetches: `expected pass, actual fail; rejected for rooted (1)`.
    var reason: String { difference + (result.rejections.map { "; rejected for \($0)" } ?? "") }
}

extension ScenarioResult {
    /// The expectations, in the order in which they were checked.
    var testCases: [TestCase] {
        let names = expectations.map { result -> UniqueNames.Name in
            let line = "line \(result.position.line)"
            return ("\(result.message) (\(line))", "\(result.message) (\(line), column \(result.position.column))")
        }
        return zip(expectations, UniqueNames.all(names)).map { TestCase(result: $0, name: $1) }
    }

    /// The expectations that do not hold.
    var failures: [TestCase] { testCases.filter { !$0.result.passed } }
}

extension Report {
    /// The names of the scenarios, then of those that were left out; with the file where several have the same name.
    var suiteNames: [String] {
        let all = scenarios.map { ($0.name, $0.file) } + (leftOut ?? []).map { ($0.name, $0.file) }
        return UniqueNames.all(all.map { ($0, "\($0) (\($1))") })
    }
}

/// Names that CI servers tell apart.
private enum UniqueNames {
    /// A name, and a longer one for where another has the same.
    typealias Name = (short: String, long: String)

    /// One name for each, in the same order; equal long names get numbers.
    static func all(_ names: [Name]) -> [String] {
        let shorts = counts(names.map(\.short))
        let chosen = names.map { shorts[$0.short] == 1 ? $0.short : $0.long }
        let longs = counts(chosen)
        var used: [String: Int] = [:]
        return chosen.map { name in
            used[name, default: 0] += 1
            return longs[name] == 1 ? name : "\(name) #\(used[name] ?? 0)"
        }
    }

    private static func counts(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
