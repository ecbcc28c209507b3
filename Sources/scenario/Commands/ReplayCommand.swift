internal import PolicyEngine
internal import Simulation

/// `scenario replay`: captures through an account.
enum ReplayCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var request = try request(arguments)
        var diagnostics = Diagnostics()
        let account = AccountOption.account(arguments, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account else { return .invalidInput }
        request.account = account
        request.decisionsPath = arguments.value(of: .decisions)
        request.attestationOption =
            [fetchesOption, .decisions, tokensOption, policyOption, changeOption].first(where: arguments.isSet)?
            .name
        if let path = arguments.value(of: tokensOption) {
            guard let domain = try tokenDomain(arguments, account, console) else { return .invalidInput }
            (request.tokensPath, request.tokenDomain) = (path, domain)
        } else if arguments.isSet(domainOption) {
            throw UsageError("`--domain` goes with `--tokens` only")
        }
        return replay(request, arguments, console)
    }

    /// How captures are to be read; with a new account.
    static func request(_ arguments: ParsedArguments) throws(UsageError) -> ReplayRequest {
        let zones = try zones(arguments)
        guard arguments.operands.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("standard input can be read once only")
        }
        var request = ReplayRequest(captures: arguments.operands, account: Account())
        request.zones = zones
        request.format = arguments.choice(of: inputFormatOption, as: CaptureFormat.self)
        request.skipsMalformed = arguments.isSet(skipMalformedOption)
        request.sorts = arguments.isSet(sortOption)
        request.malformedPath = arguments.value(of: malformedOption)
        request.fetchesPath = arguments.value(of: fetchesOption)
        request.jobs = arguments.jobs
        return request
    }

    private static func replay(
        _ request: ReplayRequest, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        let line = ProgressLine(console: console)
        let isShown = console.showsProgress && !arguments.isSet(.noProgress)
        let outcome = request.run(progress: isShown ? line.progress : Progress())
        line.clear()
        console.show(outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors, let figures = outcome.figures else { return .invalidInput }
        let report = Report(figures: figures, fetches: outcome.fetches)
        let format = arguments.choice(of: formatOption, as: ReportFormat.self) ?? .text
        guard ReportOutput.write(report, format: format, arguments: arguments, console: console) else {
            return .invalidInput
        }
        guard figures.attestations > 0 || (outcome.fetches?.total ?? 0) > 0 else {
            console.error("scenario: error: nothing to judge: the captures hold no sound record\n")
            return .nothingRan
        }
        return .success
    }

    // The domain that tokens are for; `nil` after telling why there are none.
    private static func tokenDomain(
        _ arguments: ParsedArguments, _ account: Account, _ console: Console
    ) throws(UsageError) -> String? {
        let served = account.apiDomains.filter { $0.type != .pinOnly }.map(\.name)
        guard let domain = arguments.value(of: domainOption) ?? (served.count == 1 ? served[0] : nil) else {
            throw UsageError(
                "option `--domain` is missing", hint: "tokens are for one domain; `--tokens` needs to know which")
        }
        do throws(TokenIssueError) {
            _ = try TokenMinter(account: account, domain: domain)
            return domain
        } catch {
            var hint: String?
            if case .unknownDomain(let name, let known) = error {
                hint = "a domain alone, without path or `?measurement`"
                if APIDomain.isName(name) { hint = Suggestion.hint(for: name, among: known) }
            }
            console.show(Diagnostics(Diagnostic(file: domainOption.name, message: error.description, hint: hint)))
            return nil
        }
    }

    private static func zones(_ arguments: ParsedArguments) throws(UsageError) -> TimeZones {
        guard let text = arguments.value(of: timezoneOption) else { return TimeZones() }
        guard let offset = TimeZones.offset(text) else {
            throw UsageError("`--timezone` takes `±hh:mm`, not \(UsageError.quote(text))")
        }
        return TimeZones(fallback: offset)
    }
}
