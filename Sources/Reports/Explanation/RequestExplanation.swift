internal import Documents
internal import PolicyEngine
internal import Scenarios

/// Why the requests of a device went as they did, in the order of R19.
struct RequestExplanation {
    private let details: RequestTrace
    private let trace: StepTrace

    /// - Parameters:
    ///   - details: The request.
    ///   - trace: The same, or several in a row that went the same way.
    init(_ details: RequestTrace, _ trace: StepTrace) { (self.details, self.trace) = (details, trace) }

    /// The explanation as a section: the outcome, and the steps that led to it.
    var section: ReportSection {
        let emphasis: ReportText.Emphasis = details.outcome == .accepted ? .good : .bad
        let heading =
            ReportText(details.device.description, .strong) + " \(trace.times("requests"))  "
            + ReportText(details.outcome.rawValue, emphasis) + "  \(details.group) to \(details.target)"
        return ReportSection(.notice(heading), table: ExplainedLine.table(steps))
    }

    /// The explanation as JSON.
    static let columns = Columns<RequestExplanation>(byName: [
        .field("device", "The ID of the device.") { $0.details.device },
        .field("group", "The group of the device in the scenario.") { $0.details.group },
        .field("to", "The backend or the path that was asked for.") { $0.details.target },
        .field("first", "When the first of these requests was made.") { $0.trace.first },
        .field("last", "When the last of these requests was made.") { $0.trace.last },
        .field("requests", "The requests in a row that went alike.") { $0.trace.count },
        .word("outcome", "How the requests ended.", of: RequestOutcome.allCases.map(\.rawValue)) {
            $0.details.outcome.rawValue
        },
        .list("steps", "Why they ended so, in the order of the rules.", ExplainedLine.columns) { $0.steps },
    ])

    private typealias Step = ExplainedLine

    private var steps: [Step] {
        if details.isPlain { return plainSteps }
        if details.carriesForeignToken { return [foreignToken] + connectionSteps }
        var steps: [Step] = []
        if let header = details.header {
            let line = details.result == nil ? "there is none, so nothing is sent" : "tokens are bound to its value"
            steps.append(Step(rule: "R19.1", name: "header \(header)", line: line))
        }
        if details.wasRelaunched {
            steps.append(
                Step(rule: "R18.4", name: "launch", line: "pins were forced, so the app was launched anew first"))
        }
        if let result = details.result { steps.append(Step(rule: "R19.2", name: "token", line: fetch(result))) }
        return steps + connectionSteps
    }

    private var connectionSteps: [Step] {
        guard let connection = details.connection else {
            return details.isUnanswered ? [Self.unanswered] : []
        }
        var steps: [Step] = []
        steps.append(Step(rule: "R17.3", name: "configuration", line: Self.configuration(connection)))
        steps.append(Step(rule: "R18.2", name: "pins", line: Self.pins(connection)))
        steps.append(Step(rule: "R18.5", name: "connection", line: Self.words(of: connection)))
        guard details.outcome == .accepted || details.outcome == .refused else { return steps }
        return steps + [Step(rule: "R19.4", name: "backend", line: backend)]
    }

    private static let unanswered = Step(rule: "R19.10", name: "connection", line: "the backend does not answer")

    // R19.7.
    private var plainSteps: [Step] {
        let steps = [Step(rule: "R19.7", name: "token", line: "plain HTTP carries none, and no pins apply to it")]
        switch details.outcome {
        case .accepted, .refused: return steps + [Step(rule: "R19.4", name: "backend", line: backend)]
        case .intercepted:
            return steps + [Step(rule: "R19.7", name: "connection", line: "a proxy reads the request on its way")]
        case .noConnection, .blocked, .notSent:
            if details.isUnanswered { return steps + [Self.unanswered] }
            return steps + [Step(rule: "R19.3", name: "connection", line: "there is no network")]
        }
    }

    // R19.8.
    private var foreignToken: Step {
        guard let passed = details.passed else {
            return Step(rule: "R19.8", name: "token", line: "the other install has none, so nothing is sent")
        }
        let verdict = passed ? "valid" : "invalid: \(details.rejections.joined(separator: ", "))"
        return Step(rule: "R19.8", name: "token", line: "another install's; it is \(verdict)")
    }

    private func fetch(_ result: String) -> String {
        guard let passed = details.passed else {
            let isSent = details.outcome != .notSent
            return "\(result); the app \(isSent ? "sends the request without one" : "does not send the request")"
        }
        let source = details.isCached ? "from the cache" : "after an attestation"
        let verdict = passed ? "valid" : "invalid: \(details.rejections.joined(separator: ", "))"
        return "\(result), \(source); the token is \(verdict)"
    }

    private static func configuration(_ connection: RequestTrace.Connection) -> String {
        if connection.origin == .app { return "the pins are built into the app, and change only with it" }
        if connection.revision == connection.newest { return "the app uses the newest revision, \(connection.newest)" }
        return "the app uses revision \(connection.revision), and revision \(connection.newest) is the newest"
    }

    private static func pins(_ connection: RequestTrace.Connection) -> String {
        let names = connection.pins.joined(separator: ", ")
        return switch connection.origin {
        case nil: "none apply"
        case .host: "the host's own: \(names)"
        case .managedRoots: "the managed trust roots: \(names)"
        case .app: "the app's own: \(names)"
        case .blocking: "one that no certificate has, by the pin mode of the device"
        }
    }

    private static func words(of connection: RequestTrace.Connection) -> String {
        let who = connection.isIntercepted ? "a proxy presents" : "the backend presents"
        let chain = "\(who) \(connection.chain.joined(separator: ", "))"
        switch connection.verdict {
        case .connected:
            return connection.isIntercepted ? "\(chain), and nothing refuses it" : "\(chain), which the app accepts"
        case .unchecked: return "\(chain), and the app's pinning is switched off, so it accepts any certificate"
        case .untrusted: return "\(chain), which the platform does not trust"
        case .unpinned: return "\(chain); the app does not connect without pins"
        case .mismatch:
            let help =
                connection.isLetThroughByNewest
                ? "the newest revision would allow the connection, once the app reads it"
                : "no revision in force would allow the connection"
            return
                "\(chain), which has none of the pins; \(connection.origin == .app ? "the app has to be updated" : help)"
        }
    }

    private var backend: String {
        if !details.requiresToken { return "it checks no tokens, and accepts the request" }
        if details.outcome == .accepted { return "it accepts the token" }
        if details.passed == nil { return "it requires a token, and there is none" }
        if details.passed == true, let seconds = details.expiredFor {
            return
                "by its clock the token expired \(seconds == 0 ? "just now" : "\(DurationText.text(seconds)) before")"
        }
        if details.passed == true, details.carriesForeignToken {
            return "the token has expired, is bound to something else, or the message is not signed"
        }
        return details.passed == true
            ? "it does not accept the token's key or the message's signature" : "the token is invalid"
    }
}
