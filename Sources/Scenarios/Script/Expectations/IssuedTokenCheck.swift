internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: the token itself, as a backend would get it.
struct IssuedTokenCheck: FetchCheckKind, EachFetchCheck {
    /// The domain that the fetch names; `nil` for a token that is for none (R21.3).
    let domain: String?
    /// True if the token was asked for with a measurement (R22.1).
    let isMeasured: Bool
    let algorithm: String?
    let keyID: ClaimExpectation?
    /// True if the domain's key is expected to verify it; `nil` if nothing is expected.
    let isValid: Bool?
    let claims: ClaimExpectations
    // The claims of a token, its key, and the ID of the key that messages are signed with.
    var reach: Set<AccountPart> { [.tokens, .domains, .features] }

    var text: String {
        let parts = [
            algorithm.map { "alg: \($0)" }, keyID.map { "kid: \($0)" },
            isValid.map { "signature: \($0 ? "valid" : "invalid")" },
        ]
        return (parts.compactMap(\.self) + claims.texts).joined(separator: ", ")
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
            if let algorithm, key.algorithm.rawValue != algorithm { return "alg: \(key.algorithm.rawValue)" }
            if let keyID, let actual = keyID.mismatch(key.id.map { .string(ExactText($0)) }) { return "kid: \(actual)" }
            let content = try ReceivedClaims.issued(token, with: key)
            return claims.mismatch { content.value(of: $0) }
        } catch {
            return "a token that cannot be read: \(error)"
        }
    }

    // MARK: Loading

    // R21.3: tokens may have claims of the app's, of any JSON type.
    static var forms: [(key: String, schema: JSONSchema)] {
        let form = JSONSchema.object(
            [
                ("alg", .words(of: TokenAlgorithm.self)), ("kid", .text), ("signature", .words(["valid", "invalid"])),
                ("claims", ClaimExpectation.schema(others: .anything)),
            ], atLeast: 1)
        return [("token", form)]
    }

    // A fetch without a domain brings no one token.
    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard var fields = loader.reader.mapping(entry.value, "`token`") else { return nil }
        let (isCustom, asked) = (loader.step is CustomTokenStep, loader.step.domain)
        let domain = asked.flatMap(RequestedDomain.domain)
        guard domain != nil || isCustom else {
            loader.reader.error(
                "`token` needs a domain", at: fields.position, hint: "add `domain` to the `fetch`")
            return nil
        }
        let algorithm = fields.take("alg").flatMap {
            loader.reader.choice($0, "`alg`", from: TokenAlgorithm.allCases.map(\.rawValue))
        }
        let keyID = fields.take("kid").flatMap { loader.reader.text($0, "`kid`") }
        let isValid = fields.take("signature").flatMap {
            loader.reader.choice($0, "`signature`", from: ["valid", "invalid"])
        }
        let claims = ClaimExpectations(&fields, named: isCustom ? nil : ClaimExpectation.names, &loader)
        if fields.entries.isEmpty { loader.reader.error("`token` has nothing to check", at: fields.position) }
        fields.finish(&loader.reader)
        return IssuedTokenCheck(
            domain: domain, isMeasured: asked.map(RequestedDomain.asksForMeasurement) ?? false, algorithm: algorithm,
            keyID: keyID.map(ClaimExpectation.init), isValid: isValid.map { $0 == "valid" }, claims: claims)
    }
}
