internal import Documents
internal import PolicyEngine
internal import Replay

/// A fetch or a call, as expectations look into it.
struct ExaminedFetch {
    /// The install's number over all groups.
    let install: Int
    let device: DeviceID
    private let result: String?
    private let isCall: Bool
    private let value: String?
    private let custom: (text: String, key: TokenKey)?
    private let time: Instant?
    // The token that the fetch came back with; `nil` if there is none.
    private let token: CachedToken?
    private let callDecision: Decision?
    private let logsKeyIDs: Bool

    /// - Parameters:
    ///   - taken: Its result.
    ///   - install: The install that made it.
    ///   - number: The install's number over all groups.
    ///   - service: The account's service.
    init(
        _ taken: ExpectationTally.Taken, by install: borrowing Install, number: Int, in service: SimulatedService
    ) {
        self.install = number
        device = service.deviceID(of: install.attestation.device)
        (result, isCall, value, custom) = (taken.result, taken.isCall, taken.value, taken.token)
        time = install.token?.decision.time
        token = taken.hasToken ? taken.earlierToken ?? install.token : nil
        callDecision = taken.decision
        logsKeyIDs = service.supports(.loggableKeyIDs, install.attestation)
    }

    /// The attestation behind it; `nil` where there is none.
    var decision: Decision? { token?.decision ?? callDecision }

    /// The result of a request that was not even tried.
    static let noFetch = "no fetch"

    /// True if an actual value says only that there is nothing to look into.
    static func isNothing(_ actual: String) -> Bool {
        actual.hasPrefix("no token") || actual.hasPrefix(noFetch) || actual.hasPrefix("no attestation")
    }

    /// The actual value where a condition on each fetch does not hold; `nil` if it holds, and for a condition on counts.
    func mismatch(_ condition: FetchExpectation.Condition, in service: SimulatedService) -> String? {
        let actual = result ?? Self.noFetch
        switch condition {
        case .result(let wanted): return result == wanted ? nil : actual
        case .value(let text): return value.hasSameBytes(as: text) ? nil : value ?? "none, \(actual)"
        case .token(let wanted): return mismatch(wanted, in: service)
        case .loggable(let wanted): return wanted.mismatch(loggable(for: wanted, in: service))
        case .verdict, .policy, .lifetime, .responseCode, .noAnnotations, .exactly:
            guard let decision else { return "\(isCall ? "no attestation" : "no token"), \(actual)" }
            return Self.mismatch(condition, decision, in: service)
        case .results, .count, .outcome, .notice, .devices: return nil
        }
    }

    private static func mismatch(
        _ condition: FetchExpectation.Condition, _ decision: Decision, in service: SimulatedService
    ) -> String? {
        switch condition {
        case .verdict(let passed): return decision.passed == passed ? nil : (decision.passed ? "pass" : "fail")
        case .policy(let text):
            let policy = service.policy(of: decision)
            return policy == text ? nil : policy
        case .lifetime(let seconds): return decision.lifetime == seconds ? nil : "\(decision.lifetime)s"
        case .responseCode(let wanted): return mismatch(wanted, decision, in: service)
        case .noAnnotations:
            return decision.annotations == nil ? nil : list(service.names(of: .annotations, in: decision) ?? [])
        // R5.3: an empty list is not the same as none.
        case .exactly(.annotations, _) where decision.annotations == nil: return "none"
        case .exactly(let aspect, let wanted):
            let present = service.names(of: aspect, in: decision) ?? []
            return present.exactTexts == wanted.exactTexts ? nil : list(present)
        case .result, .results, .value, .token, .loggable, .count, .outcome, .notice, .devices: return nil
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
            let holds = meaning.passed == passed && (flags.map { $0.exactTexts == names.exactTexts } ?? true)
            return holds ? nil : "\(meaning.passed ? "passed" : "failed") \(list(names))"
        }
    }

    fileprivate static func list(_ names: [String]) -> String { "[" + names.joined(separator: ", ") + "]" }
}

// MARK: Tokens

extension ExaminedFetch {
    // The token is made as the service would make it, and verified as a backend would verify it.
    private func mismatch(_ wanted: TokenExpectation, in service: SimulatedService) -> String? {
        let nothing = "no token, \(result ?? Self.noFetch)"
        guard let domain = wanted.domain else {
            guard let custom, let time else { return nothing }
            return wanted.mismatch(custom.text, key: custom.key, at: time)
        }
        guard let token else { return nothing }
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: domain, withMeasurement: wanted.isMeasured)
            return key.flatMap { wanted.mismatch(text, key: $0, at: token.decision.time) }
        } catch {
            return "no token: \(error)"
        }
    }

    // R14.6: as the app gets it, and the account whose keys would check it.
    private func loggable(for wanted: LoggableExpectation, in service: SimulatedService) -> LoggedToken {
        guard let token else { return LoggedToken(error: result ?? Self.noFetch) }
        let account = service.engine.history.revisions[token.decision.revision].account
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: wanted.domain, withMeasurement: wanted.isMeasured)
            if key?.id != nil, !logsKeyIDs { return LoggedToken(error: "BAD_JWT_HEADER") }
            return LoggedToken(of: text, account: account)
        } catch {
            return LoggedToken(error: "\(error)")
        }
    }
}

extension FetchExpectation.Condition {
    /// The expected value of each fetch, in words; empty for a condition on counts.
    var text: String {
        switch self {
        case .verdict(let passed): passed ? "pass" : "fail"
        case .result(let result): result
        case .policy(let text): text
        case .lifetime(let seconds): "\(seconds)s"
        case .noAnnotations: "none"
        case .responseCode(let wanted): wanted.text
        case .token(let wanted): wanted.text
        case .loggable(let wanted): wanted.text
        case .exactly(_, let names): ExaminedFetch.list(names.sorted())
        case .value(let text): text
        case .count, .results, .outcome, .notice, .devices: ""
        }
    }
}

extension FetchExpectation.ResponseCodeCondition {
    fileprivate var text: String {
        switch self {
        case .none: return "none"
        case .text(let code): return code
        case .meaning(let passed, let flags):
            let status = passed ? "passed" : "failed"
            return flags.map { "\(status) \(ExaminedFetch.list($0.sorted()))" } ?? status
        }
    }
}
