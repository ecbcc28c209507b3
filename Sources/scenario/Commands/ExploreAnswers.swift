internal import Analysis
internal import Documents
internal import Explore
internal import Figures
internal import HTTP
internal import PolicyEngine
internal import Replay

/// Answers the questions of an exploration: by the commands that answer them on the command line, where there are some.
struct ExploreAnswers: Sendable {
    private let session: ExploreSession

    init(_ session: ExploreSession) { self.session = session }

    /// Answers a question. Every answer leaves here, without what says who somebody is if that is to be hidden.
    ///
    /// - Throws: ``Refusal`` for a question that has no answer.
    func answer(_ question: Question) throws(Refusal) -> HTTPAnswer {
        guard let redactor = session.redactor else { return try evaluated(question) }
        do throws(Refusal) {
            return try evaluated(question).redacted(by: redactor)
        } catch {
            throw error.redacted(by: redactor)
        }
    }

    private func evaluated(_ question: Question) throws(Refusal) -> HTTPAnswer {
        if question.subject.isEvaluated { session.progress.begin() }
        let asked = try ExploreCommandLine(question, session)
        switch question.subject {
        case .captures: return HTTPAnswer(session.json)
        case .keys: return HTTPAnswer(try keys())
        case .answer: return try asked.report(.diff, try comparison(of: question))
        case .reasons: return HTTPAnswer(try reasons(asked))
        case .assumed: return try asked.report(.replay, try assumption(of: question))
        case .whatif: return try asked.report(.whatif, try options(["order", "cost"], of: question))
        case .exempt: return try whole(question).report(.search, try exemption(of: question))
        case .hygiene: return try asked.report(.lint, [])
        case .explain:
            return try asked.report(.explain, ["--device=\(try question.requiredText("device"))"])
        case .take: return try taken(asked, question)
        case .account: return HTTPAnswer(try switches(asked))
        case .devices: return HTTPAnswer(try devices(asked, question))
        case .matches: return HTTPAnswer(try matches(asked, question))
        case .check: return HTTPAnswer(try ExploreTyping.check(question, try asked.account().after))
        case .complete: return HTTPAnswer(ExploreTyping.completion(of: try question.requiredText("line")))
        case .progress: return HTTPAnswer(session.progress.json)
        case .end: return HTTPAnswer(.ordered([("version", .integer(1))]))
        }
    }

    // MARK: Command lines

    // Without a change the account is compared with itself.
    private func comparison(of question: Question) throws(Refusal) -> [String] {
        var words = try options(["who", "order", "count", "top"], of: question)
        if let level = session.arguments.word(of: ConfidenceOption.option) { words.append("--confidence=\(level)") }
        if try question.changes.isEmpty { words.append("\(ChangeOptions.candidate.name)=\(session.accountPath)") }
        return words
    }

    private func assumption(of question: Question) throws(Refusal) -> [String] {
        ["\(AssumptionOptions.assume.name)=\(try question.requiredText("assumption"))"]
    }

    // The same on all of the captures: others that an exemption lets in are not among the devices selected.
    private func whole(_ question: Question) throws(Refusal) -> ExploreCommandLine {
        try ExploreCommandLine(question, session, isWhole: true)
    }

    // Devices that are labelled bad stay out.
    private func exemption(of question: Question) throws(Refusal) -> [String] {
        try requireShown("an exemption")
        let account = try whole(question).account().after
        guard let expression = try question.narrowing().expression(under: account) else {
            throw .badField("narrow", "the search for exemptions cannot select such devices")
        }
        let bad = session.arguments.isSet(LabelOptions.labels) ? ["\(Command.butReject.name)=label:bad"] : []
        return ["\(Command.exempt.name)=\(expression)"] + bad
    }

    // The options of a command that have the names of members.
    private func options(_ names: [String], of question: Question) throws(Refusal) -> [String] {
        var words: [String] = []
        for name in names {
            if let text = try question.word(name) { words.append("--\(name)=\(text)") }
        }
        return words
    }

    private func taken(_ asked: ExploreCommandLine, _ question: Question) throws(Refusal) -> HTTPAnswer {
        let form = try question.requiredText("form")
        switch form {
        case "commands":
            return try shown(try question.changes.map { $0 + "\n" }.joined())
        case "diff":
            return try shown(try asked.line(of: .diff, comparison(of: question)))
        case "replay":
            return try shown(try asked.line(of: .replay, assumption(of: question)))
        case "search":
            return try shown(try whole(question).line(of: .search, exemption(of: question)))
        case "account":
            try requireShown("an account")
            return HTTPAnswer(
                status: 200, mediaType: "application/yaml; charset=utf-8", body: try asked.changedAccountFile())
        case "html":
            return try asked.report(.diff, try comparison(of: question), form: "html", type: "text/html; charset=utf-8")
        case "markdown":
            return try asked.report(
                .diff, try comparison(of: question), form: "markdown", type: "text/markdown; charset=utf-8")
        case "case":
            return try asked.report(
                .diff, try comparison(of: question) + deciding(asked), form: "html", type: "text/html; charset=utf-8")
        case "json": return try asked.report(.diff, try comparison(of: question))
        case "scenario":
            try requireShown("a scenario")
            return try asked.report(.record, [], form: nil, type: "application/yaml; charset=utf-8")
        default:
            throw .badField(
                "form", "there is no such form",
                hint: "commands, diff, replay, search, account, scenario, html, markdown, case or json"
            )
        }
    }

    // The steps of a rollout that nobody chose, and the number of other edits.
    private static let (steps, alternatives) = ("1%:6h,10%:1d,100%", 3)

    // The options of the page for those who decide: other edits where there are labels, and a rollout where sampling can bring
    // the change to a share of the devices.
    private func deciding(_ asked: ExploreCommandLine) throws(Refusal) -> [String] {
        var words: [String] = []
        if session.arguments.isSet(LabelOptions.labels) {
            words.append("\(CaseOptions.alternatives.name)=\(Self.alternatives)")
        }
        let accounts = try asked.account()
        do {
            _ = try RolloutPlan(from: accounts.before, to: accounts.after, in: RolloutStage.list(Self.steps))
            words.append("\(CaseOptions.rollout.name)=\(Self.steps)")
        } catch {
            guard words.isEmpty else { return words }
            throw Refusal(422, "without labels there are no other edits to show, and no rollout: \(error)")
        }
        return words
    }

    // Commands are typed elsewhere, where the short names of devices and people mean nothing.
    private func shown(_ lines: String) throws(Refusal) -> HTTPAnswer {
        guard session.redactor.map({ $0.text(lines) == lines }) ?? true else {
            throw Refusal(422, "these commands name devices or people, which are hidden here")
        }
        return HTTPAnswer(status: 200, mediaType: "text/plain; charset=utf-8", body: Array(lines.utf8))
    }

    // A file that names devices and people is of no use without them.
    private func requireShown(_ form: String) throws(Refusal) {
        guard session.redactor == nil else {
            throw Refusal(422, "\(form) names devices and people, which are hidden here")
        }
    }

    // MARK: Other questions

    private func keys() throws(Refusal) -> JSONValue {
        var diagnostics = Diagnostics()
        guard let keys = session.image.keys(diagnostics: &diagnostics) else { throw Refusal(diagnostics) }
        return .ordered([("keys", .array(keys.map(JSONValue.string)))])
    }

    private func switches(_ asked: ExploreCommandLine) throws(Refusal) -> JSONValue {
        let account = try asked.account().after
        let (counts, problems) = DeviceCounts.counted(try asked.request(under: account))
        guard let counts else { throw Refusal(problems) }
        return AccountSwitches(account, devices: counts, redactor: session.redactor).json
    }

    private func reasons(_ asked: ExploreCommandLine) throws(Refusal) -> JSONValue {
        let (failing, problems) = FailureReasons.counted(try asked.request(under: try asked.account().after))
        guard let failing else { throw Refusal(problems) }
        let reasons = failing.reasons.map { reason, devices in
            JSONValue.ordered([
                ("kind", .string(reason.kind.rawValue)), ("name", .string(reason.name)), ("devices", .integer(devices)),
            ])
        }
        return .ordered([
            ("version", .integer(1)), ("devices", .integer(failing.devices)), ("reasons", .array(reasons)),
        ])
    }

    private func devices(_ asked: ExploreCommandLine, _ question: Question) throws(Refusal) -> JSONValue {
        let kind = try question.text("kind").map(ChangedDevices.Kind.init(rawValue:)) ?? .newlyRejected
        guard let kind else {
            throw .badField("kind", "there is no such kind", hint: "newly-rejected or newly-accepted")
        }
        let order = try question.text("order").map(ChangedDevices.Order.init(rawValue:)) ?? .device
        guard let order else { throw .badField("order", "there is no such order", hint: "device, reason or time") }
        let offset = try question.integer("offset", in: 0...Int(Int32.max)) ?? 0
        let count = try question.integer("count", in: 1...200) ?? 50
        let accounts = try asked.account()
        let compared = ComparisonRequest(
            replay: try asked.request(under: accounts.before), after: accounts.after,
            decidedRules: accounts.decidedRules)
        let summary = CaptureComparison(compared).run()
        guard let comparison = summary.comparison else { throw Refusal(summary.diagnostics) }
        let changed = ChangedDevices(kind, of: comparison, labels: try asked.labels())
        let page = changed.page(offset..<offset + count, order, of: compared)
        guard let json = page.json else { throw Refusal(page.diagnostics) }
        return json
    }

    private func matches(_ asked: ExploreCommandLine, _ question: Question) throws(Refusal) -> JSONValue {
        let key: RecordKey
        let test: Filter.Test
        let (name, value) = (try question.requiredText("key"), try question.requiredText("value"))
        do throws(RecordKeyError) {
            key = try RecordKey(name)
        } catch {
            throw .badField("key", error.description, hint: error.hint)
        }
        let isRegex = try question.isTrue("regex")
        do throws(PatternError) {
            test = isRegex ? .regex(key: name, pattern: try Pattern(value)) : .exact(key: name, value: value)
        } catch {
            var refusal = Refusal(422, error.reason, field: "value", hint: error.hint)
            refusal.column = String(decoding: value.utf8.prefix(error.offset), as: UTF8.self).utf16.count + 1
            throw refusal
        }
        let values = try session.values(of: key, try asked.request(under: Account()))
        return values.matches(test, redactor: session.redactor)
    }
}

extension HTTPAnswer {
    fileprivate func redacted(by redactor: Redactor) -> HTTPAnswer {
        var answer = HTTPAnswer(status: status, mediaType: mediaType, body: redactor.bytes(body))
        answer.headers = headers.map { HTTPRequest.Field($0.name, redactor.text($0.value)) }
        return answer
    }
}

extension Refusal {
    fileprivate func redacted(by redactor: Redactor) -> Refusal {
        var refusal = Refusal(status, redactor.text(message), field: field, hint: hint.map { redactor.text($0) })
        (refusal.column, refusal.headers) = (column, headers)
        return refusal
    }
}
