internal import Documents
internal import Figures
internal import PolicyEngine

extension Comparison {
    /// The comparison in sections: the one sentence that a decision needs, then the rest, most important first.
    package var sections: [ReportSection] { ComparisonSections(self).all.narrowed(to: narrowed) }
}

/// Puts a comparison into sections.
struct ComparisonSections {
    private let comparison: Comparison
    private let changes: ComparisonFigures

    init(_ comparison: Comparison) {
        self.comparison = comparison
        changes = comparison.changes
    }

    /// All sections, without those that have nothing to say.
    var all: [ReportSection] {
        let sections = [
            comparison.intervals.map { [$0.section] } ?? [], reproduction, policy(namesEquality: true),
            comparison.labelSections,
            changed("Newly rejected", changes.rejected, to: "fail"), comparison.rejectedValues,
            comparison.hits?.sections ?? [],
            changed("Newly accepted", changes.accepted, to: "pass"), comparison.acceptedValues,
            comparison.clientSections, others,
            comparison.driftSections,
        ]
        return [ReportSection(.notice(ReportText(headline, .strong)), sentences: changes.decidedRules.lines)]
            + sections.flatMap(\.self).filter { !$0.isBare }
            + (comparison.isCapture && comparison.confidence == nil ? [Intervals.without] : [])
    }

    /// The sections on everything but verdicts.
    var others: [ReportSection] { [lifetimes, annotations, unknownFlags, unevaluated] }

    // The unit of the comparison, of one and of several.
    private var units: (one: String, several: String) {
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
        return (comparison.certainty == .open ? "as far as is known, " : "") + all.joined(separator: "; ")
    }

    private func sentences(
        _ effect: ClientChanges.Effect, where isSaid: (ClientChanges.Part) -> Bool
    ) -> [String] {
        (changes.clients?.changing(effect) ?? []).filter(isSaid).map { comparison.sentence(of: $0, effect) }
    }

    private var clients: ClientChanges? { changes.clients }

    // The devices that newly fail to get a valid token at some time, and those that newly get one.
    private var losing: Int {
        max(changes.lockedOut, clients.map { $0[.token]?.worse.devices ?? 0 } ?? changes.rejected.devices)
    }
    private var gaining: Int {
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
    private func number(_ devices: Int) -> String {
        if let unknown { return "between \(devices.grouped) and \((devices + unknown).grouped)" }
        return devices == 0 ? "none" : devices.grouped
    }

    // The number of devices of which nothing is known, where it bounds the numbers.
    private var unknown: Int? {
        if case .bounded(let unevaluated) = comparison.certainty { unevaluated } else { nil }
    }

    private var unevaluatedDevices: [String] {
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
    /// The differences of the account before from the capture: figures of an account that is not its own mean little.
    var reproduction: [ReportSection] {
        guard let reproduced = comparison.before.figures.reproduced, reproduced.agreed < reproduced.compared else {
            return []
        }
        let wrong = reproduced.compared - reproduced.agreed
        let sentence =
            "\(wrong.grouped) of \(reproduced.compared.grouped) captured verdicts "
            + "(\(wrong.share(of: reproduced.compared))) differ from those of this account; "
            + "is it the account of the capture?"
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
        return [
            ReportSection(
                .title("The account before does not reproduce the capture"), sentences: [ReportText(sentence)],
                table: ReportTable(columns, rows))
        ]
    }

    /// The difference between the policies.
    ///
    /// - Parameter namesEquality: True if a change that is none is called so.
    func policy(namesEquality: Bool) -> [ReportSection] {
        let (before, after) = (comparison.policies.before, comparison.policies.after)
        let difference = comparison.difference
        let sentences =
            before == after && difference.isEmpty
            ? ["\(before), before and after"] : ["before: \(before)", "after:  \(after)"]
        let equality = namesEquality && comparison.isOfEqualAccounts ? [Comparison.equality] : []
        let rows: [[ReportTable.Cell]] = difference.flags.map {
            [.text($0.name), .text($0.before.rawValue), .text($0.after.rawValue)]
        }
        return [
            ReportSection(
                .title("Policy"), sentences: (sentences + difference.others + equality).map { ReportText($0) },
                table: rows.isEmpty ? nil : ReportTable([.text("flag"), .text("before"), .text("after")], rows))
        ]
    }

    private func changed(_ title: String, _ change: ChangeFigures, to verdict: String) -> [ReportSection] {
        guard change.events > 0 else { return [] }
        return [head(title, change, to: verdict)] + change.splits.map { split(title, $0, of: change) }
            + [examples(title, change)]
    }

    /// The numbers of what is turned one way.
    func head(_ title: String, _ change: ChangeFigures, to verdict: String) -> ReportSection {
        var sentences = [
            "\(change.events.grouped) \(change.events.agreeing(units.one, units.several)) (\(change.events.share(of: changes.events))) of "
                + "\(change.devices.counting("device")) (\(change.devices.share(of: changes.devices))) would \(verdict)"
        ]
        if comparison.isCapture, let fetches = change.fetches, let total = comparison.before.fetches?.total {
            sentences.append(
                "those devices make \(fetches.grouped) of \(total.grouped) fetches (\(fetches.share(of: total)))")
        }
        if comparison.isCapture {
            sentences.append("the rate is the part of all devices with a flag, or of a group, that are turned")
        }
        return ReportSection(.title(title), sentences: sentences.map { ReportText($0) })
    }

    private func split(_ title: String, _ split: ChangeFigures.Split, of change: ChangeFigures) -> ReportSection {
        let columns: [ReportTable.Column] =
            [.text(), .figure("devices"), .figure("share")] + (comparison.isCapture ? [.figure("rate")] : [])
            + [.figure(unit), .text("first device")]
        let limit = ReportTable.rankingLimit
        let rows = split.parts.prefix(limit).map { part in
            let rate = comparison.isCapture ? [comparison.rate(of: part, split.kind)] : []
            return ReportTable.Row(
                cells: [
                    comparison.name(of: part, split.kind), .number(part.devices),
                    .share(part.devices, of: change.devices),
                ] + rate + [.number(part.events), .code(part.example.description)],
                anchor: "\(title) \(split.kind.rawValue) \(part.name)")
        }
        return ReportSection(
            .title("\(title), by \(Self.words[split.kind] ?? split.kind.rawValue)"),
            sentences: split.parts.count > limit ? ["the largest of \(split.parts.count.grouped)"] : [],
            table: ReportTable(columns, rows: rows), place: .below)
    }

    private static let words: [ChangeFigures.Kind: String] = [
        .other: "other reason", .version: "app version", .system: "operating system",
    ]

    /// A device for each different reason.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - change: What is turned one way.
    ///   - leavesOutPolicies: True if policies are left out that are those of the account, as the report tells elsewhere.
    func examples(_ title: String, _ change: ChangeFigures, leavesOutPolicies: Bool = false) -> ReportSection {
        let columns: [ReportTable.Column] = [
            .text("device"), .text("before"), .text("after"), .figure("like it"),
        ]
        let known = leavesOutPolicies ? comparison.policies : nil
        let rows: [[ReportTable.Cell]] = change.examples.map { example in
            [
                .code(example.device.description), .text(Self.text(of: example.before, known: known?.before)),
                .text(Self.text(of: example.after, known: known?.after)), .number(example.devices),
            ]
        }
        return ReportSection(.title("\(title), for example"), table: ReportTable(columns, rows), place: .below)
    }

    private static func text(of side: ChangeFigures.Side, known: String?) -> String {
        let result = side.isValid ? "passes" : side.reasons.map(\.name).joined(separator: ", ")
        let isTold = side.policy == known || !side.isValid && side.policy.isEmpty
        return isTold ? result : "\(result) under \(side.policy)"
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

    private var unevaluated: ReportSection {
        ReportSection(
            .title("What this capture does not show"), sentences: comparison.unevaluated.map { ReportText($0) })
    }
}

extension Comparison {
    /// The line about whether the captures are still like older ones.
    var driftSections: [ReportSection] {
        drift.map { [ReportSection(.title("The capture and an older one"), sentences: [ReportText($0.line)])] } ?? []
    }
}
