internal import Documents
package import Figures
internal import PolicyEngine
internal import Scenarios

extension Comparison {
    /// The comparison as a page: the card that decides, the devices that change sides and why, when, and then the rest.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - limits: The caller's limits.
    ///   - origin: The origin of the comparison.
    func page(timeline: ChangeTimeline?, limits: [LimitResult], origin: ReportOrigin) -> ReportPage {
        let parts = ComparisonSections(self)
        let changed =
            ChangeGroups(changes.rejected, .worse, of: self).sections + rejectedValues + (hits?.sections ?? [])
            + ChangeGroups(changes.accepted, .better, of: self).sections + acceptedValues
        let sections =
            changed + labelSections + (intervals.map { [$0.section] } ?? []) + clientSections
            + (timeline?.sections ?? []) + times(change: timeline?.inForce)
            + parts.reproduction
            + parts.policy(namesEquality: false) + parts.others + driftSections
        return ReportPage(
            title: title, scope: [origin.part].compactMap(\.self) + narrowed.scope + scope, card: card(limits),
            sections: sections.filter { !$0.isBare } + ReportSection.explanation(explanation(origin))
                + origin.sections, origin: origin)
    }

    private var scope: [String] {
        SpanWords.scope(of: before.figures.hours, after.figures.hours) + [changes.devices.counting("device")]
    }

    private var title: String { policies.title(of: account, isChange: !isOfEqualAccounts) }

    private func times(change: Instant?) -> [ReportSection] {
        let sides = [before.figures, after.figures]
        let windows = before.figures.windows.merging(after.figures.windows) { $0 + $1 }
        guard let times = TimeSections(windows) else { return [] }
        return [times.attestations(sides, change: change), times.devices(sides, change: change)].compactMap(\.self)
    }
}

extension ComparedAccounts.Policies {
    /// The change as a title: `example-bank: default → strict`.
    ///
    /// - Parameters:
    ///   - account: The name of the account; empty if it has none.
    ///   - isChange: False if the accounts differ in nothing.
    func title(of account: String, isChange: Bool) -> String {
        let (old, new) = (before.split(separator: ","), after.split(separator: ","))
        let isByPart = old.count == new.count
        let parts = zip(old, new).filter { !isByPart || $0 != $1 }
        let (first, second) = (parts.map(\.0).joined(separator: ","), parts.map(\.1).joined(separator: ","))
        let other = isChange ? "change of the account" : "no change"
        let change = before == after ? other : "\(first) → \(second)"
        return account.isEmpty ? change : "\(account): \(change)"
    }
}

// MARK: Card

extension Comparison {
    // The figures that decide, the worst first (R19a), and what they rest on.
    private func card(_ limits: [LimitResult]) -> ReportCard {
        let (losses, gains) = (facts(.worse, .bad), facts(.better, .good))
        let verdicts = changes.rejected.devices == 0 ? losses + [rejected] : [rejected] + losses
        let unevaluated = ReportCard.Fact(
            changes.unevaluated.devices, of: changes.devices, "devices", "not evaluated")
        let fetches = changes.fetchTimes.map { [ReportCard.Fact($0, "as many token fetches as before")] }
        let unchanged: [ReportText] = fetches == nil && evaluatesAnything ? [ReportText(changes.fetchSentence)] : []
        return ReportCard(
            verdict: evaluatesAnything ? LimitResult.verdict(limits) : "Nothing was evaluated",
            facts: verdicts + labelled + [accepted] + gains + facts(.other, .plain) + [annotated] + (fetches ?? [])
                + [unevaluated],
            notes: limits.map(\.line) + (isOfEqualAccounts ? [ReportText(Self.equality)] : []) + unchanged
                + (isCapture && confidence == nil ? Intervals.without.sentences : [])
                + grounds.dropFirst(certainty == .exact ? 1 : 0).map { ReportText($0) } + changes.decidedRules.lines)
    }

    // The changes beside those of tokens, which the devices newly rejected and accepted show.
    private func facts(_ effect: ClientChanges.Effect, _ emphasis: ReportText.Emphasis) -> [ReportCard.Fact] {
        (changes.clients?.changing(effect) ?? []).filter { $0.kind != .token }.map { part in
            ReportCard.Fact(part[effect].devices.grouped, words(of: part, effect), emphasis)
        }
    }

    private var rejected: ReportCard.Fact {
        .init(
            changes.rejected.devices, of: changes.devices, "devices",
            "newly rejected" + consequence(changes.rejected, changes.lockedOut, "stop getting valid tokens"),
            more: changes.unevaluated.devices, interval: intervalWords(of: changes.rejected.devices), .bad)
    }

    // The good devices among them are those for whose sake a change is not made.
    private var labelled: [ReportCard.Fact] {
        guard let after = changes.labels?.lanes.last, changes.rejected.devices > 0 else { return [] }
        return [
            .init(
                after.good.newlyRejected.grouped,
                "of these \(after.good.newlyRejected.agreeing("is", "are")) labelled good, "
                    + "\(after.bad.newlyRejected.grouped) bad", .bad)
        ]
    }

    private var accepted: ReportCard.Fact {
        .init(
            changes.accepted.devices, of: changes.devices, "devices",
            "newly accepted" + consequence(changes.accepted, changes.letIn, "start getting valid tokens"),
            more: changes.unevaluated.devices, interval: intervalWords(of: changes.accepted.devices), .good)
    }

    // A device may pass at other times.
    private func consequence(_ change: ChangeFigures, _ turned: Int, _ words: String) -> String {
        if change.devices == 0, turned == 0 { return "" }
        if change.devices == turned { return ": \(turned.agreeing("it", "they")) would \(words)" }
        return ", of which \(turned == 0 ? "none" : turned.grouped) would \(words)"
    }

    private var annotated: ReportCard.Fact {
        .init(
            changes.annotations.events, of: changes.events, isCapture ? "tokens" : "fetched tokens",
            "with other annotations", more: changes.events - changes.evaluatedEvents)
    }

    /// The changes of what clients get beside tokens (R19a); nothing if there are none, and for captures.
    var clientSections: [ReportSection] { changes.clients?.sections ?? [] }

    /// The changes of one kind in one way, and the number of devices that have them: one sentence, without its end.
    package func sentence(of part: ClientChanges.Part, _ effect: ClientChanges.Effect = .worse) -> String {
        "\(part[effect].devices.grouped) \(words(of: part, effect))"
    }

    // The same sentence behind the number of devices.
    private func words(of part: ClientChanges.Part, _ effect: ClientChanges.Effect) -> String {
        let (count, all) = (part[effect].devices, changes.devices)
        let change =
            switch effect {
            case .worse: Self.loss(part)
            case .better: Self.gain(part.kind)
            case .other: Self.otherwise(part)
            }
        return "of \(all.counting("device")) (\(count.share(of: all))) would \(change)"
    }

    private static func loss(_ part: ClientChanges.Part) -> String {
        switch part.kind {
        case .token: "get no valid tokens"
        case .request: "have requests no longer accepted (\(results(of: part, .worse)))"
        case .secureString: "no longer get secure strings"
        case .customToken: "no longer get custom JWTs"
        case .proof: "no longer prove measurements"
        }
    }

    private static func gain(_ kind: ClientChanges.Kind) -> String {
        switch kind {
        case .token: "get valid tokens at more times"
        case .request: "have requests newly accepted"
        case .secureString: "newly get secure strings"
        case .customToken: "newly get custom JWTs"
        case .proof: "newly prove measurements"
        }
    }

    private static func otherwise(_ part: ClientChanges.Part) -> String {
        let results = Self.results(of: part, .other)
        return switch part.kind {
        case .token: "get no valid tokens for another reason (\(results))"
        case .request: "have requests with another outcome (\(results))"
        case .secureString: "get another answer to calls for secure strings (\(results))"
        case .customToken: "get another answer to calls for custom JWTs (\(results))"
        case .proof: "get another answer to proofs (\(results))"
        }
    }

    // `blocked: 90, refused: 10`, by devices.
    private static func results(of part: ClientChanges.Part, _ effect: ClientChanges.Effect) -> String {
        part.differences.filter { $0.effect == effect }.map { "\($0.after): \($0.count.devices.grouped)" }
            .joined(separator: ", ")
    }
}
