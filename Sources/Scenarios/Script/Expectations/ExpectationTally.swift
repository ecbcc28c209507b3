internal import Figures
internal import PolicyEngine

/// Gathers what the fetches of a step have to say about one of its expectations.
struct ExpectationTally {
    private let expectation: FetchExpectation
    // By index of the check.
    private var findings: [CheckFindings]
    // The indices of the checks that look at fetches; the others only count them.
    private let comparing: [Int]
    /// The figures of the fetches that it is about.
    private(set) var figures = ExaminedFigures()
    private var rejections = RejectionTally()

    init(_ expectation: FetchExpectation) {
        self.expectation = expectation
        findings = expectation.checks.map { _ in CheckFindings() }
        comparing = expectation.checks.indices.filter {
            if case .count = expectation.checks[$0].expected.test { false } else { true }
        }
    }

    /// Adds a fetch, if the expectation is about it.
    ///
    /// - Parameters:
    ///   - end: The end of the fetch.
    ///   - install: The install that fetched.
    ///   - number: The install's number over all groups.
    ///   - service: The account's service.
    mutating func add(_ end: FetchEnd, by install: borrowing Install, number: Int, in service: SimulatedService) {
        guard isAbout(install, in: service) else { return }
        figures.add(end)
        rejections.add(end.decision, of: service)
        guard !comparing.isEmpty else { return }
        let fetch = ExaminedFetch(end, by: install, number: number, in: service)
        for index in comparing { findings[index].note(fetch, expectation.checks[index].expected.test, in: service) }
    }

    private func isAbout(_ install: borrowing Install, in service: SimulatedService) -> Bool {
        switch expectation.target {
        case .all: true
        case .group(let group): install.group == group
        case .device(let id): service.deviceID(of: install.attestation.device) == id
        }
    }

    /// The result of every check.
    ///
    /// - Parameters:
    ///   - subject: The words for the devices that it is about.
    ///   - device: The device or the group that explains it; `nil` for all devices.
    ///   - accounts: The accounts whose filters it names, by their indices.
    func results(file: String, subject: String, device: String?, accounts: [Int]) -> [ExpectationResult] {
        zip(expectation.checks, findings).map { check, findings in
            var result = findings.result(check.expected, figures, accounts: accounts).reported(
                file: file, position: check.position, message: "\(check.key) of \(subject)",
                allowsVacuous: expectation.allowsVacuous)
            (result.explainedDevice, result.subject) = (device, subject)
            if !result.passed { result.rejections = rejections.text }
            return result
        }
    }
}

/// The counts of the fetches of a step, or of its calls beside those for tokens.
struct ExaminedFigures {
    private(set) var fetches = 0
    /// Fetches that came back with a token, by its verdict; and those whose token was in the cache.
    private(set) var (passed, failed, cached) = (0, 0, 0)
    // Calls that attested, and those that the install answered itself.
    private var (calls, answered) = (0, 0)
    private var isOfCalls = false
    /// Requests by their outcome.
    private(set) var requests = RequestFigures()
    /// Fetches that said something of the configuration (R17.4).
    private(set) var (changed, forced) = (0, 0)

    mutating func add(_ end: FetchEnd) {
        fetches += 1
        if let outcome = end.outcome { requests.count(outcome) }
        if end.notice.isChanged { changed += 1 }
        if end.notice.isForced { forced += 1 }
        if end.isCall {
            isOfCalls = true
            if end.decision != nil { calls += 1 } else if end.result == .fetch(.success) { answered += 1 }
        } else if let decision = end.decision {
            if decision.passed { passed += 1 } else { failed += 1 }
            if end.isCached { cached += 1 }
        }
    }

    /// Fetches and calls that attested.
    var attested: Int { passed + failed - cached + calls }

    /// The reason for which a count of answers holds whatever the account decides: nothing was answered.
    var vacuity: String? {
        guard passed + failed + calls + answered == 0 else { return nil }
        return isOfCalls ? "no call was answered" : "no token came back"
    }
}

/// Counts what rejects the fetches that an expectation is about.
struct RejectionTally {
    // All that decisions of an account reject for.
    private struct Causes: Hashable {
        let flags: FlagSet
        let filters: FilterSet
        let isBlacklisted: Bool
        // Filters are numbers of a revision of an account.
        let revision: Int
        let service: ObjectIdentifier
    }

    private var counts: [Causes: (names: [String], fetches: Int)] = [:]

    /// Adds the decision behind a fetch.
    mutating func add(_ decision: Decision?, of service: SimulatedService) {
        guard let decision, !decision.passed else { return }
        let causes = Causes(
            flags: decision.rejectingFlags, filters: decision.rejectingFilters,
            isBlacklisted: decision.isBlacklisted, revision: decision.revision, service: ObjectIdentifier(service))
        // Names take long to make.
        let known = counts[causes] ?? (service.names(of: .rejections, in: decision) ?? [], 0)
        counts[causes] = (known.names, known.fetches + 1)
    }

    /// The causes with the number of fetches that each rejects, the commonest first: `rooted (2), filter:myip (1)`; `nil` where
    /// nothing rejects any.
    var text: String? {
        var byName: [String: Int] = [:]
        for (names, fetches) in counts.values {
            for name in names { byName[name, default: 0] += fetches }
        }
        guard !byName.isEmpty else { return nil }
        let ranked = byName.sorted { ($1.value, ExactText($0.key)) < ($0.value, ExactText($1.key)) }
        let others = ranked.count > Self.limit ? ", and \(ranked.count - Self.limit) more" : ""
        return ranked.prefix(Self.limit).map { "\($0.key) (\($0.value))" }.joined(separator: ", ") + others
    }

    // The number of causes that are named.
    private static let limit = 5
}

/// A fetch or a call, as checks look into it.
struct ExaminedFetch {
    let end: FetchEnd
    /// The install's number over all groups.
    let install: Int
    let device: DeviceID
    /// The time at which the install's token was issued.
    let time: Instant?
    /// True if the app can log tokens that name their key.
    let logsKeyIDs: Bool

    /// - Parameters:
    ///   - install: The install that made it.
    ///   - number: The install's number over all groups.
    ///   - service: The account's service.
    init(_ end: FetchEnd, by install: borrowing Install, number: Int, in service: SimulatedService) {
        (self.install, self.end) = (number, end)
        device = service.deviceID(of: install.attestation.device)
        time = install.token?.decision.time
        logsKeyIDs = service.supports(.loggableKeyIDs, install.attestation)
    }

    /// The token that the fetch came back with; `nil` if there is none.
    var token: CachedToken? { end.token }
    /// The attestation behind it; `nil` where there is none.
    var decision: Decision? { end.decision }

    /// The result in words.
    var result: String { end.word ?? "no fetch" }
}
