internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Comparison {
    /// The comparison in sections: the one sentence that a decision needs, then the rest, most important first.
    package var sections: [ReportSection] { sections(timeline: nil) }

    /// The same with the timeline of a change that is made during a scenario.
    func sections(timeline: ChangeTimeline?) -> [ReportSection] {
        ComparisonSections(self).all(timeline: timeline).narrowed(to: narrowed)
    }
}

/// Puts a comparison into sections.
struct ComparisonSections {
    let comparison: Comparison
    let changes: ComparisonFigures

    init(_ comparison: Comparison) {
        self.comparison = comparison
        changes = comparison.changes
    }

    /// The sentence that decides, and all sections of a text.
    func all(timeline: ChangeTimeline?) -> [ReportSection] {
        [ReportSection(.notice(ReportText(headline, .strong)))] + body(timeline: timeline, times: [])
    }

    /// The sections behind the result: the reasons, who is hit and when, what labels say, how sure it is, and the grounds;
    /// without sections that have nothing to say.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - times: The verdicts by hour or by day.
    func body(timeline: ChangeTimeline?, times: [ReportSection]) -> [ReportSection] {
        let (rejected, accepted) = (
            ChangeGroups(changes.rejected, .worse, of: self), ChangeGroups(changes.accepted, .better, of: self)
        )
        let sections: [[ReportSection]] = [
            .assumed(comparison.assumed), timeline?.sections ?? [], rejected.reasons, times.map { $0.placed(.half) },
            rejected.groups + comparison.rejectedValues, comparison.hits?.sections ?? [], accepted.reasons,
            accepted.groups + comparison.acceptedValues, changes.clients?.sections ?? [], comparison.labelSections,
            comparison.intervals.map { [$0.section.placed(.half)] } ?? [], rejected.examples, accepted.examples,
            [reproduction, policy, lifetimes, annotations, unknownFlags, grounds].map { $0.placed(.half) },
            comparison.driftSections,
        ]
        return sections.flatMap(\.self).filter { !$0.isBare }
    }

    // The unit of the comparison, of one and of several.
    var units: (one: String, several: String) {
        if comparison.isCapture { return ("attestation", "attestations") }
        let makesCalls = [.secureString, .customToken].contains { changes.clients?[$0] != nil }
        return makesCalls ? ("fetch or call", "fetches and calls") : ("fetch", "fetches")
    }

    private var unit: String { units.several }
}

extension Comparison {
    /// The sentence on a change that is none.
    static let equality = "the change leaves the account as it is"

    /// The verdicts on labelled devices; nothing where there are no labels.
    var labelSections: [ReportSection] {
        changes.labels?.comparedSections(cost: labelCost, at: confidence ?? .usual) ?? []
    }
}

// MARK: Headline

extension ComparisonSections {
    /// The sentence that says what the change would do.
    var headline: String {
        let worse = sentences(.worse) { $0.kind != .token }
        let losesTokens = losing > 0 || worse.isEmpty
        // Changes for the worse come first (R19a).
        let all =
            (losesTokens ? [stop, start] + worse : worse + [stop, start])
            + sentences(.better) { $0.kind != .token } + sentences(.other) { _ in true }
            + [changes.fetchSentence]
            + [comparison.annotationChange].compactMap(\.self) + unevaluatedDevices
        // Unknown effects may add to these devices, and take away from them.
        return condition + all.joined(separator: "; ")
    }

    /// The words in front of an answer that does not hold as it is.
    var condition: String {
        (comparison.assumed == nil ? "" : "with the assumed signals, ")
            + (comparison.certainty == .open ? "as far as is known, " : "")
    }

    func sentences(
        _ effect: ClientChanges.Effect, where isSaid: (ClientChanges.Part) -> Bool
    ) -> [String] {
        (changes.clients?.changing(effect) ?? []).filter(isSaid).map { comparison.sentence(of: $0, effect) }
    }

    private var clients: ClientChanges? { changes.clients }

    // The devices that newly fail to get a valid token at some time, and those that newly get one.
    var losing: Int {
        max(changes.lockedOut, clients.map { $0[.token]?.worse.devices ?? 0 } ?? changes.rejected.devices)
    }
    var gaining: Int {
        max(changes.letIn, clients.map { $0[.token]?.better.devices ?? 0 } ?? changes.accepted.devices)
    }

    private var stop: String {
        let always = changes.lockedOut
        return losing > always
            ? "\(share(losing)) would get no valid tokens at times, \(number(always)) would stop getting them"
            : "\(share(always, open: changes.openTurns)) would stop getting valid tokens"
    }

    private var start: String {
        let always = changes.letIn
        return gaining > always
            ? "\(others(gaining)) would get valid tokens at more times, \(number(always)) would start"
            : "\(others(always, open: changes.openTurns)) would start"
    }

    // `104 of 2,000 devices (5.2 %, 95 %: 4.3–6.3 %)`; with an interval if a level was given. Open devices may count besides.
    private func share(_ devices: Int, open: Int = 0) -> String {
        let all = changes.devices
        let interval = comparison.intervalWords(of: devices, open: open)
        guard devices > 0 || unknown != nil else {
            return "no device of \(all.grouped)\(interval.map { " (\($0))" } ?? "")"
        }
        let most = unknown.map { " to \((devices + $0).share(of: all))" } ?? ""
        return "\(number(devices)) of \(all.counting("device")) "
            + "(\(devices.share(of: all))\(most)\(interval.map { ", \($0)" } ?? ""))"
    }

    // The same behind the number of all devices: `3 (0.2 %, 95 %: 0.1–0.4 %)`.
    private func others(_ devices: Int, open: Int = 0) -> String {
        guard let interval = comparison.interval(of: devices, open: open),
            let words = comparison.intervalWords(of: devices, open: open)
        else { return number(devices) }
        if unknown != nil { return "\(number(devices)) (\(words))" }
        return devices == 0
            ? ShareText.interval(interval, digits: 2)
            : "\(number(devices)) (\(devices.share(of: changes.devices)), \(words))"
    }

    // `3`, or `none`, or `between 3 and 15`.
    func number(_ devices: Int) -> String {
        if let unknown { return "between \(devices.grouped) and \((devices + unknown).grouped)" }
        return devices == 0 ? "none" : devices.grouped
    }

    // The number of devices of which nothing is known, where it bounds the numbers.
    var unknown: Int? {
        if case .bounded(let unevaluated) = comparison.certainty { unevaluated } else { nil }
    }

    /// The sentence on devices that are not evaluated; none where all are.
    var unevaluatedDevices: [String] {
        let (out, all) = (changes.unevaluated.devices, changes.devices)
        return out == 0 ? [] : ["\(out.grouped) (\(out.share(of: all))) \(out.agreeing("is", "are")) not evaluated"]
    }
}

extension ComparisonFigures {
    /// The change of the number of token fetches, as a sentence.
    var fetchSentence: String {
        if let (before, after) = attested, (before == 0) != (after == 0) {
            return after == 0 ? "token fetches end" : "token fetches begin"
        }
        guard let times = fetchTimes else { return "token fetches stay as they are" }
        return "token fetches \(expectedFetchesPerMille > 1000 ? "rise" : "fall") \(times)"
    }

    /// The ratio of token fetches after the change to those before it: `1.4×`; `nil` where they are about as many.
    var fetchTimes: String? {
        if (995...1004).contains(expectedFetchesPerMille) { return nil }
        let hundredths = (expectedFetchesPerMille + 5) / 10
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
        return rest == 0 ? "\(whole)×" : "\(whole).\(digits)×"
    }
}

extension Comparison {
    /// The sentence that says how many tokens get other annotations; `nil` where none does.
    var annotationChange: String? {
        let (count, unknown, all) = (
            changes.annotations.events, changes.events - changes.evaluatedEvents, changes.events
        )
        guard count > 0 else { return nil }
        let tokens = isCapture ? "tokens" : "fetched tokens"
        guard unknown > 0 else {
            return "annotations change on \(count.grouped) of \(all.grouped) \(tokens) (\(count.share(of: all)))"
        }
        return "annotations change on between \(count.grouped) and \((count + unknown).grouped) of \(all.grouped) "
            + "\(tokens) (\(count.share(of: all)) to \((count + unknown).share(of: all)))"
    }
}

// MARK: Sections

extension ComparisonSections {
    // Below this share of captured verdicts that the account before gives, it is probably not the account of the capture.
    private static let reproducedPerMille = 950

    /// The differences of the account before from the capture, where they are many: figures of an account that is not the
    /// capture's own mean little.
    private var reproduction: ReportSection {
        let title = ReportSection.Heading.title("The account before does not reproduce the capture")
        guard let reproduced = comparison.before.figures.reproduced,
            reproduced.agreed * 1000 < reproduced.compared * Self.reproducedPerMille
        else { return ReportSection(title) }
        let columns: [ReportTable.Column] = [
            .text("captured"), .text("this account"), .figure("records"), .text("first device"),
        ]
        let rows: [[ReportTable.Cell]] = changes.disagreements.map { disagreement in
            let names = disagreement.verdict.names.joined(separator: ", ")
            let (captured, mine) =
                switch disagreement.verdict {
                case .fails: ("passed", "fails: \(names)")
                case .passes: ("failed", names.isEmpty ? "passes" : "passes with \(names)")
                }
            return [
                .text(captured), .text(mine), .number(disagreement.attestations),
                .code(disagreement.example.description),
            ]
        }
        return ReportSection(
            title, sentences: ["is it the account of the capture?"], table: ReportTable(columns, rows))
    }

    /// The difference between the policies.
    private var policy: ReportSection {
        let (before, after) = (comparison.policies.before, comparison.policies.after)
        let difference = comparison.difference
        let sentences =
            before == after && difference.isEmpty
            ? ["\(before), before and after"] : ["before: \(before)", "after:  \(after)"]
        let equality = comparison.isOfEqualAccounts ? [Comparison.equality] : []
        let rows: [[ReportTable.Cell]] = difference.flags.map {
            [.text($0.name), .text($0.before.rawValue), .text($0.after.rawValue)]
        }
        return ReportSection(
            .title("Policy"), sentences: (sentences + difference.others + equality).map { ReportText($0) },
            table: rows.isEmpty ? nil : ReportTable([.text("flag"), .text("before"), .text("after")], rows))
    }

    /// The grounds of the answer.
    var grounds: ReportSection {
        let names = ["Devices", "Reproduction"]
        var section = ReportSection(.title("What this rests on"))
        section.terms = zip(names, comparison.grounds).map { .init($0, ReportText($1)) }
        section.terms += comparison.unevaluated.map { .init("Not shown", ReportText($0)) }
        section.terms += changes.decidedRules.lines.map { .init("Rules", $0) }
        if comparison.isCapture, comparison.confidence == nil { section.terms.append(Intervals.withoutTerm) }
        return section
    }

    private var lifetimes: ReportSection {
        let rows: [[ReportTable.Cell]] = changes.lifetimes.map {
            [
                .seconds($0.before), .seconds($0.after), .number($0.events),
                .share($0.events, of: changes.events),
            ]
        }
        var sentences: [ReportText] = []
        if let perDay = changes.attestationsPerDay {
            let after = perDay.scaled(by: changes.expectedFetchesPerMille, over: 1000)
            sentences = ["token fetches a day: \(perDay.grouped) before, \(after.grouped) expected after"]
        }
        let columns: [ReportTable.Column] = [.text("before"), .figure("after"), .figure(unit), .figure("share")]
        return ReportSection(.title("Token lifetimes"), sentences: sentences, table: ReportTable(columns, rows))
    }

    private var annotations: ReportSection {
        let title = ReportSection.Heading.title("Annotations")
        let changes = changes.annotations
        guard changes.events > 0 else { return ReportSection(title) }
        var sentences: [ReportText] = []
        if changes.appearing > 0 { sentences.append("\(changes.appearing.grouped) \(tokens) newly have the claim") }
        if changes.disappearing > 0 {
            sentences.append("\(changes.disappearing.grouped) \(tokens) have the claim no longer")
        }
        let rows: [[ReportTable.Cell]] = Self.names(changes.gained, changes.lost).map {
            [.text($0), .number(changes.gained[$0] ?? 0), .number(changes.lost[$0] ?? 0)]
        }
        let columns: [ReportTable.Column] = [.text("flag"), .figure("newly named"), .figure("no longer named")]
        return ReportSection(
            title, sentences: sentences, table: rows.isEmpty ? nil : ReportTable(columns, rows))
    }

    // A cached token counts at each fetch that returns it.
    private var tokens: String { comparison.isCapture ? "tokens" : "fetched tokens" }

    private var unknownFlags: ReportSection {
        let (before, after) = (comparison.before.figures.unknownFlags, comparison.after.figures.unknownFlags)
        let rows: [[ReportTable.Cell]] = Self.names(before, after).map { name in
            let side =
                switch (before[name], after[name]) {
                case (.some, .some): "before and after"
                case (.some, nil): "before"
                default: "after"
                }
            return [.text(name), .number(before[name] ?? after[name] ?? 0), .text(side)]
        }
        let columns: [ReportTable.Column] = [.text("flag"), .figure("attestations"), .text("unknown")]
        return ReportSection(.title("Flags that no policy knows"), table: ReportTable(columns, rows))
    }

    // The names of both, in the order of their bytes.
    private static func names(_ first: NamedCounts, _ second: NamedCounts) -> [String] {
        Set((first.keys + second.keys).map { ExactText($0) }).sorted().map(\.text)
    }
}

extension Comparison {
    /// The line about whether the captures are still like older ones.
    var driftSections: [ReportSection] {
        drift.map { [ReportSection(.title("The capture and an older one"), sentences: [ReportText($0.line)])] } ?? []
    }
}
