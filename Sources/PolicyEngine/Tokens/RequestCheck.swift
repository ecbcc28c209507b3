/// Checks a request as the backend of an API domain does, and names the reason why a backend refuses it (manual, Backend
/// Integration).
///
/// It knows more than a backend, which sees only that a signature is wrong: the keys of the whole account, and the secret of its
/// response codes. So it names the failed attestation, or the domain that a token is for.
package struct RequestCheck: Sendable {
    /// The name of the domain, as the account has it.
    package let domain: String
    private let verifier: TokenVerifier
    // The other keys of the account, each with the words for it.
    private let others: [(reason: RequestRefusal.Kind, words: String, verifier: TokenVerifier)]
    // All keys, that of the domain first.
    private let allKeys: [TokenKey]
    private let audience: String?
    private let account: Account

    /// - Parameters:
    ///   - account: The account that issues the tokens.
    ///   - name: The domain of the backend, in any case; any domain where the account lists none.
    /// - Throws: ``TokenIssueError`` where there are no tokens for the domain.
    package init(account: Account, domain name: String) throws(TokenIssueError) {
        guard let domain = account.tokenDomain(named: name) else {
            throw .unknownDomain(name, known: account.apiDomains.map(\.name))
        }
        let key = try account.tokenKey(for: domain)
        (self.domain, self.account, verifier) = (domain.name, account, TokenVerifier(key: key))
        audience = account.includesAudience ? domain.name : nil
        let domains = account.apiDomains.compactMap { other in
            (try? account.tokenKey(for: other)).map { (other.name, $0) }
        }.filter { $0.1.material != key.material }
        // The account's key may have had another name.
        let keys = account.allTokenKeys.filter { other in
            other.material != key.material && !domains.contains { $0.1.material == other.material }
        }
        allKeys = [key] + domains.map(\.1) + keys
        others =
            domains.map { (.otherDomain, "it is for `\($0.0)`", TokenVerifier(key: $0.1)) }
            + keys.map { key in
                (
                    .otherKey, key.id.map { "the key is `\($0)`" } ?? "the key is for \(key.algorithm.rawValue)",
                    TokenVerifier(key: key)
                )
            }
    }

    /// The data that a request should be bound to.
    package enum Binding: Hashable, Sendable {
        /// The log does not say: a binding is not checked.
        case unknown
        /// The request has no such header.
        case missing
        case data(String)
    }

    /// The reason why a backend refuses a request; `nil` where it accepts it.
    ///
    /// The first wrong thing counts, in the order in which backends check: form, key and signature, claims, times, binding.
    ///
    /// - Parameters:
    ///   - token: The token in its compact form; `nil` or empty where the request has none.
    ///   - binding: The data of the header that tokens are bound to.
    ///   - time: The time of the request.
    /// - Complexity: That of ``TokenVerifier/claims(of:at:)``; of a wrong signature once more for each key of the account.
    package func refusal(of token: String?, _ binding: Binding, at time: Instant) -> RequestRefusal? {
        guard let token, !token.isEmpty else { return RequestRefusal(.noToken) }
        do throws(TokenError) {
            return refusal(of: try verifier.claims(of: token, at: time), binding, at: time)
        } catch {
            return refusal(of: token, for: error, at: time)
        }
    }

    /// The same of claims alone, from a log that has no tokens: a signature cannot be checked.
    ///
    /// - Parameter claims: The claims as a JSON object; those of a loggable token (`sip`) say whether the signature was right.
    package func refusal(ofClaims claims: String, _ binding: Binding, at time: Instant) -> RequestRefusal? {
        do throws(TokenError) {
            let read = try ReceivedClaims(Array(claims.utf8))
            if read.value(of: LoggableToken.claim.text) != nil {
                guard try TokenCheck(claims, account: account, at: nil).passed else { return unsigned(read) }
            } else if let failed = failed(read) {
                return failed
            }
            return refusal(of: read, binding, at: time)
        } catch {
            return RequestRefusal(.malformed, "\(error)")
        }
    }

    // MARK: Reasons

    private func refusal(of claims: ReceivedClaims, _ binding: Binding, at time: Instant) -> RequestRefusal? {
        let device = claims.device
        guard let expiry = claims.expiry else { return RequestRefusal(.withoutExpiry, device: device) }
        if time >= expiry { return RequestRefusal(.expired, device: device, seconds: time - expiry) }
        if let start = claims.start, time < start {
            return RequestRefusal(.notYetValid, device: device, seconds: start - time)
        }
        if let audience, claims.text(of: "aud") != audience {
            let found = claims.text(of: "aud").map { "it is for `\($0)`" } ?? "it names no domain"
            return RequestRefusal(.otherDomain, found, device: device)
        }
        // Tokens of the failover are bound to nothing (R14.3).
        guard claims.text(of: "pay") != nil else { return nil }
        switch binding {
        case .unknown: return nil
        case .missing: return RequestRefusal(.noBinding, device: device)
        case .data(let data):
            return claims.isBound(to: data) == true ? nil : RequestRefusal(.otherBinding, device: device)
        }
    }

    private func refusal(of token: String, for error: TokenError, at time: Instant) -> RequestRefusal {
        func device() -> DeviceID? { claims(of: token)?.device }
        switch error {
        case .tooLong, .wrongPartCount, .badEncoding, .badHeader, .badClaims:
            return RequestRefusal(.malformed, "\(error)")
        case .unsecured: return RequestRefusal(.unsigned)
        case .criticalExtension: return RequestRefusal(.criticalExtension)
        case .missingExpiry: return RequestRefusal(.withoutExpiry, device: device())
        case .expired(let expiry): return RequestRefusal(.expired, device: device(), seconds: time - expiry)
        case .notYetValid(let start): return RequestRefusal(.notYetValid, device: device(), seconds: start - time)
        case .wrongAlgorithm, .unknownKey, .wrongSignature, .cannotBeDecrypted:
            return refusal(of: token, withWrongKey: error)
        }
    }

    // A token that the key of the domain did not make.
    private func refusal(of token: String, withWrongKey error: TokenError) -> RequestRefusal {
        let claims = claims(of: token)
        if let other = others.first(where: { (try? $0.verifier.payload(of: token)) != nil }) {
            return RequestRefusal(other.reason, other.words, device: claims?.device)
        }
        if let failed = claims.flatMap(failed) { return failed }
        switch error {
        case .wrongAlgorithm: return RequestRefusal(.otherAlgorithm, "\(error)", device: claims?.device)
        case .unknownKey: return RequestRefusal(.unknownKey, device: claims?.device)
        default: return RequestRefusal(.wrongSignature, device: claims?.device)
        }
    }

    private func unsigned(_ claims: ReceivedClaims) -> RequestRefusal {
        failed(claims) ?? RequestRefusal(.wrongSignature, device: claims.device)
    }

    // The response code says that the attestation failed, and why (R12.3).
    private func failed(_ claims: ReceivedClaims) -> RequestRefusal? {
        guard let code = claims.responseCode, let meaning = ResponseCodec(account: account).meaning(of: code),
            !meaning.passed
        else { return nil }
        let rejected = account.policy.rejection.rejections(among: meaning.flags)
        let flags = rejected.isEmpty ? meaning.flags : rejected
        return RequestRefusal(
            .failedAttestation, device: claims.device, flags: account.catalogue.names(of: flags))
    }

    // The claims, whoever signed them.
    private func claims(of token: String) -> ReceivedClaims? {
        allKeys.lazy.compactMap { try? ReceivedClaims.issued(token, with: $0) }.first
    }
}

/// The reason why a backend refuses a request.
package struct RequestRefusal: Hashable, Sendable {
    package let kind: Kind
    /// More words on it; empty where there is no more to say.
    package let detail: String
    /// The device that the token was issued to, if it says so.
    package let device: DeviceID?
    /// The seconds since the token expired, or until it is valid; `nil` for other reasons.
    package let seconds: Int?
    /// The flags of a failed attestation: those that the account's policy rejects, or all where it rejects none of them, as of
    /// devices that filters reject.
    package let flags: [String]

    init(_ kind: Kind, _ detail: String = "", device: DeviceID? = nil, seconds: Int? = nil, flags: [String] = []) {
        (self.kind, self.detail, self.device, self.seconds, self.flags) = (kind, detail, device, seconds, flags)
    }

    /// The reasons, in the order in which a backend checks.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case noToken = "no-token"
        case malformed
        case unsigned
        case criticalExtension = "critical-extension"
        case otherAlgorithm = "other-algorithm"
        case unknownKey = "unknown-key"
        case otherDomain = "other-domain"
        case otherKey = "other-key"
        case failedAttestation = "failed-attestation"
        case wrongSignature = "wrong-signature"
        case withoutExpiry = "without-expiry"
        case expired
        case notYetValid = "not-yet-valid"
        case noBinding = "no-binding"
        case otherBinding = "other-binding"

        /// The reason in a sentence.
        package var summary: String {
            switch self {
            case .noToken: "The request has no token."
            case .malformed: "This is not a token."
            case .unsigned: "The header says that the token is not signed (`alg: none`)."
            case .criticalExtension: "The header demands an extension that no backend knows (`crit`)."
            case .otherAlgorithm: "The header names another algorithm than that of the domain's key."
            case .unknownKey: "The header names a key that the account does not have (`kid`)."
            case .otherDomain: "The token is for another API domain of the account."
            case .otherKey: "Another key of the account made the token."
            case .failedAttestation: "The attestation failed, as the response code says."
            case .wrongSignature: "No key of the account made this signature."
            case .withoutExpiry: "The token never expires (`exp` is missing)."
            case .expired: "The token had expired."
            case .notYetValid: "The token was not valid yet (`nbf`)."
            case .noBinding: "The token is bound to data that the request does not have."
            case .otherBinding: "The token is bound to other data (`pay`)."
            }
        }
    }
}
