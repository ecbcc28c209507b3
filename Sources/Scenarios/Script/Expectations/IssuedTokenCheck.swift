internal import Documents
internal import PolicyEngine

/// Of each fetch: the token itself, as a backend would get it.
struct IssuedTokenCheck: FetchCheckKind, EachFetchCheck {
    /// The domain that the fetch names; `nil` for a token that is for none (R21.3).
    let domain: String?
    /// True if the token was asked for with a measurement (R22.1).
    let isMeasured: Bool
    var algorithm: TokenAlgorithm?
    var keyID: ClaimExpectation?
    /// True if the domain's key is expected to verify it; `nil` if nothing is expected.
    var isValid: Bool?
    var claims: ClaimExpectations?
    // The claims of a token, its key, and the ID of the key that messages are signed with.
    var reach: Set<AccountPart> { [.tokens, .domains, .features] }

    var text: String {
        let parts = [
            algorithm.map { "alg: \($0.rawValue)" }, keyID.map { "kid: \($0)" },
            isValid.map { "signature: \($0 ? "valid" : "invalid")" },
        ]
        return (parts.compactMap(\.self) + (claims?.texts ?? [])).joined(separator: ", ")
    }

    // The token is made as the service would make it, and verified as a backend would verify it.
    func mismatch(_ fetch: ExaminedFetch, in service: SimulatedService) -> ActualValue? {
        actual(fetch, in: service).map { ActualValue(text: $0) }
    }

    private func actual(_ fetch: ExaminedFetch, in service: SimulatedService) -> String? {
        let nothing = "no token, \(fetch.result)"
        guard let domain else {
            guard let custom = fetch.end.token, let time = fetch.time else { return nothing }
            return mismatch(custom.text, key: custom.key, at: time)
        }
        guard let token = fetch.token else { return nothing }
        do throws(TokenIssueError) {
            let (text, key) = try service.issue(token, for: domain, withMeasurement: isMeasured)
            return key.flatMap { mismatch(text, key: $0, at: token.decision.time) }
        } catch {
            return "no token: \(error)"
        }
    }

    // The first part of a token that differs, with its actual value.
    private func mismatch(_ token: String, key: TokenKey, at time: Instant) -> String? {
        do throws(TokenError) {
            let verified = try? TokenVerifier(key: key).claims(of: token, at: time)
            if let isValid, (verified != nil) != isValid {
                return "signature: \(verified == nil ? "invalid" : "valid")"
            }
            if let algorithm, key.algorithm != algorithm { return "alg: \(key.algorithm.rawValue)" }
            if let keyID, let actual = keyID.mismatch(key.id.map { .string(ExactText($0)) }) { return "kid: \(actual)" }
            let content = try ReceivedClaims.issued(token, with: key)
            return claims?.mismatch { content.value(of: $0) }
        } catch {
            return "a token that cannot be read: \(error)"
        }
    }

    // MARK: Loading

    // R21.3: tokens may have claims of the app's, of any JSON type.
    static let forms = [(key: "token", schema: fields(ClaimExpectations.form(nil, nil)).schema(atLeast: 1))]

    private static func fields(_ claims: ValueForm<ClaimExpectations>) -> [Field<IssuedTokenCheck>] {
        [
            .optional("alg", \.algorithm, .word), .optional("kid", \.keyID, .text),
            .optional("signature", \.isValid, .words("valid", "invalid")), .optional("claims", \.claims, claims),
        ]
    }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        let isCustom = loader.step is CustomTokenStep
        let claims = ClaimExpectations.form(isCustom ? nil : ClaimExpectation.names, loader.names)
        return loader.tokenCheck(
            entry, IssuedTokenCheck(domain: loader.domain, isMeasured: loader.asksForMeasurement),
            isOneToken: isCustom || loader.domain != nil, fields(claims))
    }
}
