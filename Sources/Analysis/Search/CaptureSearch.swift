internal import Accounts
package import Documents
internal import Figures
internal import PolicyEngine
package import Replay

/// Searches captures for the edits of an account that reject and keep what they have to.
package struct CaptureSearch {
    private let question: SearchQuestion
    private let request: ReplayRequest
    private let deadline: ContinuousClock.Instant
    private let progress: Progress
    // The attributes that the account and the question look at.
    private let keys: [String]
    // Runs the patterns of the question and of all edits.
    private let patterns: PatternMatcher

    /// The errors and warnings about the captures, and then about the expressions, so far.
    package private(set) var diagnostics = Diagnostics()
    /// Why filters were left out of the search, so far.
    package private(set) var leftOut: [String] = []

    /// The seconds that a search may take by default.
    package static let usualSeconds = 60

    /// - Parameters:
    ///   - question: The conditions that the edits have to meet.
    ///   - request: The captures, which are read more than once, how they are read, and the account.
    ///   - seconds: The time from now on that reading, searching and comparing may take together.
    ///   - progress: Shows from time to time how far the first reading is.
    package init(_ question: SearchQuestion, _ request: ReplayRequest, seconds: Int, progress: Progress) {
        (self.question, self.progress) = (question, progress)
        deadline = .now + .seconds(seconds)
        var request = request
        request.deadline = deadline
        self.request = request
        keys = CaptureRecords.keys(for: request.account) + question.keys
        patterns = PatternMatcher(keepsAll: true, deadline: deadline)
    }

    /// Reads the captures, tries the edits, and confirms each answer by a comparison.
    package mutating func run() -> Result<SearchAnswers, SearchFailure> {
        do throws(SearchFailure) {
            return .success(try answers())
        } catch {
            return .failure(error)
        }
    }

    private mutating func answers() throws(SearchFailure) -> SearchAnswers {
        let all = try read()
        let labelled = try labelled(all)
        let question = question.resolved(labelled)
        let holdOut = try question.holdOut.map { start throws(SearchFailure) in try HoldOut(all, from: start) }
        let records = holdOut.map { Array(all[..<$0.first]) } ?? all
        var selection = try RecordSelection(question, records, by: patterns, deadline: deadline)
        if question.mode == .narrowestExemption {
            selection.excusePassing(records)
            return try exemptions(question, records, selection)
        }
        let choice = try EditChoice(question.mode, request.account, records, selection)
        leftOut = choice.leftOut
        let found = try EditSearch(
            question: question, records: records, selection: selection, labelled: labelled, choice: choice,
            patterns: patterns,
            deadline: deadline
        ).run()
        guard !found.answers.isEmpty || leftOut.isEmpty else { throw .leftOut }
        var answers = SearchAnswers(
            question, selection, labelled?.figures, account: request.account.name,
            devices: holdOut?.devices ?? found.devices, tried: found.tried)
        answers.heldOut = holdOut?.summary
        // Records of both parts, for what the expressions select in the held-out one.
        let whole = try holdOut.map { _ throws(SearchFailure) in
            try RecordSelection(question, all, by: patterns, deadline: deadline)
        }
        for answer in found.answers {
            let commands = answer.edits.map { choice.commands[$0] }
            let (confirmed, records) = try confirmed(answer, commands, question, labelled, before: holdOut)
            guard let holdOut, let whole else {
                answers.add(confirmed)
                continue
            }
            answers.add(
                holdOut.answer(
                    commands, records, whole, labelled, asksForBad: question.needed.contains(.bad)))
        }
        if holdOut != nil, let limit = question.limit { answers.keep(within: limit) }
        guard !request.isLate else { throw .late }
        return answers
    }

    // The narrowest exemptions, each tried anew: record by record, and as a comparison.
    private mutating func exemptions(
        _ question: SearchQuestion, _ records: [KeptRecord], _ selection: RecordSelection
    ) throws(SearchFailure) -> SearchAnswers {
        let found = try ExemptionSearch(
            account: request.account, records: records, selection: selection, patterns: patterns, deadline: deadline
        ).run()
        leftOut = found.leftOut
        let devices = Set(records.map(\.device)).count
        var answers = SearchAnswers(
            question, selection, nil, account: request.account.name, devices: devices, tried: found.tried)
        for answer in found.answers.prefix(SearchAnswers.exemptions) {
            answers.add(try confirmed(answer, records, selection))
        }
        if !found.answers.isEmpty {
            let asked = selection.asked.map { records[$0].device }
            let others = OtherDevices(question: question, asked: Set(asked), deadline: deadline)
            let (index, proof) = others.safest(of: found.answers, from: request.account)
            if index > 0 { answers.prefer(try confirmed(found.answers[index], records, selection), at: index) }
            answers.others = proof
        }
        guard !request.isLate else { throw .late }
        return answers
    }

    private func confirmed(
        _ answer: ExemptionSearch.Answer, _ before: [KeptRecord], _ selection: RecordSelection
    ) throws(SearchFailure) -> SearchAnswers.Answer {
        var edited = request
        edited.account = answer.account
        let after = KeptRecords.evaluated(edited, keys: []).records
        let summary = CaptureComparison(ComparisonRequest(replay: request, after: answer.account)).run()
        let result = answer.result
        guard after.count == before.count, selection.isMet(by: after), let changes = summary.comparison?.changes else {
            throw request.isLate ? .late : .disagreement
        }
        let asked = selection.asked
        let remaining = Set(asked.filter { !after[$0].passed || !after[$0].isEvaluated }.map { before[$0].device })
        let failing = Set(asked.filter { !before[$0].passed }.map { before[$0].device })
        guard remaining.count == result.remaining else { throw .disagreement }
        var confirmed = SearchAnswers.Answer(
            commands: answer.commands, rejected: changes.rejected.devices, besides: changes.rejected.devices,
            accepted: changes.accepted.devices, unevaluated: changes.unevaluated.devices, labels: nil)
        confirmed.exempted = (failing.subtracting(remaining).count, remaining.count, result.others)
        return confirmed
    }

    private mutating func read() throws(SearchFailure) -> [KeptRecord] {
        let kept = KeptRecords.evaluated(request, keys: keys, progress: progress)
        guard !request.isLate else { throw .late }
        diagnostics.merge(kept.diagnostics)
        guard !diagnostics.hasErrors else { throw .refused }
        diagnostics.add(question.unknownNames(among: kept.records, request.account))
        guard !diagnostics.hasErrors else { throw .refused }
        return kept.records
    }

    // The labels of the devices; `nil` where nothing asks for them.
    private mutating func labelled(_ records: [KeptRecord]) throws(SearchFailure) -> LabelledDevices? {
        guard let labels = question.labels else { return nil }
        let labelled = LabelledDevices(labels, records)
        diagnostics.add(labelled.figures.problems(in: labels.path))
        guard !diagnostics.hasErrors else { throw .refused }
        for label in question.needed where labelled.devices(label).isEmpty { throw .unlabelled(label) }
        return labelled
    }

    // The answer, tried anew: record by record, and as a comparison.
    private func confirmed(
        _ answer: EditSearch.Answer, _ commands: [ManagementCommand], _ question: SearchQuestion,
        _ labelled: LabelledDevices?, before holdOut: HoldOut?
    ) throws(SearchFailure) -> (SearchAnswers.Answer, records: [KeptRecord]) {
        var edited = request
        edited.account = answer.account
        let records = KeptRecords.evaluated(edited, keys: keys).records
        let searched = Array(records[..<min(holdOut?.first ?? records.count, records.count)])
        let selection = try? RecordSelection(question, searched, by: patterns, deadline: deadline)
        let summary = CaptureComparison(ComparisonRequest(replay: request, after: answer.account)).run()
        let outcome = labelled.map { LabelOutcome(searched, $0) }
        guard let selection, selection.isMet(by: searched), outcome == labelled.map({ _ in answer.result.labels }),
            let changes = summary.comparison?.changes
        else {
            throw request.isLate ? .late : .disagreement
        }
        let confirmed = SearchAnswers.Answer(
            commands: commands, rejected: changes.rejected.devices, besides: answer.result.rejected,
            accepted: changes.accepted.devices, unevaluated: changes.unevaluated.devices, labels: outcome)
        return (confirmed, records)
    }
}

/// The later part of captures, on which the answers of a search are reported, but not looked for.
///
/// Devices are remembered from the part before, as they will be when the answer is used.
struct HoldOut {
    /// The index of its first record.
    let first: Int
    /// The number of its devices.
    let devices: Int
    let summary: SearchAnswers.HeldOut
    // Under the account as it is.
    private let records: [KeptRecord]

    /// - Parameters:
    ///   - records: All records under the account as it is, in the order of time.
    ///   - start: The start of the part.
    /// - Throws: ``SearchFailure/nothingHeldOut`` if all records are on one side of it.
    init(_ records: [KeptRecord], from start: Instant) throws(SearchFailure) {
        let first = records.firstIndex { $0.time >= start } ?? records.count
        guard first > 0, first < records.count else { throw .nothingHeldOut }
        let (before, after) = (Set(records[..<first].map(\.device)), Set(records[first...].map(\.device)))
        (self.first, self.records, devices) = (first, records, after.count)
        summary = SearchAnswers.HeldOut(start: start, seenBefore: before.intersection(after).count)
    }

    /// An answer with its effects on the held-out part.
    ///
    /// - Parameters:
    ///   - commands: The edits.
    ///   - edited: The records under the edited account.
    ///   - selection: The question's answer on each record.
    ///   - labelled: The labels of the devices; `nil` for none.
    ///   - asksForBad: True if it is asked for that devices are rejected that are labelled bad.
    func answer(
        _ commands: [ManagementCommand], _ edited: [KeptRecord], _ selection: RecordSelection,
        _ labelled: LabelledDevices?, asksForBad: Bool
    ) -> SearchAnswers.Answer {
        var (rejected, besides, accepted): (Set<DeviceID>, Set<DeviceID>, Set<DeviceID>) = ([], [], [])
        var (passing, failing, unknown): (Set<DeviceID>, Set<DeviceID>, Set<DeviceID>) = ([], [], [])
        let unevaluated = records.unevaluatedDevices.union(edited.unevaluatedDevices)
        for index in first..<min(records.count, edited.count) {
            let (device, before, after) = (records[index].device, records[index].passed, edited[index].passed)
            let (mustFail, mustPass) = (selection.rejecting[index], selection.keeping[index])
            if unevaluated.contains(device) {
                unknown.insert(device)
                // The worst case.
                if mustFail { passing.insert(device) }
                if mustPass { failing.insert(device) }
                continue
            }
            if before, !after {
                rejected.insert(device)
                let isAskedFor = asksForBad && labelled?[device] == .bad
                if !mustFail, !mustPass, !isAskedFor { besides.insert(device) }
            }
            if !before, after { accepted.insert(device) }
            if after, mustFail { passing.insert(device) }
            if !after, mustPass { failing.insert(device) }
        }
        return SearchAnswers.Answer(
            commands: commands, rejected: rejected.count, besides: besides.count, accepted: accepted.count,
            unevaluated: unknown.count, labels: labelled.map { LabelOutcome(edited, from: first, $0) },
            unmet: (passing.count, failing.count))
    }
}
