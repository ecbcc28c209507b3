internal import PolicyEngine

/// An expectation about the form of a token that apps may log (R14.6).
struct LoggableExpectation: Sendable {
    /// The domain that the fetch names.
    let domain: String
    /// True if the token was asked for with a measurement (R22.1).
    var isMeasured = false
    /// The error in place of a token.
    var error: ClaimExpectation?
    /// True if the service is expected to accept it as correctly made, as `token -check` says; `nil` if nothing is expected.
    var isPassed: Bool?
    /// By name, in the order of the file.
    var claims: [(name: String, value: ClaimExpectation)] = []

    /// The expectation, in words.
    var text: String {
        let parts = [error.map { "error: \($0)" }, isPassed.map { "check: \(Self.word($0))" }]
        return (parts.compactMap(\.self) + claims.map { "\($0.name): \($0.value)" }).joined(separator: ", ")
    }

    /// The first part of a logged token that differs, with its actual value; `nil` if everything holds.
    func mismatch(_ token: LoggedToken) -> String? {
        if let error, let actual = error.mismatch(token.value(of: LoggedToken.errorName)) { return "error: \(actual)" }
        // With an error, there is nothing to check.
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

    /// The error; `nil` for a token.
    var error: String? { value(of: Self.errorName)?.text }

    /// The value of a member; `nil` if there is none.
    func value(of name: String) -> JSONContent? { content[ExactText(name)] }
}
