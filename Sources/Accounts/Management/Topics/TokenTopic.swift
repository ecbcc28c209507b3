internal import Documents
internal import PolicyEngine

/// The topic `token` (manual, Checking Token Validity, Long Lived Approov Tokens, Generating Example Tokens).
package enum TokenTopic: ManagementTopic {
    /// `-check token`, which may be a loggable one
    case check(String)
    case example(domain: String, ExampleType, data: String?)
    case curl(ServiceRequest)
    /// `-reports`, of ours: the reports of misuse that backends made (R23.2)
    case reports
    case longLived(name: String, days: Int)

    /// The kind of an example token.
    package enum ExampleType: String, Hashable, Sendable, CaseIterable {
        case valid
        /// As one of a failed attestation.
        case invalid
        /// A valid one as the failover makes them.
        case failover
    }

    /// A request of a backend to the service (R23.1, R23.2).
    package enum ServiceRequest: Hashable, Sendable {
        case responseCode, token
    }

    static let name = "token"

    static let actions: [CommandAction] = [
        action("-check", "token", for: .developers) { .check($0.operand) },
        action(
            "-genExample", "domain", for: .developers,
            options: [CommandOption("-type", .text), CommandOption("-setDataHashInToken", .anyText)]
        ) { call throws(CommandError) in
            let type = try call.word("-type") ?? ExampleType.valid
            return .example(domain: call.operand, type, data: call.value("-setDataHashInToken"))
        },
        action("-genLongLived", "name and age, such as `server-token,90d`", for: .admins) { call throws(CommandError) in
            try longLived(call.operand)
        },
        action("-showArcInfoCurl", for: .developers) { _ in .curl(.responseCode) },
        action("-showTokenInfoCurl", for: .developers) { _ in .curl(.token) },
        action("-reports", for: .developers) { _ in .reports },
    ]

    // Manual, Long Lived Approov Tokens: in days, and not less than one.
    private static let days = 1...36_500

    private static func longLived(_ text: String) throws(CommandError) -> TokenTopic {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandError("\(text.quoted) is not a name and an age", hint: "such as server-token,90d")
        }
        let number = parts[1].hasSuffix("d") ? String(parts[1].dropLast()) : ""
        guard let days = Int(number), String(days) == number, Self.days.contains(days) else {
            throw CommandError(
                "\(parts[1].quoted) is not a number of days from \(Self.days.lowerBound)d to \(Self.days.upperBound)d")
        }
        return .longLived(name: parts[0], days: days)
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .check(let text):
            effect.printed = try Self.check(text, account, at: context.time)
            if context.time == nil { effect.warn("without `--at` no token counts as expired") }
        case .example(let domain, let type, let data):
            effect.printed = [try Self.example(domain, type, data, account, at: try Self.time(context), &effect)]
        case .curl(let request):
            if account.keys.apiKey == nil { effect.warn(Self.derivedAPIKey) }
            effect.printed = Self.curl(request, key: account.apiKey.text)
        case .reports: effect.listsTokenReports = true
        case .longLived(let name, let days):
            let expiry = try Self.time(context) + days * Instant.secondsPerDay
            effect.warn(SecretTopic.warning(onDerived: account.signingKey, of: account))
            effect.printed = try Self.longLived(name, until: expiry, account, context.zone)
        }
    }

    private static let derivedAPIKey =
        "the API key is derived from the account's name, so it is not secret; `api-key` of the key file gives another"

    // As the manual prints them.
    private static func curl(_ request: ServiceRequest, key: String) -> [String] {
        let authorization = #"-H "Authorization: Bearer \#(key)""#
        switch request {
        case .responseCode:
            return [#"curl \#(authorization) -H "Arc: <arc>" https://<account-domain>/arc-info/"#]
        case .token:
            return [
                #"curl -X PUT \#(authorization) -H "Approov-Token: <token>" https://<account-domain>/token-info/"#,
                #"  add `-H "Report-Message: <message>" to report a particular token"#,
            ]
        }
    }

    private static func check(_ text: String, _ account: Account, at time: Instant?) throws(CommandError) -> [String] {
        let check = try CommandError.wrapping(about: "that is not a token") { () throws(TokenError) in
            try TokenCheck(text, account: account, at: time)
        }
        return TokenText.lines(of: check, account)
    }

    private static func time(_ context: CommandContext) throws(CommandError) -> Instant {
        try context.time(for: "making a token")
    }

    private static let exampleSeconds = 3600

    private static func example(
        _ domain: String, _ type: ExampleType, _ data: String?, _ account: Account, at time: Instant,
        _ effect: inout CommandEffect
    ) throws(CommandError) -> String {
        // Manual, Generating Example Tokens: the domain is named as the app names it, which may be by a URL.
        let name = APIDomain.asksForMeasurement(domain) ? domain : APIDomain.name(in: domain) ?? domain
        var minter = try CommandError.wrapping { () throws(TokenIssueError) in
            try TokenMinter(account: account, domain: name)
        }
        effect.warn(SecretTopic.warning(onDerived: minter.key, of: account))
        let service: TokenService = type == .failover ? .failover : .primary
        let claims = minter.claims(expiring: time + exampleSeconds, by: service, .example(boundTo: data))
        return minter.token(claims, isValid: type != .invalid)
    }

    private static func longLived(
        _ name: String, until expiry: Instant, _ account: Account, _ zone: ClockZone
    ) throws(CommandError) -> [String] {
        var claims = TokenClaims(expiry: expiry)
        claims.issuer = name
        let signer = try CommandError.wrapping { () throws(TokenKeyError) in try TokenSigner(key: account.signingKey) }
        return [
            "token will expire at \(zone.text(of: expiry))",
            "WARNING: Long lived token should never be integrated into public clients and their security must be "
                + "carefully managed",
            signer.token(claims.json),
        ]
    }
}

/// The output about tokens, in the words of the manual (Checking Token Validity).
private enum TokenText {
    /// The output of `token -check`.
    static func lines(of check: TokenCheck, _ account: Account) -> [String] {
        let status = check.passed ? "passed:" : "failed:"
        if check.isLoggable { return ["\(status) loggable"] }
        let words = [
            status, check.isExpired == true ? "expired" : nil, check.algorithm.map { "alg:\($0)" },
            check.keyID.map { "kid:\($0)" }, check.claims?.text,
        ]
        return [words.compactMap { $0 }.joined(separator: " ")] + flags(check, account)
    }

    // The flags that the response code holds, where the account has codes and the token carries one.
    private static func flags(_ check: TokenCheck, _ account: Account) -> [String] {
        guard account.isResponseCodeOn, let code = check.claims?.responseCode else { return [] }
        guard let meaning = ResponseCodec(account: account).meaning(of: code) else { return ["arc invalid"] }
        let names = account.catalogue.names(of: meaning.flags)
        return ["device property flags:"] + names.map { "  \($0)" }
    }
}
