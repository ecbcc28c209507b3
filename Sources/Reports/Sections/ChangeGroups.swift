internal import Figures
internal import PolicyEngine

/// The devices that a change turns one way: the reasons, the groups that they belong to, and examples.
///
/// The share says which part of them are of a group, and the rate which part of the group's attestations is turned.
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

    /// The part of a group's attestations that change; a dash where it is not known how many attestations it makes.
    func rate(of part: ChangeFigures.Part, _ kind: ChangeFigures.Kind) -> ReportTable.Cell {
        let all = before.figures.attestations(of: part.name, kind)
        return all < part.attestations ? .text("–") : .share(part.attestations, of: all)
    }
}

extension FlagCatalogue {
    /// The catalogue's sentence about a flag; `nil` where it has none.
    func meaning(ofFlag name: String) -> String? {
        namedFlag(name).map { self[$0].meaning }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Figures {
    // The attestations of a group; 0 where they are not counted.
    fileprivate func attestations(of name: String, _ kind: ChangeFigures.Kind) -> Int {
        let name = ExactText(name)
        return switch kind {
        case .flag: both { .flag(name, passed: $0) }
        case .filter: metrics[.filter(name)] ?? 0
        case .other: 0
        case .app: both { .app(name, passed: $0) }
        case .version: both { .version(name, passed: $0) }
        case .system: attestations(onSystem: name.text)
        }
    }

    private func both(_ metric: (Bool) -> Metric) -> Int {
        (metrics[metric(true)] ?? 0) + (metrics[metric(false)] ?? 0)
    }

    // By way of their apps: not known where an attestation has none, or where not all apps are counted apart.
    private func attestations(onSystem name: String) -> Int {
        var (all, found) = (0, 0)
        for (metric, count) in metrics {
            guard case .app(let app, _) = metric else { continue }
            all += count
            if app.text.hasPrefix(name + "-") { found += count }
        }
        return all == attestations && !hasOtherApps ? found : 0
    }
}
