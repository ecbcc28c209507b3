internal import Documents
internal import PolicyEngine

extension TokenCommand {
    /// Carries the command out.
    func apply(
        to account: Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .check(let text):
            effect.printed = try Self.check(text, account, at: context.time)
            if context.time == nil { effect.warn("without `--at` no token has expired") }
        case .example(let domain, let type, let data):
            effect.printed = [try Self.example(domain, type, data, account, at: try Self.time(context), &effect)]
        case .longLived(let name, let days):
            let expiry = try Self.time(context) + days * Instant.secondsPerDay
            effect.warn(KeyWarning.derived(account.signingKey, of: account))
            effect.printed = try Self.longLived(name, until: expiry, account)
        }
    }

    private static func check(_ text: String, _ account: Account, at time: Instant?) throws(CommandError) -> [String] {
        do throws(TokenError) {
            return TokenText.lines(of: try TokenCheck(text, account: account, at: time), account)
        } catch {
            throw CommandError("that is no token: \(error)")
        }
    }

    private static func time(_ context: CommandContext) throws(CommandError) -> Instant {
        if let time = context.time { return time }
        throw CommandError(
            "making a token needs to know the time",
            hint: "a scenario knows it; `--at` tells it to `scenario approov`")
    }

    private static let exampleSeconds = 3600
    private static let exampleAddress = "1.2.3.4"
    private static let exampleDevice = DeviceID("ExampleApproovTokenDID==")

    private static func example(
        _ domain: String, _ type: ExampleType, _ data: String?, _ account: Account, at time: Instant,
        _ effect: inout CommandEffect
    ) throws(CommandError) -> String {
        var minter = try minter(account, domain)
        effect.warn(KeyWarning.derived(minter.key, of: account))
        guard let device = exampleDevice else { preconditionFailure("the manual's device ID is one") }
        var facts = TokenFacts(device: device)
        (facts.address, facts.dataHash) = (exampleAddress, data.map(TokenClaims.hash))
        let service: TokenService = type == .failover ? .failover : .primary
        let claims = minter.claims(expiring: time + exampleSeconds, by: service, facts)
        return minter.token(claims, isValid: type != .invalid)
    }

    private static func minter(_ account: Account, _ domain: String) throws(CommandError) -> TokenMinter {
        do throws(TokenIssueError) {
            return try TokenMinter(account: account, domain: domain)
        } catch .unknownDomain(let name, let known) {
            throw CommandError(
                "there is no API domain \(name.quoted)", hint: Suggestion.hint(for: name, among: known))
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func longLived(
        _ name: String, until expiry: Instant, _ account: Account
    ) throws(CommandError) -> [String] {
        var claims = TokenClaims(expiry: expiry)
        claims.issuer = name
        let signer: TokenSigner
        do throws(TokenKeyError) {
            signer = try TokenSigner(key: account.signingKey)
        } catch {
            throw CommandError(error.description)
        }
        return [
            "token will expire at \(TokenText.time(expiry))",
            "WARNING: Long lived token should never be integrated into public clients and their security must be "
                + "carefully managed",
            signer.token(claims.json),
        ]
    }
}
