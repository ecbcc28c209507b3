internal import Documents
internal import PolicyEngine
internal import Replay

/// Gathers what the fetches of a step have to say about one of its expectations.
struct ExpectationTally {
    private let expectation: FetchExpectation
    // The indices of the checks that look into a fetch; the others only count fetches.
    private let looking: [Int]
    /// Fetches that it is about.
    private(set) var fetches = 0
    private var counts = Counts()
    private var outcomes: [RequestOutcome: Int] = [:]
    private var notices: [FetchExpectation.NoticeKind: Int] = [:]
    // How many ended in each way, where that is asked for.
    private let countsResults: Bool
    private var results: [String: Int] = [:]
    // By index of the check: the first fetch that did not hold, and how many did not.
    private var mismatches: [Int: (actual: String, device: String, count: Int)] = [:]
    // By index of the check and name: the devices that have it.
    private var devices: [Int: [String: Set<Int>]] = [:]

    // Fetches that came back with a token.
    private struct Counts {
        private var passed = 0
        private var failed = 0
        private var cached = 0

        mutating func count(passed isPass: Bool, isCached: Bool) {
            if isPass { passed += 1 } else { failed += 1 }
            if isCached { cached += 1 }
        }

        /// Fetches that came back with a token.
        var tokens: Int { passed + failed }

        subscript(kind: FetchExpectation.CountKind) -> Int {
            switch kind {
            case .pass: passed
            case .fail: failed
            case .attested: passed + failed - cached
            case .cached: cached
            }
        }
    }

    init(_ expectation: FetchExpectation) {
        self.expectation = expectation
        looking = expectation.checks.indices.filter { index in
            switch expectation.checks[index].condition {
            case .count, .results, .outcome, .notice: false
            default: true
            }
        }
        countsResults = expectation.checks.contains { if case .results = $0.condition { true } else { false } }
    }

    /// A fetch or a call as it ended, and the request that it was made for.
    struct Taken {
        /// The client's status, or how a proof came out; `nil` where a request was not even tried.
        let result: String?
        var isCached = false
        /// Whether the install's token is what came back.
        var hasToken = false
        /// What came back instead: a secure string, or a token for no domain, and its key.
        var value: String?
        var token: (text: String, key: TokenKey)?
        /// `nil` for a fetch alone.
        var outcome: RequestOutcome?
        var notice = ConfigurationNotice()
    }

    // A fetch, as expectations see it.
    private struct Fetch {
        /// The install's number over all groups.
        let install: Int
        let device: DeviceID
        let result: String?
        let value: String?
        let custom: (text: String, key: TokenKey)?
        let time: Instant?
        /// The attestation behind the token.
        var decision: Decision? { token?.decision }
        /// The token; `nil` where there is none.
        let token: CachedToken?
    }

    /// Takes a fetch into account, if the expectation is about it.
    ///
    /// - Parameters:
    ///   - install: Who fetched; its token is the one that the fetch came back with.
    ///   - number: The install's number over all groups.
    ///   - taken: How it ended.
    ///   - service: The account's service.
    mutating func take(_ install: borrowing Install, number: Int, _ taken: Taken, in service: SimulatedService) {
        guard isAbout(install, in: service) else { return }
        fetches += 1
        if let outcome = taken.outcome { outcomes[outcome, default: 0] += 1 }
        if taken.notice.isChanged { notices[.changed, default: 0] += 1 }
        if taken.notice.isForced { notices[.forced, default: 0] += 1 }
        if countsResults { results[taken.result ?? Self.noFetch, default: 0] += 1 }
        if !looking.isEmpty {
            let fetch = Fetch(
                install: number, device: service.deviceID(of: install.attestation.device), result: taken.result,
                value: taken.value,
                custom: taken.token, time: install.token?.decision.time,
                token: taken.hasToken ? install.token : nil)
            for index in looking { look(at: index, fetch, in: service) }
        }
        guard taken.hasToken, let passed = install.token?.decision.passed else { return }
        counts.count(passed: passed, isCached: taken.isCached)
    }

    private mutating func look(at index: Int, _ fetch: Fetch, in service: SimulatedService) {
        guard case .devices(let aspect, let wanted) = expectation.checks[index].condition else {
            guard let actual = Self.mismatch(expectation.checks[index].condition, fetch, in: service) else { return }
            mismatches[index, default: (actual, fetch.device.description, 0)].count += 1
            return
        }
        // Most fetches carry nothing of what is counted; then no name need be made.
        guard let decision = fetch.decision, decision.carriesAny(of: aspect) else { return }
        let present = service.names(of: aspect, in: decision) ?? []
        for (name, _) in wanted where present.contains(name) {
            devices[index, default: [:]][name, default: []].insert(fetch.install)
        }
    }

    /// The result of every check.
    ///
    /// - Parameter accounts: The accounts whose filters it names, by their indices.
    func results(file: String, subject: String, accounts: [Int]) -> [ExpectationResult] {
        expectation.checks.enumerated().map { index, check in
            let (expected, actual, passed) = comparison(of: check, at: index)
            let result = ExpectationResult(
                file: file, position: check.position, passed: passed, expected: expected, actual: actual,
                message: "\(check.name) of \(subject)")
            return expectation.allowsVacuous ? result : strict(result, check.condition, accounts: accounts)
        }
    }

    // The same, failed where it holds because nothing happened, or with what else must have happened.
    private func strict(
        _ result: ExpectationResult, _ condition: FetchExpectation.Condition, accounts: [Int]
    ) -> ExpectationResult {
        var result = result.failing(asVacuous: vacuity(of: condition))
        result.reaches = Self.reaches(of: condition, accounts: accounts)
        return result
    }

    // Why a count holds whatever the account decides. What is said of each fetch does not hold without a token.
    private func vacuity(of condition: FetchExpectation.Condition) -> String? {
        let ranges: [CountRange]
        switch condition {
        case .count(_, let range): ranges = [range]
        // They say something without a token, too.
        case .outcome(_, let range), .notice(_, let range): return range.isUnbounded ? Self.anyCount : nil
        case .results(let wanted): return wanted.contains(where: \.count.isUnbounded) ? Self.anyCount : nil
        case .devices(_, let wanted): ranges = wanted.map(\.count)
        default: return nil
        }
        if ranges.contains(where: \.isUnbounded) { return Self.anyCount }
        return counts.tokens == 0 ? "no token came back" : nil
    }

    // The filters that a count names which would hold without them, too.
    private static func reaches(of condition: FetchExpectation.Condition, accounts: [Int]) -> [Reach] {
        guard case .devices(let aspect, let wanted) = condition else { return [] }
        return wanted.filter(\.count.isVacuousAtZero).compactMap { name, _ in
            switch (aspect, Rejection(name)) {
            case (.filters, _): .filter(name, accounts: accounts)
            case (.rejections, .filter(let filter)): .filter(filter.text, accounts: accounts)
            case (.rejections, _), (.flags, _), (.annotations, _): nil
            }
        }
    }

    private func isAbout(_ install: borrowing Install, in service: SimulatedService) -> Bool {
        switch expectation.target {
        case .all: true
        case .group(let group): install.group == group
        case .device(let id): service.deviceID(of: install.attestation.device) == id
        }
    }

    // What was expected, what was found, and whether that will do.
    private func comparison(
        of check: FetchExpectation.Check, at index: Int
    ) -> (expected: String, actual: String, passed: Bool) {
        switch check.condition {
        case .count(let kind, let range):
            let count = counts[kind]
            return (range.description, "\(count)", range.contains(count))
        case .outcome(let outcome, let range):
            let count = outcomes[outcome] ?? 0
            return (range.description, "\(count)", range.contains(count))
        case .notice(let kind, let range):
            let count = notices[kind] ?? 0
            return (range.description, "\(count)", range.contains(count))
        case .results(let wanted): return Self.comparison(of: wanted, results)
        case .devices(_, let wanted):
            return Self.comparison(of: wanted, devices[index]?.mapValues(\.count) ?? [:])
        default:
            let expected = Self.text(of: check.condition)
            guard let mismatch = mismatches[index] else { return (expected, expected, true) }
            let others = mismatch.count > 1 ? ", one of \(mismatch.count.grouped) that differ" : ""
            return (expected, "\(mismatch.actual) (device \(mismatch.device)\(others))", false)
        }
    }

    private static func comparison(
        of wanted: [(name: String, count: CountRange)], _ counts: [String: Int]
    ) -> (expected: String, actual: String, passed: Bool) {
        let found = wanted.map { ($0.name, counts[$0.name] ?? 0) }
        let holds = zip(wanted, found).allSatisfy { $0.count.contains($1.1) }
        let expected = wanted.map { "\($0.name): \($0.count)" }.joined(separator: ", ")
        return (expected, found.map { "\($0.0): \($0.1)" }.joined(separator: ", "), holds)
    }

    private static let anyCount = "any count would do"
    private static let noFetch = "no fetch"

    // What a fetch has instead of what is expected of each; `nil` when it holds.
    private static func mismatch(
        _ condition: FetchExpectation.Condition, _ fetch: Fetch, in service: SimulatedService
    ) -> String? {
        let actual = fetch.result ?? noFetch
        switch condition {
        case .result(let result): return fetch.result == result ? nil : actual
        case .value(let text): return fetch.value == text ? nil : fetch.value ?? "none, \(actual)"
        case .token(let wanted) where wanted.domain == nil:
            guard let token = fetch.custom, let time = fetch.time else { return "no token, \(actual)" }
            return wanted.mismatch(token.text, key: token.key, at: time)
        default: break
        }
        guard let token = fetch.token else { return "no token, \(actual)" }
        let decision = token.decision
        switch condition {
        case .verdict(let passed): return decision.passed == passed ? nil : (decision.passed ? "pass" : "fail")
        case .policy(let text):
            let policy = service.policy(of: decision)
            return policy == text ? nil : policy
        case .lifetime(let seconds): return decision.lifetime == seconds ? nil : "\(decision.lifetime)s"
        case .responseCode(let wanted): return mismatch(wanted, decision, in: service)
        case .token(let wanted): return mismatch(wanted, token, in: service)
        case .noAnnotations:
            return decision.annotations == nil ? nil : list(service.names(of: .annotations, in: decision) ?? [])
        // R5.3: an empty list is not the same as none.
        case .exactly(.annotations, _) where decision.annotations == nil: return "none"
        case .exactly(let aspect, let wanted):
            let present = service.names(of: aspect, in: decision) ?? []
            return Set(present) == wanted ? nil : list(present)
        case .result, .results, .value, .count, .outcome, .notice, .devices: return nil
        }
    }

    // The code is read as support would read it, with the account's secret alone.
    private static func mismatch(
        _ condition: FetchExpectation.ResponseCodeCondition, _ decision: Decision, in service: SimulatedService
    ) -> String? {
        let code = service.responseCode(of: decision)
        switch condition {
        case .none: return code
        case .text(let wanted): return code == wanted ? nil : code ?? "none"
        case .meaning(let passed, let flags):
            guard let code else { return "none" }
            guard let meaning = service.responseCodeMeaning(code, of: decision) else { return "\(code), arc invalid" }
            let names = service.symbols.catalogue.names(of: meaning.flags)
            let holds = meaning.passed == passed && (flags.map { $0 == Set(names) } ?? true)
            return holds ? nil : "\(meaning.passed ? "passed" : "failed") \(list(names))"
        }
    }

    // The token is made as the service would make it, and verified as a backend would verify it.
    private static func mismatch(
        _ wanted: TokenExpectation, _ token: CachedToken, in service: SimulatedService
    ) -> String? {
        guard let domain = wanted.domain else { return nil }
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: domain, withMeasurement: wanted.isMeasured)
            return key.flatMap { wanted.mismatch(text, key: $0, at: token.decision.time) }
        } catch {
            return "no token: \(error)"
        }
    }

    private static func text(of condition: FetchExpectation.ResponseCodeCondition) -> String {
        switch condition {
        case .none: return "none"
        case .text(let code): return code
        case .meaning(let passed, let flags):
            let status = passed ? "passed" : "failed"
            return flags.map { "\(status) \(list($0.sorted()))" } ?? status
        }
    }

    private static func text(of condition: FetchExpectation.Condition) -> String {
        switch condition {
        case .verdict(let passed): passed ? "pass" : "fail"
        case .result(let result): result
        case .policy(let text): text
        case .lifetime(let seconds): "\(seconds)s"
        case .noAnnotations: "none"
        case .responseCode(let wanted): text(of: wanted)
        case .token(let wanted): wanted.text
        case .exactly(_, let names): list(names.sorted())
        case .value(let text): text
        case .count, .results, .outcome, .notice, .devices: ""
        }
    }

    private static func list(_ names: [String]) -> String { "[" + names.joined(separator: ", ") + "]" }
}

extension Decision {
    /// Whether an attestation has any name of a kind.
    fileprivate func carriesAny(of aspect: FetchExpectation.Aspect) -> Bool {
        switch aspect {
        case .rejections: !passed
        case .flags: !flags.isEmpty
        case .annotations: annotations?.isEmpty == false
        case .filters: !filters.isEmpty
        }
    }
}
