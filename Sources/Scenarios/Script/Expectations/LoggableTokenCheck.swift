internal import Documents
internal import PolicyEngine

/// Of each fetch: the form of the token that apps may log (R14.6).
struct LoggableTokenCheck: FetchCheckKind, EachFetchCheck {
    /// The domain that the fetch names.
    let domain: String
    /// True if the token was asked for with a measurement (R22.1).
    let isMeasured: Bool
    /// The error in place of a token.
    var error: ClaimExpectation?
    /// True if the service is expected to accept it as correctly made, as `token -check` says; `nil` if nothing is expected.
    var isPassed: Bool?
    var claims: ClaimExpectations?
    // The claims of a token, its key, and the ID of the key that messages are signed with.
    var reach: Set<AccountPart> { [.tokens, .domains, .features] }

    var text: String {
        let parts = [error.map { "error: \($0)" }, isPassed.map { "check: \(Self.word($0))" }]
        return (parts.compactMap(\.self) + (claims?.texts ?? [])).joined(separator: ", ")
    }

    func mismatch(_ fetch: ExaminedFetch, in service: SimulatedService) -> ActualValue? {
        mismatch(token(of: fetch, in: service)).map { ActualValue(text: $0) }
    }

    // As the app gets it, and the account whose keys would check it.
    private func token(of fetch: ExaminedFetch, in service: SimulatedService) -> LoggedToken {
        guard let token = fetch.token else { return LoggedToken(error: fetch.result) }
        let account = service.engine.history.revisions[token.decision.revision].account
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: domain, withMeasurement: isMeasured)
            if key?.id != nil, !fetch.logsKeyIDs { return LoggedToken(error: "BAD_JWT_HEADER") }
            return LoggedToken(of: text, account: account)
        } catch {
            return LoggedToken(error: "\(error)")
        }
    }

    // The first part of a logged token that differs, with its actual value.
    private func mismatch(_ token: LoggedToken) -> String? {
        if let error, let actual = error.mismatch(token.value(of: LoggedToken.errorName)) { return "error: \(actual)" }
        // With an error, there is nothing to check.
        if let actual = token.error, isPassed != nil || claims?.isEmpty == false { return "error: \(actual)" }
        if let isPassed, isPassed != token.isPassed { return "check: \(Self.word(token.isPassed))" }
        return claims?.mismatch(token.value)
    }

    private static func word(_ isPassed: Bool) -> String { isPassed ? "passed" : "failed" }

    // MARK: Loading

    static let forms = [(key: "loggable", schema: fields(nil).schema(atLeast: 1))]

    private static func fields(_ names: ExpectedNames?) -> [Field<LoggableTokenCheck>] {
        [
            .optional("error", \.error, .text), .optional("check", \.isPassed, .words("passed", "failed")),
            .optional("claims", \.claims, ClaimExpectations.form(ClaimExpectation.names + ["sip"], names)),
        ]
    }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.tokenCheck(
            entry, LoggableTokenCheck(domain: loader.domain ?? "", isMeasured: loader.asksForMeasurement),
            isOneToken: loader.domain != nil, fields(loader.names))
    }
}

/// A token in the form that apps may log, as the result of a fetch gives it (R14.6).
private struct LoggedToken {
    /// The JSON object.
    private let content: JSONContent
    /// True if the service accepts it as correctly made.
    let isPassed: Bool

    /// The name of the member that holds an error.
    static let errorName = "error"

    private init(_ content: JSONContent, isPassed: Bool) { (self.content, self.isPassed) = (content, isPassed) }

    /// The form for a token that is missing, or that no app can read.
    init(error: String) {
        self.init(.object([JSONMember(ExactText(Self.errorName), .string(ExactText(error)))]), isPassed: false)
    }

    /// The form of a token.
    ///
    /// - Parameter account: The account whose keys check it.
    init(of token: String, account: Account) {
        do throws(TokenError) {
            let text = try LoggableToken.text(of: token)
            let isPassed = (try? TokenCheck(text, account: account, at: nil))?.passed ?? false
            self.init((try? JSONParser.parse(Array(text.utf8))) ?? .object([]), isPassed: isPassed)
        } catch {
            self.init(error: "\(error)")
        }
    }

    /// The error; `nil` for a token.
    var error: String? { value(of: Self.errorName)?.text }

    /// The value of a member; `nil` if there is none.
    func value(of name: String) -> JSONContent? { content[ExactText(name)] }
}
