internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Reports

/// `scenario requests`: why a backend would refuse the requests of its log.
extension Command {
    static let requests = Command(
        "requests", "Say why a backend refuses requests, from its log of tokens.",
        .files("LOG", "JSON Lines with time and token of each request, plain, .gz or .zst; - is standard input."),
        options: [
            account, domainOption, keyOption, maximumRefused.option, formatOption, Options.outputs,
        ] + RedactionOptions.all + [RedactionOptions.show, Options.noProgress],
        discussion: """
            Begin before the backend enforces tokens: log them, and read here whom it would refuse. A line is an object
            with time, token, domain and other members such as app-version. A token of null says that the request has
            none; claims may take the place of a token. With data, the header that tokens are bound to, bindings are
            checked, too; null says that the request lacks it.

            The account's keys tell more than a backend sees: a wrong signature may be a failed attestation, which the
            response code explains, or a token for another domain. The report never shows a token.
            """,
        examples: [
            "scenario requests --account prod.yaml requests.jsonl.gz":
                "The reasons for which requests would be refused, by hour and app version.",
            "scenario requests -a prod.yaml --by os --max-refused 0.5% requests.jsonl":
                "The same by another member of the lines; exits with 4 when more are refused.",
        ],
        reports: [RequestReport.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "The account that issues the tokens; required. Its key file has the secrets.")
    private static let domainOption = Option(
        "--domain", "Take DOMAIN for requests that name none; required if the account serves several.", .text("DOMAIN"))
    private static let keyOption = Option(
        "--by", "Count by this member of the lines, by default app-version.", .text("KEY"), in: .count)
    private static let maximumRefused = Limit<RequestReview>(
        "--max-refused", summary: "Exit with 4 when more requests, or a larger share of them, would be refused."
    ) { LimitedFigure(count: $0.refused, all: $0.requests, unit: "requests") }
    private static let formatOption = Options.format(RequestReport.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        try AccountOptions.requireAccount(call.arguments)
        let account = try call.reading { AccountOptions.account(call.arguments, &$0) }
        // Without their keys, real tokens would all look forged.
        if let warning = SecretTopic.warning(onDerived: account.signingKey, of: account) {
            call.console.show(Diagnostic(severity: .warning, file: call[Options.account] ?? "", message: warning))
        }
        let logs = RequestLogs(
            call.operands, account: account, domain: call[domainOption], countedBy: call[keyOption] ?? "app-version")
        let review = try call.reading { logs.review(diagnostics: &$0) }
        guard review.requests > 0 else {
            throw call.failure("nothing to check: the log contains no request", .nothingRan)
        }
        let limits = [maximumRefused.check(review, call.arguments)].compactMap(\.self)
        try call.write { call in
            RequestReport(review, limits: limits.map(\.result), redactor: call.redactor)
        }
        return call.end(limits: limits)
    }
}
