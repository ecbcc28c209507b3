internal import PolicyEngine

/// What the form of a token must be like that apps may log (R14.6).
struct LoggableExpectation: Sendable {
    /// The domain that the fetch names.
    let domain: String
    /// Whether the token was asked for with a measurement (R22.1).
    var isMeasured = false
    /// The error that stands there in place of a token.
    var error: ClaimExpectation?
    /// Whether the service takes it for correctly made, as `token -check` says.
    var isPassed: Bool?
    /// By name, in the order of the file.
    var claims: [(name: String, value: ClaimExpectation)] = []

    /// What is expected, in words.
    var text: String {
        let parts = [error.map { "error: \($0)" }, isPassed.map { "check: \(Self.word($0))" }]
        return (parts.compactMap(\.self) + claims.map { "\($0.name): \($0.value)" }).joined(separator: ", ")
    }

    /// What a logged token has instead; `nil` where everything holds.
    func mismatch(_ token: LoggedToken) -> String? {
        if let error, let actual = error.mismatch(token.value(of: LoggedToken.errorName)) { return "error: \(actual)" }
        // Where there is an error, there is nothing to check.
        if let actual = token.error, isPassed != nil || !claims.isEmpty { return "error: \(actual)" }
        if let isPassed, isPassed != token.isPassed { return "check: \(Self.word(token.isPassed))" }
        for (name, value) in claims {
            if let actual = value.mismatch(token.value(of: name)) { return "\(name): \(actual)" }
        }
        return nil
    }

    private static func word(_ isPassed: Bool) -> String { isPassed ? "passed" : "failed" }
}

/// A token in the form that apps may log, as the result of a fetch gives it (R14.6).
struct LoggedToken {
    /// The JSON object.
    private let content: JSONContent
    /// Whether the service takes it for correctly made.
    let isPassed: Bool

    /// The name under which an error stands.
    static let errorName = "error"

    private init(_ content: JSONContent, isPassed: Bool) { (self.content, self.isPassed) = (content, isPassed) }

    /// What stands there where there is no token, or none that an app can read.
    init(error: String) {
        self.init(.object([JSONMember(ExactText(Self.errorName), .string(ExactText(error)))]), isPassed: false)
    }

    /// The form of a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - account: Whose keys check it.
    init(of token: String, account: Account) {
        do throws(TokenError) {
            let text = try LoggableToken.text(of: token)
            let isPassed = (try? TokenCheck(text, account: account, at: nil))?.passed ?? false
            self.init((try? JSONParser.parse(Array(text.utf8))) ?? .object([]), isPassed: isPassed)
        } catch {
            self.init(error: "\(error)")
        }
    }

    /// The error that stands there; `nil` for a token.
    var error: String? { value(of: Self.errorName)?.text }

    /// What stands there under a name.
    func value(of name: String) -> JSONContent? { content[ExactText(name)] }
}
