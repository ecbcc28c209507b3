internal import Documents
internal import Figures
internal import PolicyEngine

/// The devices that a change turns one way: the reasons, the groups that they belong to, and examples.
///
/// The rate is the part of a group's devices that is turned.
struct ChangeGroups {
    private let change: ChangeFigures
    private let tone: ReportPlot.Tone
    private let comparison: Comparison
    private let units: (one: String, several: String)
    private let title: String

    /// - Parameters:
    ///   - change: What is turned one way.
    ///   - tone: What that means: newly accepted for the better, newly rejected for the worse.
    ///   - sections: Those of all of what was compared.
    init(_ change: ChangeFigures, _ tone: ReportPlot.Tone, of sections: ComparisonSections) {
        (self.change, self.tone, comparison, units) = (change, tone, sections.comparison, sections.units)
        title = tone == .better ? "Newly accepted" : "Newly rejected"
    }

    // The devices of a capture are counted by group, those of a scenario are not.
    private var isRated: Bool { comparison.isCapture }

    // MARK: Reasons

    /// The reasons for which devices are turned; none where nothing is.
    var reasons: [ReportSection] {
        guard change.events > 0 else { return [] }
        let heading = "Why they would \(tone == .better ? "pass" : "fail")"
        var section = ReportSection(
            .title(heading), sentences: ([policySentence].compactMap(\.self) + counts).map { ReportText($0) },
            table: reasonTable, place: .half)
        section.notes = unseenFlags
        return [section]
    }

    // The attestations, where they are not as many as the devices, and the fetches.
    private var counts: [String] {
        let all = comparison.changes
        var sentences: [String] = []
        if change.events != change.devices {
            sentences.append(
                "\(change.events.grouped) \(change.events.agreeing(units.one, units.several)) (\(change.events.share(of: all.events))) of "
                    + "\(change.devices.counting("device")) (\(change.devices.share(of: all.devices))) would "
                    + (tone == .better ? "pass" : "fail"))
        }
        if comparison.isCapture, let fetches = change.fetches, let total = comparison.before.fetches?.total {
            sentences.append(
                "those devices make \(fetches.grouped) of \(total.grouped) fetches (\(fetches.share(of: total)))")
        }
        return sentences
    }

    // A policy that rejects more flags than the one before, or fewer, and is no other otherwise.
    private var policySentence: String? {
        let (flags, policies) = (comparison.difference.flags, comparison.policies)
        guard !flags.isEmpty, comparison.difference.others.isEmpty else { return nil }
        let (old, new) = (Set(flags.map(\.before)), Set(flags.map(\.after)))
        let names = (before: policies.before.split(separator: ","), after: policies.after.split(separator: ","))
        guard names.before.count == 3, names.after.count == 3, names.before[1] != names.after[1] else { return nil }
        let (before, after) = ("`\(names.before[1])`", "`\(names.after[1])`")
        if old == [.accepts], new == [.rejects] {
            return "\(after) rejects \(flags.count.counting("flag")) that \(before) accepts"
        }
        if old == [.rejects], new == [.accepts] {
            return "\(after) accepts \(flags.count.counting("flag")) that \(before) rejects"
        }
        return nil
    }

    // The flags that the policy newly rejects, and for which no device fails.
    private var unseenFlags: [ReportText] {
        guard tone == .worse, policySentence != nil else { return [] }
        let shown = Set(change.splits.filter { $0.kind == .flag }.flatMap(\.parts).map(\.name))
        let unseen = comparison.difference.flags.map(\.name).filter { !shown.contains($0) }
        guard let last = unseen.last else { return [] }
        let names = unseen.dropLast().map { "`\($0)`" }.joined(separator: ", ")
        return [
            ReportText(
                "it also rejects \(names.isEmpty ? "" : names + " and ")`\(last)`, for which no device newly fails")
        ]
    }

    private var reasonTable: ReportTable? {
        let parts = change.splits.filter { [.flag, .filter, .other].contains($0.kind) }
            .flatMap { split in split.parts.map { (kind: split.kind, part: $0) } }
            .sorted { ($1.part.devices, $0.part.index) < ($0.part.devices, $1.part.index) }
        guard !parts.isEmpty else { return nil }
        let columns: [ReportTable.Column] =
            [
                .text("reason"), .figure("devices"),
                .figure("share", bars: tone).scaled(as: "share of \(title)"),
            ] + (isRated ? [.figure("rate").onlyText] : []) + [.text("first device").onlyText]
        let rows = parts.map { kind, part in
            ReportTable.Row(
                cells: [.text(part.name), .number(part.devices), .share(part.devices, of: change.devices)]
                    + (isRated ? [rate(of: part, kind)] : []) + [.code(part.example.description)],
                note: note(on: part, kind), anchor: "\(title) \(kind.rawValue) \(part.name)")
        }
        return .ranking(columns, rows: rows)
    }

    // The meaning of a reason, and how many of the devices that have it are turned.
    private func note(on part: ChangeFigures.Part, _ kind: ChangeFigures.Kind) -> String? {
        let meaning: String? =
            switch kind {
            case .flag: FlagCatalogue().meaning(ofFlag: part.name)
            case .filter: "Filter of the account"
            case .other, .app, .version, .system: nil
            }
        let all = comparison.before.figures.devices(of: part.name, kind)
        guard isRated, all >= part.devices, all > 0 else { return meaning }
        let counts =
            "\(part.devices.grouped) of the \(all.counting("device")) with it (\(part.devices.share(of: all)))"
        return [meaning, counts].compactMap(\.self).joined(separator: ". ")
    }

    // MARK: Groups

    /// The words for the line through all bars of rates.
    var reference: [ReportText] {
        guard isRated else { return [] }
        return [ReportText("the line marks all devices, \(change.devices.share(of: comparison.changes.devices))")]
    }

    /// The groups that the devices are of: apps, their versions and systems, of which the smaller part says the most.
    var groups: [ReportSection] {
        let groups = [(ChangeFigures.Kind.version, "app version"), (.app, "app"), (.system, "operating system")]
        let sections = groups.compactMap { kind, name in
            groupTable(kind).map { ReportSection(.title("\(title), by \(name)"), table: $0, place: .beside) }
        }
        guard !sections.isEmpty || (valueHits ?? []).contains(where: { !$0.values.isEmpty }) else { return [] }
        var head = ReportSection(.title("Who would \(tone == .better ? "pass" : "fail")"))
        head.holdsParts = true
        if isRated {
            let all = comparison.changes.devices
            head.sentences = [
                "each rate is the share of the devices of a group that would be \(title.lowercased()); of all devices it is \(change.devices.share(of: all))"
            ]
            if comparison.valueHits == nil, comparison.hits == nil {
                let groups = tone == .better ? "" : ", and `--who` finds groups of them"
                head.notes = ["`--count model,locale,os-version` adds rates by these\(groups)"]
            }
        }
        return [head] + sections
    }

    private var valueHits: [ValueHits.Key]? {
        tone == .better ? comparison.valueHits?.accepted : comparison.valueHits?.rejected
    }

    /// The groups of a kind with their rates; `nil` where nothing is turned.
    func groupTable(_ kind: ChangeFigures.Kind) -> ReportTable? {
        guard let split = change.splits.first(where: { $0.kind == kind }), !split.parts.isEmpty else { return nil }
        // Of captures without apps it is not known how many devices a system has.
        let isRated =
            isRated && split.parts.contains { comparison.before.figures.devices(of: $0.name, kind) >= $0.devices }
        let rate = ReportTable.Column.figure("rate", bars: tone).scaled(as: "rate")
            .referring(to: .share(change.devices, of: comparison.changes.devices))
        let columns: [ReportTable.Column] =
            [.text(), .figure("devices")]
            + (isRated ? [.figure("of"), rate] : [.figure("share", bars: tone), .figure(units.several)])
            + [.text("first device").onlyText]
        let rows = split.parts.map { part in
            let name = ReportTable.Cell.name(part.name, spoken: SpokenName.text(of: part.name))
            let all = comparison.before.figures.devices(of: part.name, kind)
            let figures: [ReportTable.Cell] =
                isRated
                ? [all < part.devices ? .text("–") : .number(all), self.rate(of: part, kind)]
                : [.share(part.devices, of: change.devices), .number(part.events)]
            return ReportTable.Row(
                cells: [name, .number(part.devices)] + figures + [.code(part.example.description)],
                anchor: "\(title) \(kind.rawValue) \(part.name)")
        }
        return .ranking(columns, rows: rows)
    }

    // The part of a group's devices that change; a dash where it is not known how many it has.
    private func rate(of part: ChangeFigures.Part, _ kind: ChangeFigures.Kind) -> ReportTable.Cell {
        let all = comparison.before.figures.devices(of: part.name, kind)
        return all < part.devices || all == 0 ? .text("–") : .share(part.devices, of: all)
    }

    // MARK: Examples

    /// A device for each different reason; policies are left out that are those of the account.
    var examples: [ReportSection] {
        guard change.events > 0 else { return [] }
        let columns: [ReportTable.Column] = [
            .text("device"), .text("before"), .text("after"), .figure("like it"),
        ]
        let rows: [[ReportTable.Cell]] = change.examples.map { example in
            [
                .code(example.device.description),
                .text(Self.text(of: example.before, known: comparison.policies.before)),
                .text(Self.text(of: example.after, known: comparison.policies.after)), .number(example.devices),
            ]
        }
        return [ReportSection(.title("\(title), for example"), table: ReportTable(columns, rows), place: .half)]
    }

    private static func text(of side: ChangeFigures.Side, known: String) -> String {
        let result = side.isValid ? "passes" : side.reasons.map(\.name).joined(separator: ", ")
        let isKnown = side.policy == known || !side.isValid && side.policy.isEmpty
        return isKnown ? result : "\(result) under \(side.policy)"
    }
}

extension FlagCatalogue {
    /// The catalogue's sentence about a flag; `nil` where it has none.
    func meaning(ofFlag name: String) -> String? {
        namedFlag(name).map { self[$0].meaning }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Figures {
    // The devices of a group; 0 where they are not counted.
    fileprivate func devices(of name: String, _ kind: ChangeFigures.Kind) -> Int {
        switch kind {
        case .flag: groups?.flags[name] ?? 0
        case .filter: filters.first { $0.name == name }?.devices ?? 0
        case .other: 0
        case .app: groups?.apps[name] ?? 0
        case .version: groups?.versions[name] ?? 0
        case .system: groups?.systemless == 0 ? groups?.systems[name] ?? 0 : 0
        }
    }
}
