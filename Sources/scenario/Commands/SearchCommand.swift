internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario search`: the fewest edits that reject what has to be rejected and keep what has to be kept.
enum SearchCommand: ToolCommand {
    /// The operands and options of `search`.
    static let definition = CommandDefinition(
        name: "search",
        summary: "Find the fewest edits of an account that reject some captured devices and keep others.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary: "A capture, plain, .gz or .zst.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [
            account, .policy, .change, reject, keep, maximumEdits, maximumRejected, loosest, narrowestFilter, timeout,
            formatOption,
            .output, .jobs,
        ] + OptionDefinition.captureReading + [.noProgress],
        discussion: [
            """
            The edits are those of `scenario whatif`: presets, reject flags, filters and their actions, device entries. An EXPR \
            selects attestations: flag:NAME, did:ID, did:@FILE, verdict:pass, KEY=VALUE and KEY~REGEX, joined by and, or, not \
            and brackets. Each answer was compared with the account as it is.
            """,
            "Exits with 4 when so many edits do not do it, and with 6 when it takes too long.",
        ],
        examples: [
            CommandExample(
                line: "scenario search day.jsonl --account prod.yaml --reject flag:frida --keep 'not flag:frida'",
                summary: "How to shut out whoever runs Frida, and nobody else."
            )
        ]
    )

    private static let account = OptionDefinition.account.described(
        as: "Edit the account in FILE; needed, and new is a new one.")

    /// The option for the attestations that must fail.
    private static let reject = OptionDefinition(
        name: "--reject", value: .text(placeholder: "EXPR"), summary: "Attestations that EXPR selects must fail.")

    /// The option for the attestations that must pass.
    private static let keep = OptionDefinition(
        name: "--keep", value: .text(placeholder: "EXPR"), summary: "Attestations that EXPR selects must pass.")

    /// The option for the greatest number of edits.
    private static let maximumEdits = OptionDefinition(
        name: "--max-edits", value: .integer(placeholder: "K", in: 0...4),
        summary: "Make at most K edits, by default 2.")

    /// The option for the greatest number of other devices that newly fail.
    private static let maximumRejected = OptionDefinition(
        name: "--max-newly-rejected", value: .text(placeholder: "N|P%"),
        summary: "Newly reject at most so many other devices, or such a share of all.")

    /// The option to prefer the loosest policy.
    private static let loosest = OptionDefinition(
        name: "--loosest", summary: "Edit the policy alone, and prefer what rejects the fewest devices besides.")

    /// The option for the attribute of a new filter.
    private static let narrowestFilter = OptionDefinition(
        name: "--narrowest-filter", value: .text(placeholder: "KEY"),
        summary: "Add one filter on the attribute KEY, and prefer what rejects the fewest devices besides.")

    /// The option for the time limit.
    private static let timeout = OptionDefinition(
        name: "--timeout", value: .text(placeholder: "DURATION"), summary: "Give up after DURATION, by default 1m.")

    private static let formatOption = OptionDefinition.format(PlainFormat.self)
    private static let (usualEdits, usualLimit) = (2, 60)

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let limit = try DeviceLimit(maximumRejected, arguments)
        let time = try time(arguments)
        guard arguments.isSet(reject) || arguments.isSet(keep) else {
            throw UsageError("nothing is asked for", hint: "give `\(reject.name)`, `\(keep.name)` or both")
        }
        let filterKey = try filterKey(arguments)
        var request = try CaptureOptions.request(arguments)
        // From now on: reading and comparing take their part of it.
        let deadline = ContinuousClock.now + .seconds(time)
        request.deadline = deadline
        guard !request.captures.contains("-") else {
            throw UsageError("`search` reads captures more than once, and standard input can be read once only")
        }
        var question = EditSearch.Question(
            reject: try expression(reject, arguments), keep: try expression(keep, arguments),
            maximumEdits: filterKey == nil ? arguments.integer(of: maximumEdits) ?? usualEdits : 1,
            isLoosest: arguments.isSet(loosest) || filterKey != nil)
        question.allowsRejected = { count, all in limit?.allows(count, of: all) ?? true }
        try AccountOptions.requireAccount(arguments)
        var diagnostics = Diagnostics()
        let account = AccountOptions.account(arguments, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account else { return .invalidInput }
        request.account = account
        let status = search(question, request, deadline, arguments, console)
        guard let status else {
            console.show(error: "not decided in \(time) s")
            return .notDecided
        }
        return status
    }

    // `nil` where it takes too long.
    private static func search(
        _ question: EditSearch.Question, _ request: ReplayRequest, _ deadline: ContinuousClock.Instant,
        _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus? {
        let expressions = [question.reject, question.keep].compactMap(\.self)
        let filterKey = arguments.value(of: narrowestFilter)
        let keys =
            CaptureRecords.keys(for: request.account) + expressions.flatMap(\.keys) + [filterKey].compactMap(\.self)
        let line = ProgressLine(console: console, isShown: !arguments.isSet(.noProgress))
        defer { line.clear() }
        let (records, diagnostics) = CaptureRecords(request, keys: keys, progress: line.progress).read()
        guard !request.isLate else { return nil }
        console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        let mistyped = mistyped(in: question, records, request.account)
        console.show(mistyped)
        guard !mistyped.hasErrors else { return .invalidInput }
        let matcher = request.matcher()
        let selection: RecordSelection
        do throws(RecordSelection.Failure) {
            selection = try RecordSelection(question, records, by: matcher, deadline: deadline)
        } catch {
            guard error == .givenUp else { return nil }
            console.show(error: "not decided: a regex of an expression hit its match limit")
            return .notDecided
        }
        guard let choice = choice(question, records, selection, request.account, filterKey, console) else {
            return .invalidInput
        }
        let edits = choice.edits
        let search = EditSearch(
            question, records: records, selection: selection, account: request.account, edits: edits.count,
            patterns: matcher, deadline: deadline, matched: choice.matched
        ) { SingleEdits.edit(edits[$1], of: $0)?.account }
        switch search.run() {
        case .nothingAsked:
            console.show(error: "nothing to search for: the expressions select no attestation")
            return .nothingRan
        case .contradiction(let records):
            console.show(error: "\(records.grouped) attestations would have to fail and to pass")
            return .invalidInput
        case .late: return nil
        case .answers(let answers) where answers.isEmpty && !choice.leftOut.isEmpty:
            console.show(error: "not decided: what was left out might do it")
            return .notDecided
        case .answers(let answers):
            let found = compared(answers, question, edits, request, keys)
            guard !request.isLate else { return nil }
            guard let found else {
                console.show(error: "not decided: a comparison says otherwise than the search")
                return .notDecided
            }
            let report = SearchReport(
                found, maximumEdits: question.maximumEdits,
                rejecting: selection.counts.rejecting, keeping: selection.counts.keeping, filterKey: filterKey)
            let format = arguments.choice(of: formatOption, as: PlainFormat.self) ?? .text
            let bytes = report.bytes(as: format, style: ReportOutput.style(arguments, console))
            guard ReportOutput.write(bytes, arguments: arguments, console: console) else { return .invalidInput }
            return answers.isEmpty ? .limitExceeded : .success
        }
    }

    // Says which flags and attributes nobody knows. An attribute may be one that other captures have.
    private static func mistyped(
        in question: EditSearch.Question, _ records: [KeptRecord], _ account: Account
    ) -> Diagnostics {
        let flags = records.reduce(into: Set(account.catalogue.declaredNames)) { $0.formUnion($1.flags) }
        let keys = records.reduce(into: Set(InformationKeys.all)) { $0.formUnion($1.attributes.lazy.map(\.key)) }
        var found = Diagnostics()
        func note(
            _ names: [String], but known: Set<String>, _ severity: Diagnostic.Severity, in option: String,
            _ problem: String
        ) {
            for name in Set(names).subtracting(known).sorted() {
                found.add(
                    Diagnostic(
                        severity: severity, file: option, message: "\(problem) \(name.quoted)",
                        hint: Suggestion.hint(for: name, among: known.sorted())))
            }
        }
        for (option, expression) in [(reject.name, question.reject), (keep.name, question.keep)] {
            guard let expression else { continue }
            note(expression.flags, but: flags, .error, in: option, "neither the account nor a record has the flag")
            note(expression.keys, but: keys, .warning, in: option, "no record has a value for")
        }
        return found
    }

    private struct Choice {
        /// The commands to choose from.
        var edits: [String] = []
        /// The account with all filters that they add.
        var matched: Account
        /// Why there are no more filters among them.
        var leftOut: [String] = []
    }

    private static func choice(
        _ question: EditSearch.Question, _ records: [KeptRecord], _ selection: RecordSelection, _ account: Account,
        _ filterKey: String?, _ console: Console
    ) -> Choice? {
        if let filterKey {
            let open = zip(records, selection.rejecting).filter { $0.passed && $1 }.map(\.0)
            let narrowest = NarrowestFilter.tests(rejecting: open, key: filterKey)
            do throws(FilterError) {
                var choice = try filters(testing: narrowest.tests, account)
                choice.leftOut += narrowest.refused.map(\.reason)
                for reason in choice.leftOut { console.show(warning: "a filter is left out: \(reason)") }
                return choice
            } catch {
                console.show(error: "no filter can be added: \(error.description)")
                return nil
            }
        }
        var edits = SingleEdits.all(of: account).map(\.command)
        // Without `new-did` in any record nobody knows which devices were new.
        if !records.contains(where: { $0.flags.contains("new-did") }) {
            edits.removeAll { $0 == "policy -addRejectFlag new-did" }
        }
        return Choice(edits: question.isLoosest ? edits.filter { $0.hasPrefix("policy ") } : edits, matched: account)
    }

    private static func filters(
        testing tests: [Filter.Test], _ account: Account
    ) throws(FilterError) -> Choice {
        var choice = Choice(matched: account)
        // The narrowest comes first; an account may have no room for the others.
        for test in tests where choice.edits.isEmpty || choice.matched.filters.count < AccountLimits.filters {
            let taken = Set(choice.matched.filters.map(\.name))
            let name = (1...AccountLimits.filters + 1).lazy.map { "narrow-\($0)" }.first { !taken.contains($0) }
            let filter = try Filter(name: name ?? "", test: test, options: .reject)
            guard let command = FilterCommandText.addition(of: filter) else {
                choice.leftOut.append("no command says it")
                continue
            }
            try choice.matched.set(Filter(name: filter.name, test: test))
            choice.edits.append(command)
        }
        return choice
    }

    private static func filterKey(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let key = arguments.value(of: narrowestFilter) else { return nil }
        for other in [loosest, maximumEdits] where arguments.isSet(other) {
            throw UsageError("`\(other.name)` cannot go with `\(narrowestFilter.name)`, which adds one filter")
        }
        guard arguments.isSet(reject) else {
            throw UsageError("a filter rejects, and nothing is to be rejected", hint: "give `\(reject.name)`")
        }
        guard !key.isEmpty, !InformationKeys.flags.contains(key) else {
            throw UsageError(
                "`\(narrowestFilter.name)` takes an attribute, not \(UsageError.quote(key))",
                hint: "policies reject flags")
        }
        return key
    }

    // Each answer, tried anew: record by record, and as a comparison. `nil` where it is none.
    private static func compared(
        _ answers: [EditSearch.Answer], _ question: EditSearch.Question, _ edits: [String], _ request: ReplayRequest,
        _ keys: [String]
    ) -> [SearchReport.Answer]? {
        var found: [SearchReport.Answer] = []
        for answer in answers {
            var edited = request
            edited.account = answer.account
            let records = CaptureRecords(edited, keys: keys).read().records
            let selection = try? RecordSelection(
                question, records, by: request.matcher(), deadline: request.deadline ?? .now)
            guard let selection else { return nil }
            let isRight = records.indices.allSatisfy { index in
                !(selection.rejecting[index] && records[index].passed)
                    && !(selection.keeping[index] && !records[index].passed)
            }
            let summary = CaptureComparison(ComparisonRequest(replay: request, after: answer.account)).run()
            guard isRight, let changes = summary.comparison?.changes else { return nil }
            found.append(
                SearchReport.Answer(
                    commands: answer.edits.map { edits[$0] }, rejected: changes.rejected.devices,
                    besides: answer.rejected, accepted: changes.accepted.devices))
        }
        return found
    }

    private static func expression(
        _ option: OptionDefinition, _ arguments: ParsedArguments
    ) throws(UsageError) -> RecordExpression? {
        guard let text = arguments.value(of: option) else { return nil }
        do throws(RecordExpressionError) {
            return try RecordExpression(text) { path throws(RecordExpressionError) in
                guard let bytes = try? TextFile.bytes(path: path) else {
                    throw RecordExpressionError("\(UsageError.quote(path)) cannot be read")
                }
                return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            }
        } catch {
            throw UsageError("`\(option.name)`: \(error.description)", hint: error.hint)
        }
    }

    private static func time(_ arguments: ParsedArguments) throws(UsageError) -> Int {
        guard let text = arguments.value(of: timeout) else { return usualLimit }
        guard let time = try? DurationText.parse(text), time > 0 else {
            throw UsageError(
                "`\(timeout.name)` takes a duration above 0, not \(UsageError.quote(text))",
                hint: "such as `30s` or `5m`")
        }
        return time
    }
}
