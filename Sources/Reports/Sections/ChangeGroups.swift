internal import Figures
internal import PolicyEngine

/// The devices that a change turns one way: the reasons, the groups that they belong to, and examples.
///
/// The share says which part of them are of a group, and the rate which part of the group's devices is turned.
struct ChangeGroups {
    private let change: ChangeFigures
    private let tone: ReportPlot.Tone
    private let comparison: Comparison
    private let title: String

    /// - Parameters:
    ///   - change: What is turned one way.
    ///   - tone: What that means: newly accepted for the better, newly rejected for the worse.
    ///   - comparison: All of what was compared.
    init(_ change: ChangeFigures, _ tone: ReportPlot.Tone, of comparison: Comparison) {
        (self.change, self.tone, self.comparison) = (change, tone, comparison)
        title = tone == .better ? "Newly accepted" : "Newly rejected"
    }

    /// The sections; none where nothing is turned.
    var sections: [ReportSection] {
        guard change.events > 0 else { return [] }
        let parts = ComparisonSections(comparison)
        var head = parts.head(title, change, to: tone == .better ? "pass" : "fail")
        // Else the card has said it.
        if change.events == change.devices { head.sentences.removeFirst() }
        if comparison.isCapture, comparison.valueHits == nil, comparison.hits == nil {
            head.sentences.append(
                "`--count model,locale,os-version` adds rates by these, and `--who` finds groups of them")
        }
        head.table = table(of: [.flag, .filter, .other], title: "reason")
        return [head] + groups + [parts.examples(title, change, leavesOutPolicies: true)]
    }

    private var groups: [ReportSection] {
        [(ChangeFigures.Kind.version, "app version"), (.app, "app"), (.system, "system")].compactMap { kind, name in
            guard let table = table(of: [kind], title: "") else { return nil }
            return ReportSection(.title("\(title), by \(name)"), table: table, place: .beside)
        }
    }

    private func table(of kinds: [ChangeFigures.Kind], title: String) -> ReportTable? {
        let parts = change.splits.filter { kinds.contains($0.kind) }
            .flatMap { split in split.parts.map { (kind: split.kind, part: $0) } }
            .sorted { ($1.part.devices, $0.part.index) < ($0.part.devices, $1.part.index) }
        guard !parts.isEmpty else { return nil }
        let isRated = comparison.isCapture
        let columns: [ReportTable.Column] =
            [.text(title), .figure("devices"), .figure("share", bars: isRated ? nil : tone)]
            + (isRated ? [.figure("rate", bars: tone)] : [])
        let rows = parts.map { kind, part in
            ReportTable.Row(
                cells: [
                    comparison.name(of: part, kind), .number(part.devices), .share(part.devices, of: change.devices),
                ] + (isRated ? [comparison.rate(of: part, kind)] : []),
                note: note(part.name, kind), anchor: "\(self.title) \(kind.rawValue) \(part.name)")
        }
        return .ranking(columns, rows: rows)
    }

    private func note(_ name: String, _ kind: ChangeFigures.Kind) -> String? {
        switch kind {
        case .flag: FlagCatalogue().meaning(ofFlag: name)
        case .filter: "Filter of the account"
        case .other, .app, .version, .system: nil
        }
    }
}

extension Comparison {
    /// The name of a part of a change.
    func name(of part: ChangeFigures.Part, _ kind: ChangeFigures.Kind) -> ReportTable.Cell {
        switch kind {
        case .app, .version, .system: .name(part.name, spoken: SpokenName.text(of: part.name))
        case .flag, .filter, .other: .text(part.name)
        }
    }

    /// The part of a group's devices that change; a dash where it is not known how many it has.
    func rate(of part: ChangeFigures.Part, _ kind: ChangeFigures.Kind) -> ReportTable.Cell {
        let all = before.figures.devices(of: part.name, kind)
        return all < part.devices ? .text("–") : .share(part.devices, of: all)
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
