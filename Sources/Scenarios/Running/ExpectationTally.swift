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
    // The number of fetches that ended in each way, if that is asked for.
    private let countsResults: Bool
    private var results: [String: Int] = [:]
    // By index of the check: the first fetch that did not hold, how many did not, and whether all of them have the same.
    private var mismatches: [Int: (actual: String, device: String, count: Int, isSame: Bool)] = [:]
    // By index of the check and name: the devices that have it.
    private var devices: [Int: [String: Set<Int>]] = [:]

    // Fetches that came back with a token.
    private struct Counts {
        private var passed = 0
        private var failed = 0
        private var cached = 0
        // Calls beside those for tokens that attested, and those that the install answered itself.
        private var (calls, answered) = (0, 0)

        mutating func count(passed isPass: Bool, isCached: Bool) {
            if isPass { passed += 1 } else { failed += 1 }
            if isCached { cached += 1 }
        }

        mutating func countCall(attested: Bool, succeeded: Bool) {
            if attested { calls += 1 } else if succeeded { answered += 1 }
        }

        /// True if no fetch came back with a token, and no call with an answer of the service or of the install.
        var isEmpty: Bool { passed + failed + calls + answered == 0 }

        subscript(kind: FetchExpectation.CountKind) -> Int {
            switch kind {
            case .pass: passed
            case .fail: failed
            case .attested: passed + failed - cached + calls
            case .cached: cached
            }
        }
    }

    init(_ expectation: FetchExpectation) {
        self.expectation = expectation
        looking = expectation.checks.indices.filter { index in
            switch expectation.checks[index].condition {
            case .count, .results, .outcome, .notice: false
            case .verdict, .result, .value, .policy, .lifetime, .exactly, .noAnnotations, .responseCode, .token,
                .loggable, .devices:
                true
            }
        }
        countsResults = expectation.checks.contains { if case .results = $0.condition { true } else { false } }
    }

    /// A fetch or a call as it ended, and the request that it was made for.
    struct Taken {
        /// The client's status, or the result of a proof; `nil` where a request was not even tried.
        let result: String?
        var isCached = false
        /// True if a token came back: the install's, or the one that it had before.
        var hasToken = false
        /// The token that came back, where the install has another one by now.
        var earlierToken: CachedToken?
        /// The secure string that came back instead, or the token for no domain with its key.
        var value: String?
        var token: (text: String, key: TokenKey)?
        /// True if it is a call beside those for tokens; and the decision if that attested.
        var isCall = false
        var decision: Decision?
        /// `nil` for a fetch alone.
        var outcome: RequestOutcome?
        var notice = ConfigurationNotice()
    }

    /// Takes a fetch into account, if the expectation is about it.
    ///
    /// - Parameters:
    ///   - install: The install that fetched; its token is the one that the fetch came back with.
    ///   - number: The install's number over all groups.
    ///   - taken: Its result.
    ///   - service: The account's service.
    mutating func add(_ install: borrowing Install, number: Int, _ taken: Taken, in service: SimulatedService) {
        guard isAbout(install, in: service) else { return }
        fetches += 1
        if let outcome = taken.outcome { outcomes[outcome, default: 0] += 1 }
        if taken.notice.isChanged { notices[.changed, default: 0] += 1 }
        if taken.notice.isForced { notices[.forced, default: 0] += 1 }
        if countsResults { results[taken.result ?? ExaminedFetch.noFetch, default: 0] += 1 }
        if !looking.isEmpty {
            let fetch = ExaminedFetch(taken, by: install, number: number, in: service)
            for index in looking { look(at: index, fetch, in: service) }
        }
        if taken.isCall {
            counts.countCall(
                attested: taken.decision != nil, succeeded: taken.result == FetchResult.success.rawValue)
        }
        guard taken.hasToken, let passed = (taken.earlierToken ?? install.token)?.decision.passed else { return }
        counts.count(passed: passed, isCached: taken.isCached)
    }

    private mutating func look(at index: Int, _ fetch: ExaminedFetch, in service: SimulatedService) {
        guard case .devices(let aspect, let wanted) = expectation.checks[index].condition else {
            guard let actual = fetch.mismatch(expectation.checks[index].condition, in: service) else { return }
            var mismatch = mismatches[index] ?? (actual, fetch.device.description, 0, true)
            mismatch.count += 1
            mismatch.isSame = mismatch.isSame && mismatch.actual == actual
            mismatches[index] = mismatch
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
            var result = ExpectationResult(
                file: file, position: check.position, passed: passed, expected: expected, actual: actual,
                message: "\(check.name) of \(subject)")
            if !passed { result.correction = correction(of: check.condition, at: index) }
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

    // Why a count holds whatever the account decides. A condition on each fetch does not hold without a token.
    private func vacuity(of condition: FetchExpectation.Condition) -> String? {
        let ranges: [CountRange]
        switch condition {
        case .count(_, let range): ranges = [range]
        // They say something without a token, too.
        case .outcome(_, let range), .notice(_, let range): return range.isUnbounded ? Self.anyCount : nil
        case .results(let wanted): return wanted.contains(where: \.count.isUnbounded) ? Self.anyCount : nil
        case .devices(_, let wanted): ranges = wanted.map(\.count)
        case .verdict, .result, .value, .policy, .lifetime, .exactly, .noAnnotations, .responseCode, .token, .loggable:
            return nil
        }
        if ranges.contains(where: \.isUnbounded) { return Self.anyCount }
        guard counts.isEmpty else { return nil }
        return expectation.isOfCalls ? "no call was answered" : "no token came back"
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

    // The expected and the actual value, and true if the check passes.
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
        case .verdict, .result, .value, .policy, .lifetime, .exactly, .noAnnotations, .responseCode, .token, .loggable:
            let expected = check.condition.text
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

    // The value with which the check would hold; `nil` if fetches differ, or if it is no plain value.
    private func correction(of condition: FetchExpectation.Condition, at index: Int) -> DocumentValue? {
        switch condition {
        case .count(let kind, _): return .text("\(counts[kind])")
        case .devices(_, let wanted):
            return .mapping(
                wanted.map { DocumentField($0.name, "\(devices[index]?[$0.name]?.count ?? 0)") })
        case .verdict, .result, .policy, .lifetime, .noAnnotations, .exactly:
            guard let mismatch = mismatches[index], mismatch.count == fetches, mismatch.isSame else { return nil }
            return Self.value(of: mismatch.actual)
        // The results of requests and secrets are no plain values, or are not per fetch.
        case .results, .value, .outcome, .notice, .responseCode, .token, .loggable: return nil
        }
    }

    // A list in brackets, or a word; `nil` where there was no token.
    private static func value(of actual: String) -> DocumentValue? {
        if ExaminedFetch.isNothing(actual) { return nil }
        guard actual.hasPrefix("["), actual.hasSuffix("]") else { return .text(actual) }
        let names = actual.dropFirst().dropLast()
        return .texts(names.isEmpty ? [] : Self.split(names))
    }

    private static func split(_ names: Substring) -> [String] {
        names.split(separator: ",").map { String($0.first == " " ? $0.dropFirst() : $0) }
    }
}

extension Decision {
    /// True if an attestation has any name of a kind.
    fileprivate func carriesAny(of aspect: FetchExpectation.Aspect) -> Bool {
        switch aspect {
        case .rejections: !passed
        case .flags: !flags.isEmpty
        case .annotations: annotations?.isEmpty == false
        case .filters: !filters.isEmpty
        }
    }
}
