internal import Documents
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
