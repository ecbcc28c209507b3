internal import Accounts
internal import Documents
internal import Explore
internal import HTTP
internal import PolicyEngine
internal import Replay

/// A question of an exploration as a command line, which is carried out on the captures that were read.
struct ExploreCommandLine {
    private let session: ExploreSession
    private let changes: [String]
    private let narrowing: Narrowing

    /// - Parameter isWhole: True for a question about all of the captures, whatever part is selected.
    /// - Throws: ``Refusal`` if the changes are no list of texts.
    init(_ question: Question, _ session: ExploreSession, isWhole: Bool = false) throws(Refusal) {
        self.session = session
        changes = try question.changes
        narrowing = isWhole ? .whole : try question.narrowing()
    }

    // MARK: Reports

    /// The report of a command.
    ///
    /// - Parameters:
    ///   - options: Its options beside those that the exploration began with.
    ///   - form: The form of the report; `nil` for a command that has one.
    ///   - type: The media type of that form.
    /// - Throws: ``Refusal`` with the status 422 if the command refuses.
    func report(
        _ command: Command, _ options: [String], form: String? = "json",
        type: String = HTTPAnswer.json
    ) throws(Refusal) -> HTTPAnswer {
        let before = try account().before
        let image = try image(under: before)
        let run: CollectedRun
        do throws(CommandFailure) {
            run = try CollectedRun(try parsed(command, options + (form.map { ["--format=\($0)"] } ?? []), image))
        } catch {
            throw Refusal(error)
        }
        // That nothing was found is an answer, too.
        guard [.success, .limitExceeded].contains(run.status) else { throw Refusal(422, run.firstError) }
        var answer = HTTPAnswer(status: 200, mediaType: type, body: Array(run.output.utf8))
        if !run.remarks.isEmpty { answer.headers.append(Self.messages(run.remarks)) }
        return answer
    }

    /// The line of a command that gives the same answer in a shell, behind a comment on what it leaves out.
    ///
    /// - Parameter options: Its options beside those that the exploration began with.
    func line(of command: Command, _ options: [String]) throws(Refusal) -> String {
        do throws(CommandFailure) {
            let arguments = try parsed(command, options, session.image)
            let comment = arguments.captures?.part.map {
                "# This command is of all captures; the page showed \($0).\n"
            }
            return (comment ?? "") + ReportOrigins.line(arguments) + "\n"
        } catch {
            throw Refusal(error)
        }
    }

    // The part of the captures in words, on one line.
    private var part: String? {
        narrowing.words { session.redactor?.value($0, of: $1) ?? $0 }?.showingControls()
    }

    // With the options of the exploration that the command has, too.
    private func parsed(
        _ command: Command, _ options: [String], _ image: CaptureImage
    ) throws(CommandFailure) -> ParsedArguments {
        var words = options + changes.map { "\(Options.change.name)=\($0)" }
        for option in Self.passedOn where command.has(option) {
            let values = session.arguments.words(of: option)
            words += values.map { option.definition.isSwitch ? option.name : "\(option.name)=\($0)" }
        }
        if command.has(Options.noProgress) { words.append(Options.noProgress.name) }
        let narrowing = narrowingWords(of: command)
        words += narrowing ?? []
        var parsed = try ArgumentParser.parse(words + ["--"] + session.arguments.operands, for: command)
        // Commands of the page read no files.
        parsed.folders = []
        parsed.captures = ReadCaptures(
            image: image, part: narrowing == nil ? part : nil, areNarrowed: narrowing?.isEmpty == false,
            names: session.names, progress: session.progress.noting)
        return parsed
    }

    // The options that select the part of the captures; `nil` where the command lacks them, or they cannot say it. What hides
    // people has other values than the captures.
    private func narrowingWords(of command: Command) -> [String]? {
        if narrowing.isEmpty { return [] }
        let hasOptions = NarrowingOptions.all.allSatisfy(command.has)
        guard hasOptions, session.redactor == nil || narrowing.shown.isEmpty, let expressions = narrowing.expressions
        else { return nil }
        return NarrowingOptions.words(from: narrowing.from, to: narrowing.to, expressions: expressions)
    }

    private static let passedOn: [any CommandOption] =
        [Options.account, LabelOptions.labels, Options.jobs] + RedactionOptions.all + Command.readingOfExplorations

    private static let longestMessages = 20

    // The lines of messages as JSON in ASCII, as headers are.
    private static func messages(_ remarks: String) -> HTTPRequest.Field {
        let lines = remarks.split(separator: "\n").prefix(longestMessages).map { JSONValue.string(String($0)) }
        let json = String(decoding: JSONValue.array(lines).bytes, as: UTF8.self)
        return HTTPRequest.Field("Explore-Messages", json.escapedToASCII)
    }

    // The records that the question is about; filters are those of the account before.
    private func image(under account: Account) throws(Refusal) -> CaptureImage {
        if narrowing.isEmpty { return session.image }
        return try session.image(
            narrowing, try request(under: account, session.image),
            labels: narrowing.asksForLabels ? try labels() : nil)
    }

    /// The request to read the part of the captures that the question is about, for questions that no command answers.
    ///
    /// - Parameter account: The account that evaluates.
    func request(under account: Account) throws(Refusal) -> ReplayRequest {
        try request(under: account, try image(under: try self.account().before))
    }

    private func request(under account: Account, _ image: CaptureImage) throws(Refusal) -> ReplayRequest {
        do throws(CommandFailure) {
            var request = try CaptureOptions.request(try parsed(.explain, [], image))
            request.account = account
            request.jobs = session.arguments.jobs
            request.redactor = session.redactor
            return request
        } catch {
            throw Refusal(error)
        }
    }

    /// The labels that the exploration began with; `nil` for none.
    ///
    /// - Throws: ``Refusal`` if their file cannot be read any more.
    func labels() throws(Refusal) -> Labels? {
        guard let path = session.arguments[LabelOptions.labels] else { return nil }
        var diagnostics = Diagnostics()
        let labels = Labels.read(path: path, isSecret: session.redactor != nil, diagnostics: &diagnostics)
        guard let labels else { throw Refusal(diagnostics) }
        return labels
    }

    // MARK: The account

    /// The account, and the same after the changes.
    ///
    /// - Throws: ``Refusal`` for the first change that cannot be carried out, with its place.
    func account() throws(Refusal) -> ChangedAccount {
        var (review, diagnostics) = (FilterReview(), Diagnostics())
        let before = AccountOptions.load(
            session.accountPath, within: session.arguments.reach, review: &review, diagnostics: &diagnostics)
        guard let before else { throw Refusal(diagnostics) }
        var (after, rules) = (before, DecidedRules())
        for (index, line) in changes.enumerated() {
            // Carried out, the name would be taken for what it hides.
            guard session.redactor == nil || !Redactor.hasName(in: line) else {
                throw Refusal(422, "the command contains a name for what is hidden here", field: "changes/\(index)")
            }
            do throws(CommandError) {
                rules.formUnion(try ExploreTyping.apply(line, to: &after).decidedRules)
            } catch {
                throw ExploreTyping.refusal(of: line, error, field: "changes/\(index)")
            }
        }
        return ChangedAccount(before, after, decidedRules: rules)
    }

    /// The account's file as it would say the account after the changes.
    func changedAccountFile() throws(Refusal) -> [UInt8] {
        let after = try account().after
        var diagnostics = Diagnostics()
        let text = AccountOptions.text(of: session.accountPath, saying: after, &diagnostics)
        guard let text else { throw Refusal(diagnostics) }
        return text
    }
}

extension Refusal {
    // A command line that the command does not understand.
    fileprivate init(_ failure: CommandFailure) {
        guard case .usage(let message, let hint) = failure else {
            self.init(422, "the command has no answer")
            return
        }
        self.init(422, message, hint: hint)
    }
}

extension CollectedRun {
    // The first error, without the place in front of it.
    fileprivate var firstError: String {
        let lines = remarks.split(separator: "\n")
        let mark = "error: "
        let first = lines.first { $0.contains(mark) } ?? lines.first ?? "the command has no answer"
        return first.firstRange(of: mark).map { String(first[$0.upperBound...]) } ?? String(first)
    }
}

extension String {
    // JSON with escapes in place of all that is not ASCII.
    fileprivate var escapedToASCII: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            guard !scalar.isASCII else { return text.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
