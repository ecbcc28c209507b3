internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine
internal import Replay

/// The report on the parts of an account that decide nothing in captures, with the commands that remove them.
package struct IdlePartsReport: SectionedAnswer {
    private let found: IdleParts
    private let account: String
    private let places: PartPlaces?

    package static let forms: [ReportForm] = [.text, .json, .sarif]
    package static let kind = ReportKind("idle-parts", "Parts without effect", columns)

    /// - Parameters:
    ///   - found: The effects of the parts.
    ///   - account: The name of the account; empty if it has none.
    ///   - places: Their places in the file of the account; `nil` where there is none.
    package init(_ found: IdleParts, account: String, places: PartPlaces?) {
        (self.found, self.account, self.places) = (found, account, places)
    }

    package var json: JSONValue { Self.columns.value(of: self) }

    package func page(in setting: ReportSetting) -> ReportPage {
        ReportPage(title: account, sections: sections, origin: setting.origin)
    }

    package func bytes(as form: ReportForm, in setting: ReportSetting = ReportSetting()) -> [UInt8] {
        guard form == .sarif else { return sectioned(as: form, in: setting) }
        return SARIFReport.bytes(
            of: findings, rules: Self.rules, version: setting.origin.version, inputs: setting.origin.inputs)
    }
}

// MARK: Columns

extension IdlePartsReport {
    private static let columns = Columns<IdlePartsReport>(inOrder: [
        .version, .field("account", "The name of the account; empty if it has none.", \.account),
        .field("attestations", "Attestations of the captures.", \.found.attestations),
        .field("devices", "Their devices.", \.found.devices),
        .field("first", "The time of the first attestation; null where there is none.") { $0.found.span?.lowerBound },
        .field("last", "The time of the last attestation; null where there is none.") { $0.found.span?.upperBound },
        .field("dead", "Parts that can be removed together, without any other decision.", \.found.dead.count),
        .list("parts", "The parts of the account: its filters, its entries, and flags added to its preset.", part) {
            $0.found.parts
        },
        .list("wide", "Filters whose regexes match more than they say.", wide, \.found.wide),
        .object("preset", "The preset of the account's policy, which is kept whole.", preset, \.found),
        .field("commands", "The commands that remove the parts, in this order.") { $0.found.commands.map(\.text) },
        .field("unjudged-devices", "Devices on which not every decision is known.", \.found.unevaluated),
    ])

    private static let part = Columns<IdleParts.Part>(inOrder: [
        .word("kind", "What it is.", of: ["filter", "entry", "flag"], \.part.kind)
            .text("part") { .text("\($0.part.kind) \($0.part.name)") },
        .field("name", "The name of the filter or flag, or the device ID of the entry.", \.part.name),
        .word(
            "effect", "What it does in the captures.", of: IdleParts.Effect.allCases.map(\.rawValue), \.effect.rawValue
        )
        .text("effect") { .text($0.effect.rawValue) },
        .field("devices", "Devices that it matched.", \.use.devices).figure("devices"),
        .field("attestations", "Attestations that it matched.", \.use.attestations).figure("attestations"),
        .field("last-match", "The time of the last attestation that it matched; null where there is none.", \.use.last)
            .text("last match") { .time($0.use.last?.description ?? "never") },
        .list("caught-by", "What rejects its devices without it; of a shadowed part.", catcher, \.caughtBy),
        .shown("caught-by", .text("caught by")) { part in
            .text(part.caughtBy.map { "\($0.name) (\($0.devices.grouped))" }.joined(separator: ", "))
        },
    ])

    private static let catcher = Columns<(name: String, devices: Int)>(inOrder: [
        .field("rejection", "A flag, or `filter:` and the name of a filter.") { $0.name },
        .field("devices", "Devices of the part that it rejects.") { $0.devices },
    ])

    private static let wide = Columns<WideFilter>(inOrder: [
        .field("filter", "The name of the filter.", \.name).text("filter"),
        .field("key", "The attribute that it looks at.", \.key).text("key"),
        .field("regex", "Its regex.", \.regex).text("regex") { .code($0.regex) },
        .object("found", "All that it is found in.", values, \.found),
        .object(orNull: "longer", "Values that continue before or after what it says.", values, \.longer),
        .object(orNull: "dotted", "Values with another character where it has a dot.", values, \.dotted),
    ])

    private static let values = Columns<WideFilter.Values>(inOrder: [
        .field("values", "Different values.", \.count), .field("devices", "Devices that showed one.", \.devices),
        .field("example", "The value that most devices showed.", \.example),
    ])

    private static let preset = Columns<IdleParts>(inOrder: [
        .field("name", "The name of the preset.", \.preset.name),
        .field("flags", "Flags that the account rejects because its preset does.", \.preset.flags),
        .field("unmatched", "The flags among them that no attestation had.", \.preset.unmatched),
    ])
}

extension RemovablePart {
    fileprivate var kind: String {
        switch self {
        case .filter: "filter"
        case .entry: "entry"
        case .flag: "flag"
        }
    }

    fileprivate var name: String {
        switch self {
        case .filter(let name), .flag(let name): name
        case .entry(let id): id.description
        }
    }
}

// MARK: Text

extension IdlePartsReport {
    /// The report in sections: a sentence, then the parts to remove with their commands, the wide filters, and the other parts.
    package var sections: [ReportSection] {
        let dead = found.parts.filter(\.effect.isDead)
        var removal = ReportSection(
            .title("Parts to remove"), table: dead.isEmpty ? nil : Self.part.table(of: dead, without: ["name"]))
        if !dead.isEmpty {
            removal.notes = [
                "after these commands, verdicts, lifetimes and annotations are the same, which a replay confirmed"
            ]
            removal.lists = [ReportList(items: found.commands.map(\.text), isOutput: true)]
        }
        let others = found.parts.filter { !$0.effect.isDead }
        let kept = ReportSection(
            .title("Other parts"),
            table: others.isEmpty ? nil : Self.part.table(of: others, without: ["name", "caught-by"]))
        return [ReportSection(.notice(ReportText(headline, .strong)), sentences: sentences)]
            + [removal, widened, kept].filter { !$0.isBare }
    }

    private var headline: String {
        guard !found.parts.isEmpty else { return "the account has no filter, entry or added flag" }
        return "\(found.dead.count.grouped) of \(found.parts.count.counting("part")) decided nothing among "
            + "\(found.attestations.counting("attestation")) of \(found.devices.counting("device"))"
    }

    private var sentences: [ReportText] {
        var sentences: [String] = []
        if let span = found.span { sentences.append("the captures span \(span.lowerBound) to \(span.upperBound)") }
        let unmatched = found.preset.unmatched.count
        if unmatched > 0 {
            sentences.append(
                "no attestation had \(unmatched.grouped) of the \(found.preset.flags.grouped) flags of preset "
                    + "\(found.preset.name), which is kept whole")
        }
        if found.unevaluated > 0 {
            sentences.append("not every decision on \(found.unevaluated.counting("device")) is known")
        }
        if found.parts.contains(where: { $0.effect == .unknown }) {
            sentences.append("a part is unknown where no record says which devices were new, or a search was given up")
        }
        return sentences.map { ReportText($0) }
    }

    private var widened: ReportSection {
        let rows = found.wide.flatMap { filter -> [[ReportTable.Cell]] in
            [("longer", filter.longer), ("other character for a dot", filter.dotted)].compactMap { words, values in
                values.map {
                    [
                        .text(filter.name), .code(filter.regex), .text(words), .number($0.count), .number($0.devices),
                        .code($0.example),
                    ]
                }
            }
        }
        let columns: [ReportTable.Column] = [
            .text("filter"), .text("regex"), .text("also found in"), .figure("values"), .figure("devices"),
            .text("such as"),
        ]
        return ReportSection(
            .title("Filters that match more than they say"), table: rows.isEmpty ? nil : ReportTable(columns, rows))
    }
}

// MARK: SARIF

extension IdlePartsReport {
    private static let rules = [
        rule("unmatched-part", "a part that matches nothing hides which parts matter"),
        rule("shadowed-part", "a part whose devices are all rejected by others can be removed"),
        rule("idle-part", "a part on which no decision depends can be removed"),
        rule("wide-filter", "a filter that matches more than it says may reject devices that nobody meant"),
    ]

    private static func rule(_ name: String, _ why: String) -> SARIFReport.Rule {
        SARIFReport.Rule(name: name, why: why, page: "FORMATS.md#findings-on-parts")
    }

    private var findings: [SARIFReport.Finding] {
        let dead = found.dead.map { part in
            finding("\(part.effect.rawValue)-part", part.part, words(on: part))
        }
        let wide = found.wide.map { filter in
            finding("wide-filter", .filter(filter.name), words(on: filter))
        }
        return dead + wide
    }

    private func finding(_ rule: String, _ part: RemovablePart, _ message: String) -> SARIFReport.Finding {
        SARIFReport.Finding(
            rule: rule, level: .warning, message: message, file: places?.file,
            line: places?[part]?.line, column: places?[part]?.column)
    }

    private func words(on part: IdleParts.Part) -> String {
        let name = "\(part.part.kind) \(part.part.name)"
        let command = part.part.removal.map { "; `\($0.text)` removes it" } ?? ""
        let devices = part.use.devices.counting("device")
        return switch part.effect {
        case .unmatched: "\(name) matched none of \(found.devices.counting("device"))\(command)"
        case .shadowed:
            "\(name) matched \(devices), all of which are rejected by "
                + part.caughtBy.map(\.name).joined(separator: ", ") + command
        default: "\(name) matched \(devices), and no decision depends on it\(command)"
        }
    }

    private func words(on filter: WideFilter) -> String {
        let parts = [("longer values", filter.longer), ("values with another character for a dot", filter.dotted)]
        let found = parts.compactMap { words, values in
            values.map { "\($0.count.grouped) \(words) of \($0.devices.counting("device")), such as \($0.example)" }
        }
        return "filter \(filter.name) is found in " + found.joined(separator: ", and in ")
    }
}
