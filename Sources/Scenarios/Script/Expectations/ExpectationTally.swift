internal import Figures
internal import PolicyEngine

/// Gathers what the fetches of a step have to say about one of its expectations.
struct ExpectationTally {
    private let expectation: FetchExpectation
    // The checks that look into a fetch, by their indices.
    private let looking: [(index: Int, check: any LookingCheck)]
    // By index of the check.
    private var findings: [CheckFindings]
    private let countsResults: Bool
    /// The figures of the fetches that it is about.
    private(set) var figures = ExaminedFigures()
    private var rejections = RejectionTally()

    init(_ expectation: FetchExpectation) {
        self.expectation = expectation
        let conditions = expectation.checks.map(\.condition)
        looking = conditions.enumerated().compactMap { index, check in
            (check as? any LookingCheck).map { (index, $0) }
        }
        findings = conditions.map { _ in CheckFindings() }
        countsResults = conditions.contains { $0 is ResultCountCheck }
    }

    /// Adds a fetch, if the expectation is about it.
    ///
    /// - Parameters:
    ///   - end: The end of the fetch.
    ///   - install: The install that fetched; its token is the one that the fetch came back with.
    ///   - number: The install's number over all groups.
    ///   - service: The account's service.
    mutating func add(_ end: FetchEnd, by install: borrowing Install, number: Int, in service: SimulatedService) {
        guard isAbout(install, in: service) else { return }
        figures.add(end, by: install)
        rejections.add(ExaminedFetch.decision(behind: end, by: install), of: service)
        if countsResults { figures.results[end.result ?? ExaminedFetch.noFetch, default: 0] += 1 }
        guard !looking.isEmpty else { return }
        let fetch = ExaminedFetch(end, by: install, number: number, in: service)
        for (index, check) in looking { check.look(at: fetch, in: service, &findings[index]) }
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
            var result = check.condition.result(findings, figures, accounts: accounts).reported(
                file: file, position: check.position, message: "\(check.name) of \(subject)",
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
    // Fetches that came back with a token.
    private var (passed, failed, cached) = (0, 0, 0)
    // Calls that attested, and those that the install answered itself.
    private var (calls, answered) = (0, 0)
    private var isOfCalls = false
    private var outcomes: [RequestOutcome: Int] = [:]
    private var (changed, forced) = (0, 0)
    /// The number of fetches that ended in each way, if that is asked for.
    var results: [String: Int] = [:]

    mutating func add(_ end: FetchEnd, by install: borrowing Install) {
        fetches += 1
        if let outcome = end.outcome { outcomes[outcome, default: 0] += 1 }
        if end.notice.isChanged { changed += 1 }
        if end.notice.isForced { forced += 1 }
        if end.isCall {
            isOfCalls = true
            if end.decision != nil { calls += 1 } else if end.result == FetchResult.success.rawValue { answered += 1 }
        }
        guard end.hasToken, let isPass = (end.earlierToken ?? install.token)?.decision.passed else { return }
        if isPass { passed += 1 } else { failed += 1 }
        if end.isCached { cached += 1 }
    }

    /// The reason for which a count of answers holds whatever the account decides: nothing was answered.
    var vacuity: String? {
        guard passed + failed + calls + answered == 0 else { return nil }
        return isOfCalls ? "no call was answered" : "no token came back"
    }

    subscript(kind: CountCheck.Kind) -> Int {
        switch kind {
        case .answered(.pass): passed
        case .answered(.fail): failed
        case .answered(.attested): passed + failed - cached + calls
        case .answered(.cached): cached
        case .notice(.changed): changed
        case .notice(.forced): forced
        case .outcome(let outcome): outcomes[outcome] ?? 0
        }
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

/// The end of a fetch or a call, and of the request that it was made for.
struct FetchEnd {
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

/// A fetch or a call, as checks look into it.
struct ExaminedFetch {
    /// The install's number over all groups.
    let install: Int
    let device: DeviceID
    let end: FetchEnd
    /// The time at which the install's token was issued.
    let time: Instant?
    /// The token that the fetch came back with; `nil` if there is none.
    let token: CachedToken?
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
        token = Self.token(of: end, by: install)
        logsKeyIDs = service.supports(.loggableKeyIDs, install.attestation)
    }

    /// The attestation behind it; `nil` where there is none.
    var decision: Decision? { token?.decision ?? end.decision }

    /// The attestation behind a fetch; `nil` where there is none.
    static func decision(behind end: FetchEnd, by install: borrowing Install) -> Decision? {
        token(of: end, by: install)?.decision ?? end.decision
    }

    private static func token(of end: FetchEnd, by install: borrowing Install) -> CachedToken? {
        end.hasToken ? end.earlierToken ?? install.token : nil
    }

    /// The result in words.
    var result: String { end.result ?? Self.noFetch }

    /// The result of a request that was not even tried.
    static let noFetch = "no fetch"
}
