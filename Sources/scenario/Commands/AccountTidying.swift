internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// The report of `scenario lint` on an account by captures: its parts that decide nothing.
enum AccountTidying {
    static let account = Options.account.described(
        as: "Find the parts of the account in FILE that decide nothing in the captures.")

    /// Fails when more can be removed.
    static let maximumDead = Limit<IdleParts>(
        "--max-dead", summary: "Fail when more than this number, or share, of the account's parts can be removed.",
        relations: [.needs([account.given])]
    ) { LimitedFigure(count: $0.dead.count, all: $0.parts.count, unit: "parts decided nothing") }

    /// The options that mean something with an account only: how captures are read.
    static let reading: [any CommandOption] = [Options.jobs] + Options.captureReading

    /// Refuses options that mean something with an account only.
    static func refuseOptions(_ call: CommandCall) throws(CommandFailure) {
        guard let option = reading.first(where: call.isSet) else { return }
        throw .usage("`\(option.name)` needs `\(account.name)`", hint: "other captures are read as they are")
    }

    /// Answers the question on the account.
    ///
    /// - Parameter isStrict: True if anything that is found is a failure.
    static func answer(_ call: CommandCall, isStrict: Bool) throws(CommandFailure) -> ExitStatus {
        var question = try CaptureQuestion(call)
        if let reason = question.request.rereadingRefusal {
            throw .usage("`lint` with an account reads captures more than once, and \(reason)")
        }
        let account = try question.readAccounts().after
        let review = question.review
        let outcome = try question.ask { IdlePartSearch($0, review, progress: $1).run() }
        try call.require(outcome.diagnostics)
        guard let found = outcome.found else { throw .shown(.invalidInput) }
        guard found.attestations > 0 else {
            throw call.failure("nothing to evaluate: there is no attestation", .nothingRan)
        }
        let report = IdlePartsReport(found, account: account.name, places: places(of: found, call.arguments))
        try call.write { _ in report }
        // An account without parts has nothing to remove.
        let limits = found.parts.isEmpty ? nil : maximumDead.check(found, call.arguments)
        let status = call.end(limits: [limits].compactMap(\.self))
        let isClean = found.dead.isEmpty && found.wide.isEmpty
        return status == .success && isStrict && !isClean ? .expectationFailed : status
    }

    // In the file that was read; a new account is none.
    private static func places(of found: IdleParts, _ arguments: ParsedArguments) -> PartPlaces? {
        guard let path = arguments.files(of: account).first, path != "-" else { return nil }
        var diagnostics = Diagnostics()
        return TextFile.parse(path: path, as: .account, diagnostics: &diagnostics).map {
            PartPlaces(of: found.parts.map(\.part), in: $0)
        }
    }
}
