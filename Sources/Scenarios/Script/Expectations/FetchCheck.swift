internal import Accounts
package import Documents
internal import PolicyEngine

/// A kind of check of fetches, requests or calls: a type for each, which reads its keys, and knows at what its check looks and
/// when that holds (formats: Scenario, expectations).
protocol FetchCheckKind: Sendable {
    /// The keys that name it, each with the form of its value.
    static var forms: [(key: String, schema: JSONSchema)] { get }
    /// Reads it; `nil` after noting an error.
    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)?
}

/// A check of an expectation: one key and its value.
protocol FetchCheck: Sendable {
    /// The parts of an account at which it looks, beside those on which its step depends.
    var reach: Set<AccountPart> { get }
    /// The result over all fetches.
    ///
    /// - Parameter accounts: The accounts whose filters it names, by their indices.
    func result(_ findings: CheckFindings, _ figures: ExaminedFigures, accounts: [Int]) -> CheckResult
}

/// A check that looks into each fetch; the others only count fetches.
protocol LookingCheck: FetchCheck {
    func look(at fetch: ExaminedFetch, in service: SimulatedService, _ findings: inout CheckFindings)
}

/// All checks.
enum FetchChecks {
    static let all: [any FetchCheckKind.Type] = [
        VerdictCheck.self, CountCheck.self, ResultCheck.self, PolicyCheck.self, NamesCheck.self, LifetimeCheck.self,
        ResponseCodeCheck.self, IssuedTokenCheck.self, LoggableTokenCheck.self, ValueCheck.self,
    ]
    /// The forms of all keys that check something.
    static let forms = all.flatMap { $0.forms }

    private static let kinds = all.reduce(into: [String: any FetchCheckKind.Type]()) { kinds, kind in
        for form in kind.forms { kinds[form.key] = kind }
    }

    /// The check that a key names; `nil` for a key that is none.
    static func kind(_ key: String) -> (any FetchCheckKind.Type)? { kinds[key] }
}

/// Reads a check: knows the step that it is about, and what it may name.
struct CheckLoader {
    let names: ExpectedNames
    let step: any ExpectingAction
    var reader: DocumentReader
}

/// The findings of one check in the fetches so far.
struct CheckFindings {
    /// The first fetch for which it does not hold, how many there are, and whether all have the same.
    private(set) var mismatch: (actual: ActualValue, device: DeviceID, count: Int, isSame: Bool)?
    /// By name: the installs that have it.
    var installs: [String: Set<Int>] = [:]

    mutating func note(_ actual: ActualValue, of device: DeviceID) {
        guard let first = mismatch else {
            mismatch = (actual, device, 1, true)
            return
        }
        mismatch = (first.actual, first.device, first.count + 1, first.isSame && first.actual.text == actual.text)
    }
}

// MARK: Checks of each fetch

/// A check of each fetch.
protocol EachFetchCheck: LookingCheck {
    /// The expected value in words.
    var text: String { get }
    /// The actual value where it does not hold; `nil` if it holds.
    func mismatch(_ fetch: ExaminedFetch, in service: SimulatedService) -> ActualValue?
}

extension EachFetchCheck {
    func look(at fetch: ExaminedFetch, in service: SimulatedService, _ findings: inout CheckFindings) {
        if let actual = mismatch(fetch, in: service) { findings.note(actual, of: fetch.device) }
    }

    // It does not hold without a token, so that it never holds because nothing happened.
    func result(_ findings: CheckFindings, _ figures: ExaminedFigures, accounts: [Int]) -> CheckResult {
        guard let found = findings.mismatch else { return CheckResult(expected: text, actual: text, passed: true) }
        let others = found.count > 1 ? ", one of \(found.count.grouped) that differ" : ""
        return CheckResult(
            expected: text, actual: "\(found.actual.text) (device \(found.device)\(others))", passed: false,
            correction: found.count == figures.fetches && found.isSame ? found.actual : nil)
    }
}

/// A check of the attestation behind each fetch.
protocol DecisionCheck: EachFetchCheck {
    /// The actual value where it does not hold; `nil` if it holds.
    func mismatch(_ decision: Decision, in service: SimulatedService) -> ActualValue?
}

extension DecisionCheck {
    func mismatch(_ fetch: ExaminedFetch, in service: SimulatedService) -> ActualValue? {
        if let decision = fetch.decision { return mismatch(decision, in: service) }
        return ActualValue(text: "\(fetch.end.isCall ? "no attestation" : "no token"), \(fetch.result)")
    }
}

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

/// Of each fetch: the token's verdict.
struct VerdictCheck: FetchCheckKind, DecisionCheck {
    static let forms = [(key: "verdict", schema: JSONSchema.words(words))]
    private static let words = ["pass", "fail"]
    let text: String
    private var passed: Bool { text == "pass" }
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.choice(entry.value, "`verdict`", from: words).map(VerdictCheck.init)
    }

    func mismatch(_ decision: Decision, in _: SimulatedService) -> ActualValue? {
        decision.passed == passed ? nil : .word(decision.passed ? "pass" : "fail")
    }
}

/// Of each fetch or call: the client's status, or the result of a proof.
struct ResultCheck: FetchCheckKind, EachFetchCheck {
    // A word is of each, a map says how many ended in each way.
    static var forms: [(key: String, schema: JSONSchema)] {
        ["result", "proof"].map { key in
            let words = StepKinds.expecting.filter { $0.checks.contains(key) }.flatMap { $0.results }.unique
            return (key, .any(of: [.words(words), .map(of: .reference(to: "count"), keys: .words(words), atLeast: 1)]))
        }
    }
    let text: String
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        let (what, words) = (entry.key.quoted, type(of: loader.step).results)
        let counts = NamedRanges.load(entry.value, what, &loader.reader) { $1.choice($0, what, from: words) }
        if let counts { return ResultCountCheck(wanted: counts) }
        return loader.reader.choice(entry.value, what, from: words).map(ResultCheck.init)
    }

    func mismatch(_ fetch: ExaminedFetch, in _: SimulatedService) -> ActualValue? {
        guard let result = fetch.end.result else { return ActualValue(text: ExaminedFetch.noFetch) }
        return result == text ? nil : .word(result)
    }
}

/// Of all fetches or calls: how many ended in each way.
struct ResultCountCheck: FetchCheck {
    let wanted: NamedRanges
    var reach: Set<AccountPart> { [] }

    // Results are what happens, and are not rewritten. They say something without a token, too.
    func result(_: CheckFindings, _ figures: ExaminedFigures, accounts _: [Int]) -> CheckResult {
        var result = wanted.result(figures.results)
        result.correction = nil
        return result
    }
}

/// Of each fetch: the policy that was applied.
struct PolicyCheck: FetchCheckKind, DecisionCheck {
    // Its rejection part may be `custom`.
    static let forms = [
        (
            key: "policy",
            schema: RuleForms.policy(
                rejections: RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName])
        )
    ]
    let text: String
    var reach: Set<AccountPart> { [.policy] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard let text = loader.reader.text(entry.value, "`policy`") else { return nil }
        let isKnown = loader.names.checkPolicy(text, at: entry.value.position, &loader.reader)
        return isKnown ? PolicyCheck(text: text) : nil
    }

    func mismatch(_ decision: Decision, in service: SimulatedService) -> ActualValue? {
        let policy = service.policy(of: decision)
        return policy == text ? nil : .word(policy)
    }
}

/// Of each fetch: the token's lifetime in seconds.
struct LifetimeCheck: FetchCheckKind, DecisionCheck {
    static let forms = [(key: "lifetime", schema: JSONSchema.duration)]
    let seconds: Int
    var text: String { "\(seconds)s" }
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.duration(entry.value, "`lifetime`").map(LifetimeCheck.init)
    }

    func mismatch(_ decision: Decision, in _: SimulatedService) -> ActualValue? {
        decision.lifetime == seconds ? nil : .word("\(decision.lifetime)s")
    }
}

/// Of each call: the secure string. It is a secret, so that a result says neither it nor what is expected.
struct ValueCheck: FetchCheckKind, EachFetchCheck {
    static let forms = [(key: "value", schema: JSONSchema.text)]
    let text = "the expected string"
    private let expected: String
    var reach: Set<AccountPart> { [.secureStrings] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.text(entry.value, "`value`").map { ValueCheck(expected: $0) }
    }

    func mismatch(_ fetch: ExaminedFetch, in _: SimulatedService) -> ActualValue? {
        let value = fetch.end.value
        if value.hasSameBytes(as: expected) { return nil }
        return ActualValue(text: value == nil ? "none, \(fetch.result)" : "another string")
    }
}
