internal import Documents
internal import Figures
internal import PolicyEngine

/// The expected parts of a token: what is said of it as a whole, by name, and its claims.
private struct TokenExpectation: Sendable {
    var parts: [String: ClaimExpectation] = [:]
    var claims: ClaimExpectations?

    /// A part by its name, with the form of its value and a sentence for people.
    typealias Part = (name: String, form: ValueForm<ClaimExpectation>, help: String)

    /// The form of it, with the parts in the order in which it is written.
    static func form(
        _ parts: [Part], _ claims: ValueForm<ClaimExpectations>
    ) -> [Field<TokenExpectation>] {
        parts.map { .optional($0.name, \.parts[$0.name], $0.form, $0.help) }
            + [.optional("claims", \.claims, claims, "The claims of the token; each is a value, none or any.")]
    }

    func text(_ names: [String]) -> String {
        let given = names.compactMap { name in parts[name].map { "\(name): \($0)" } }
        return (given + (claims?.texts ?? [])).joined(separator: ", ")
    }

    /// The first of some parts that differs, with its actual value.
    func mismatch(_ names: [String], _ value: (String) -> JSONContent?) -> String? {
        for name in names {
            if let actual = parts[name]?.mismatch(value(name)) { return "\(name): \(actual)" }
        }
        return nil
    }
}

/// A fetch whose token is looked at.
private struct TokenSubject {
    let fetch: ExaminedFetch
    let service: SimulatedService
    /// The domain that the fetch names; `nil` for a token that is for none (R21.3).
    let domain: String?
    /// True if the token was asked for with a measurement (R22.1).
    let isMeasured: Bool
}

extension Check {
    /// The token itself, as a backend would get it; tokens may have claims of the app's (R21.3).
    static let token = token(
        "token", "The parts of each token, made as by the service and verified as by a backend.",
        of: [.token, .request, .customToken],
        parts: [
            (
                "alg", ValueForm.word(TokenAlgorithm.allCases.map(\.rawValue)).map { .text($0) },
                "The algorithm in the token's header."
            ),
            ("kid", .text, "The name of the key in the token's header."),
            (
                "signature", ValueForm.word(["valid", "invalid"]).map { .text($0) },
                "The result of verifying the token."
            ),
        ], claims: { $0.step.map { !($0 is CustomTokenStep) } ?? false ? ClaimExpectation.names : nil },
        mismatch: { $0.issuedMismatch(with: $1) })

    /// The form of the token that apps may log (R14.6).
    static let loggableToken = token(
        "loggable", "The form of each token that apps may log.", of: [.token, .request],
        parts: [
            ("error", .text, "The error in place of a token, or none."),
            ("check", ValueForm.word(["passed", "failed"]).map { .text($0) }, "The result of token -check."),
        ],
        claims: { _ in ClaimExpectation.names + ["sip"] }, mismatch: { $0.loggedMismatch(with: $1) })

    // A fetch without a domain brings no token, but for one with claims of the app's. Its claims, its key, and the ID of the
    // key that messages are signed with are parts of the account.
    private static func token(
        _ key: String, _ help: String, of kinds: Set<ClientChanges.Kind>, parts: [TokenExpectation.Part],
        claims: @escaping @Sendable (CheckContext) -> [String]?,
        mismatch: @escaping @Sendable (TokenSubject, TokenExpectation) -> String?
    ) -> Check {
        Check(key: key, help: help, kinds: kinds) { context in
            let fields = TokenExpectation.form(parts, .claims(claims(context), context.names))
            let domain = context.step?.domain.flatMap(APIDomain.name)
            let isMeasured = context.step?.domain.map(APIDomain.asksForMeasurement) ?? false
            return ValueForm(fields.schema(atLeast: 1)) { node, what, reader in
                guard let mapping = reader.mapping(node, what) else { return nil }
                guard domain != nil || context.step is CustomTokenStep else {
                    reader.error("\(what) needs a domain", at: mapping.position, hint: "add `domain` to the `fetch`")
                    return nil
                }
                if mapping.entries.isEmpty { reader.error("\(what) has nothing to check", at: mapping.position) }
                return fields.read(node, what, from: TokenExpectation(), &reader).map { expected in
                    Expected(
                        text: expected.text(parts.map(\.name)), reach: [.tokens, .domains, .features],
                        test: .each { fetch, service in
                            let subject = TokenSubject(
                                fetch: fetch, service: service, domain: domain, isMeasured: isMeasured)
                            return mismatch(subject, expected).map { ActualValue(text: $0) }
                        })
                }
            }
        }
    }
}

extension TokenSubject {
    // The token is made as the service would make it, and verified as a backend would verify it.
    func issuedMismatch(with expected: TokenExpectation) -> String? {
        let nothing = "no token, \(fetch.result)"
        guard let domain else {
            guard let custom = fetch.end.customToken, let time = fetch.time else { return nothing }
            return Self.mismatch(custom.text, custom.key, at: time, with: expected)
        }
        guard let token = fetch.token else { return nothing }
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: domain, withMeasurement: isMeasured)
            return key.flatMap { Self.mismatch(text, $0, at: token.decision.time, with: expected) }
        } catch {
            return "no token: \(error)"
        }
    }

    private static func mismatch(
        _ token: String, _ key: TokenKey, at time: Instant, with expected: TokenExpectation
    ) -> String? {
        do throws(TokenError) {
            let isValid = (try? TokenVerifier(key: key).claims(of: token, at: time)) != nil
            let values = ["signature": isValid ? "valid" : "invalid", "alg": key.algorithm.rawValue, "kid": key.id]
            let mismatch = expected.mismatch(["signature", "alg", "kid"]) { name in
                (values[name] ?? nil).map { .string(ExactText($0)) }
            }
            if let mismatch { return mismatch }
            let content = try ReceivedClaims.issued(token, with: key)
            return expected.claims?.mismatch { content.value(of: $0) }
        } catch {
            return "a token that cannot be read: \(error)"
        }
    }

    // With an error, there is nothing to check.
    func loggedMismatch(with expected: TokenExpectation) -> String? {
        let (content, isPassed) = logged
        let error = content["error"]
        if let mismatch = expected.mismatch(["error"], { _ in error }) { return mismatch }
        if let error = error?.text, expected.parts["check"] != nil || expected.claims?.isEmpty == false {
            return "error: \(error)"
        }
        return expected.mismatch(["check"]) { _ in .string(isPassed ? "passed" : "failed") }
            ?? expected.claims?.mismatch { content[ExactText($0)] }
    }

    // The JSON object that the app gets, which names an error in place of a token that is missing or that no app can read; and
    // true if the service accepts it as correctly made, as `token -check` says.
    private var logged: (content: JSONContent, isPassed: Bool) {
        func refused(_ error: String) -> (JSONContent, Bool) {
            (.object([JSONMember("error", .string(ExactText(error)))]), false)
        }
        guard let token = fetch.token else { return refused(fetch.result) }
        let account = service.engine.history.revisions[token.decision.revision].account
        let text: String
        do throws(TokenIssueError) {
            let (issued, key) = try service.issue(token, for: domain ?? "", withMeasurement: isMeasured)
            if key?.id != nil, !fetch.logsKeyIDs { return refused("BAD_JWT_HEADER") }
            text = issued
        } catch {
            return refused("\(error)")
        }
        do throws(TokenError) {
            let loggable = try LoggableToken.text(of: text)
            let isPassed = (try? TokenCheck(loggable, account: account, at: nil))?.passed ?? false
            return ((try? JSONParser.parse(Array(loggable.utf8))) ?? .object([]), isPassed)
        } catch {
            return refused("\(error)")
        }
    }
}
