internal import Accounts
internal import HTTP
internal import PolicyEngine
internal import Reports
internal import Scenarios

// Questions of backends, and of everybody.
extension StandIn {
    /// The meaning of a response code (R23.1).
    func responseCodeAnswer(_ code: String, at time: Instant) -> HTTPAnswer {
        let meaning = account.meaning(ofCode: code, at: time)
        return HTTPAnswer(json: ResponseCodeAnswer.text(of: meaning, catalogue: account.catalogue))
    }

    /// Answers with the claims of a token and the meaning of its code (R23.2), and takes a report of its misuse.
    ///
    /// - Throws: ``Refusal`` for a text that is not a token.
    mutating func tokenAnswer(_ token: String, report message: String?, at time: Instant) throws(Refusal) -> HTTPAnswer
    {
        let check: TokenCheck
        do throws(TokenError) {
            check = try account.check(token, at: time)
        } catch {
            throw .badField("Approov-Token", "that is not a token: \(error.description)")
        }
        let meaning = check.claims?.responseCode.flatMap { account.meaning(ofCode: $0, at: time) }
        if let message { try keepReport(message, on: check.claims?.text(of: "did") ?? "", at: time) }
        return HTTPAnswer(
            json: ResponseCodeAnswer.text(of: meaning, claims: check.claims, catalogue: account.catalogue))
    }

    // The answer is the same whether or not the report is kept.
    private mutating func keepReport(_ message: String, on device: String, at time: Instant) throws(Refusal) {
        let report = TokenReports.Report(time: time, device: device, message: message)
        guard reports.keeps(report) else { return }
        let body = JSONValue.ordered([("device", .string(device)), ("message", .string(message))])
        try keep(StateEvent(.report, at: time, body.bytes))
        reports.keep(report)
    }

    /// Takes a report that was kept before.
    mutating func repeatReport(_ body: [UInt8], at time: Instant) throws(Refusal) {
        let members = JSONContent.object(try RequestBody.object(body))
        reports.keep(
            TokenReports.Report(
                time: time, device: members["device"]?.text ?? "", message: members["message"]?.text ?? ""))
    }

    /// The public keys of the key set (R23.4).
    var publicKeys: HTTPAnswer { HTTPAnswer(json: KeyJSON.publicKeys(of: account.latest.keys.keySet)) }

    /// The counts, for a Prometheus.
    var metrics: HTTPAnswer {
        let metrics = CurrentMetrics(account.figures, account: account.latest.name, version: settings.version)
        return HTTPAnswer(status: 200, mediaType: CurrentMetrics.mediaType, body: metrics.bytes())
    }

    /// The health of an account's service (R23.3).
    ///
    /// - Parameter name: The account as the URL has it.
    /// - Throws: ``Refusal`` for another account.
    func healthAnswer(of name: String) throws(Refusal) -> HTTPAnswer {
        guard name == account.latest.healthName else {
            throw Refusal(404, "there is no such account")
        }
        let health = outage.primary ? "failed" : "passed"
        return HTTPAnswer(json: JSONValue.ordered([("HealthState", .string(health))]).indented())
    }
}
