internal import Accounts
package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine
internal import Statistics

// The report on the effects of every edit. The text leaves out edits without any effect; the other forms have all.
extension WhatIf: SectionedAnswer {
    package static let forms: [ReportForm] = [.text, .json, .html, .csv]
    package static let kind = ReportKind("edits", "Single edits", columns)

    static let columns = Columns<WhatIf>(inOrder: [
        .version, .field("attestations", "Attestations that each edit was evaluated on.", \.attestations),
        .field("devices", "Their devices.", \.devices),
        .field("evaluated", "Edits that were evaluated, those that are not reported included.", \.evaluated),
        .field(
            "token-fetches", "Token fetches of a day under the account as it is; null where it is not known.",
            \.fetchesPerDay),
        .optional("labels", "The verdicts of the account on labelled devices.", LabelReport.ofAccount) { whatIf in
            whatIf.labels.map { LabelReport(figures: $0, cost: whatIf.cost, level: whatIf.confidence) }
        },
        .list("edits", "The edits, in the order of the report.", edits(at: .usual)) { $0.rows(of: $0.edits) },
        .optional("intervals", "The level at which the intervals of all edits hold together.", JointIntervals.columns) {
            $0.joint
        }, .narrowed(\.narrowed), .assumed(\.assumed),
    ])

    // An edit in its report.
    private typealias Row = (edit: Edit, whatIf: WhatIf)

    private static func edits(at level: ConfidenceLevel) -> Columns<Row> {
        Columns(
            inOrder: [
                .field("command", "The management command that makes the edit.") { $0.edit.text }
                    .text("edit") { .code($0.edit.text) },
                .object(
                    "newly-rejected", "What passed and would fail.", turned("newly rejected", .worse),
                    \.edit.figures.rejected),
                .object(
                    "newly-accepted", "What failed and would pass.", turned("newly accepted", .better),
                    \.edit.figures.accepted),
                .field("token-fetches", "Token fetches of a day to expect after it; null where it is not known.") {
                    $0.whatIf.fetchesPerDay(after: $0.edit)
                }.figure("fetches a day", page: "token fetches a day", absent: "unknown"),
                .shown(
                    "token-fetches-changed", .figure("token fetches a day"),
                    { $0.whatIf.changedFetches(after: $0.edit) }),
                .field("token-fetches-per-mille", "Token fetches to expect after it for every 1,000 before.") {
                    $0.edit.figures.expectedFetchesPerMille
                },
                .field(
                    "unjudged-devices", "Devices for which its effect is not known.", \.edit.figures.unevaluatedDevices
                )
                .figure("not evaluated"),
                .optional("labels", "The verdicts on labelled devices after it.", LaneReport.ofEdit) { row in
                    row.edit.labels.map {
                        LaneReport(
                            lane: $0, cost: row.whatIf.cost, level: row.whatIf.confidence,
                            isEfficient: row.edit.isEfficient)
                    }
                }.withoutCSV,
            ] + labelFields + [
                .optional(
                    "intervals", "The shares of all devices; of an edit that can turn verdicts.", shares(at: level)
                ) {
                    $0.whatIf.shares(turnedBy: $0.edit)
                }.csvWithoutPrefix
            ])
    }

    private static func turned(_ title: String, _ tone: ReportPlot.Tone) -> Columns<EditFigures.Turned> {
        Columns(sorted: [
            .field("devices", "Devices with such an attestation.", \.devices).figure(title, bars: tone),
            .field("attestations", "Attestations whose verdict turns.", \.attestations).figure("attestations"),
        ])
    }

    private static func shares(at level: ConfidenceLevel) -> Columns<[Estimate]> {
        Columns(inOrder: [
            .estimate("newly-rejected", "Devices that the edit newly rejects.", "rejected of all, at \(level.text)") {
                $0[0]
            },
            .estimate("newly-accepted", "Devices that the edit newly accepts.", "accepted of all, at \(level.text)") {
                $0[1]
            },
        ])
    }

    // CSV has a few figures of labelled devices.
    private static var labelFields: [Column<Row>] {
        let names: KeyValuePairs<DeviceLabel, String> = [.bad: "caught", .good: "blocked", .unknown: "rejected"]
        let counts = names.flatMap { label, rejected -> [Column<Row>] in
            [
                .onlyCSV("\(label.rawValue)-devices", of: "labels") { .count($0.edit.labels?[label].devices) },
                .onlyCSV("\(label.rawValue)-\(rejected)", of: "labels") { .count($0.edit.labels?[label].rejected) },
            ]
        }
        return counts + [
            .onlyCSV("unevaluated-labels", of: "labels") { row in
                .count(row.edit.labels.map { $0.bad.unevaluated + $0.good.unevaluated + $0.unknown.unevaluated })
            }, .onlyCSV("saves", of: "labels") { .count($0.whatIf.saving(of: $0.edit)) },
            .onlyCSV("efficient", of: "labels") { .truth($0.edit.isEfficient) },
        ]
    }

    private func rows(of edits: [Edit]) -> [Row] { edits.map { ($0, self) } }

    package var json: JSONValue { Self.columns.value(of: self) }

    package var csv: [UInt8] {
        Self.edits(at: .usual).csv(
            of: rows(of: edits),
            without: Set((labels == nil ? ["labels"] : []) + (confidence == nil ? ["intervals"] : [])),
            narrowed: narrowed)
    }

    // The edits that have an effect. A page has a shorter table, whose card has what most edits share.
    private func table(isOfPage: Bool) -> ReportTable {
        let shown = edits.filter(\.hasEffect)
        // Attestations are left out where each device attests once: their columns would repeat those of devices.
        let isByDevice = shown.allSatisfy { edit in
            [edit.figures.rejected, edit.figures.accepted].allSatisfy { $0.attestations == $0.devices }
        }
        var omitted: Set<String> = [isOfPage ? "token-fetches" : "token-fetches-changed"]
        if isOfPage || isByDevice { omitted.formUnion(["newly-rejected.attestations", "newly-accepted.attestations"]) }
        if isEvaluated { omitted.insert("unjudged-devices") }
        if confidence == nil { omitted.insert("intervals") }
        var table = Self.edits(at: confidence ?? .usual).table(of: rows(of: shown), without: omitted)
        guard isOfPage, let rejected = table.columns.firstIndex(where: { $0.title == "newly rejected" }) else {
            return table
        }
        // A bar of everybody says nothing, and would leave none of the others to be seen.
        for (row, edit) in shown.enumerated() where edit.rejectsEverybody {
            table.rows[row].cells[rejected] = .text("all \(edit.figures.rejected.devices.grouped)")
        }
        return table
    }

    private var isEvaluated: Bool {
        edits.allSatisfy { !$0.hasEffect || $0.figures.unevaluatedDevices == 0 }
    }

    // The card has the figure of the account as it is, which most edits share.
    private func changedFetches(after edit: Edit) -> ReportTable.Cell {
        guard let fetches = fetchesPerDay(after: edit) else { return .text("unknown") }
        return fetches == fetchesPerDay ? .text("same") : .number(fetches)
    }
}

// MARK: Text

extension WhatIf {
    /// The report in sections: a sentence, then a table of the edits that have an effect.
    package var sections: [ReportSection] {
        let table = table(isOfPage: false)
        let sections = [
            ReportSection(.notice(ReportText(headline, .strong))),
            ReportSection(
                .title("Edits, in devices"), sentences: sentences(idle: edits.count - table.rows.count),
                table: table.rows.isEmpty ? nil : table),
        ]
        return (sections + .assumed(assumed) + labelSections).narrowed(to: narrowed)
    }

    // Removals that change nothing, one by one; together they may.
    private var removals: String {
        let count = edits.count { edit in
            !edit.hasEffect && ["filter -remove ", "device -remove "].contains { edit.text.hasPrefix($0) }
        }
        guard count > 0 else { return "" }
        return "; \(count.grouped) of them \(count.agreeing("removes", "remove")) a filter or an entry, and "
            + "`scenario lint` with the account says which of these can go together"
    }

    // The number of edits that turn verdicts.
    private var turning: Int {
        edits.count { $0.figures.rejected.attestations + $0.figures.accepted.attestations > 0 }
    }

    private var headline: String {
        guard evaluatesAnything else {
            return
                "nothing was evaluated: what the \(evaluated.counting("single edit")) would do is known of no device"
        }
        return (assumed == nil ? "" : "with the assumed signals, ")
            + "\(turning.grouped) of \(evaluated.grouped) single edits\(isPartial ? " that are asked for" : "") would turn verdicts"
            + " among \(attestations.counting("attestation")) of \(devices.counting("device"))"
    }

    private var isPartial: Bool { edits.count < evaluated }

    private func sentences(idle: Int) -> [ReportText] {
        var sentences: [String] = []
        if let fetchesPerDay { sentences.append("token fetches a day without an edit: \(fetchesPerDay.grouped)") }
        sentences += reproduction
        if !isEvaluated { sentences.append(Self.doubt) }
        sentences += omission
        if idle > 0 { sentences.append("\(idle.grouped) edits change nothing in these captures" + removals) }
        return sentences.map { ReportText($0) } + [intervalSentence]
    }

    private var omission: [String] {
        isPartial ? ["\((evaluated - edits.count).grouped) edits are left out by the options"] : []
    }

    // The reasons for which devices are not evaluated.
    private static let doubt =
        "devices are not evaluated if an edit depends on which of them were new and no record shows it, "
        + "or on a search that was given up"

    // The difference of the account from the capture, if there is one.
    private var reproduction: [String] {
        guard let reproduced, reproduced.agreed < reproduced.compared else { return [] }
        return [
            "the account gives \(reproduced.agreed.grouped) of \(reproduced.compared.grouped) captured verdicts "
                + "(\(reproduced.agreed.share(of: reproduced.compared))); is it the account of the capture?"
        ]
    }
}

// MARK: Page

extension WhatIf {
    /// The report as a page: the edit that is worth it, then the others, and the rest folded away.
    package func page(in setting: ReportSetting) -> ReportPage {
        let (subject, origin) = (evaluated.counting("single edit"), setting.origin)
        return ReportPage(
            title: account.isEmpty ? subject : "\(account): \(subject)",
            scope: narrowed.scope + (assumed?.scope ?? []) + SpanWords.scope(of: hours) + [devices.counting("device")],
            head: head,
            sections: (.assumed(assumed) + labelSections + [effective, idle, grounds]).filter { !$0.isBare }
                + origin.sections(),
            origin: origin)
    }

    private var head: ReportHead {
        var head =
            bestHead
            ?? ReportHead(
                "\(turning.grouped) of \(edits.count.counting("single edit")) would turn verdicts")
        if let fetchesPerDay {
            head.facts.append(.init("Token fetches a day", fetchesPerDay.grouped, "under the account as it is"))
        }
        let changing = edits.count(where: \.hasEffect)
        head.zeros.append("\(changing.grouped) of \(edits.count.grouped) single edits change something")
        if bestHead != nil { head.zeros.append("\(turning.grouped) turn verdicts") }
        return head
    }

    private var grounds: ReportSection {
        var section = ReportSection(.title("What this rests on"))
        section.terms = (omission + reproduction).map { .init("", ReportText($0)) }
        if confidence == nil {
            section.terms.append(Intervals.withoutTerm)
        } else {
            section.terms.append(.init("Sample", intervalSentence))
        }
        return section
    }

    private var effective: ReportSection {
        ReportSection(
            .title("Edits that change something, in devices"), sentences: isEvaluated ? [] : [ReportText(Self.doubt)],
            table: table(isOfPage: true))
    }

    private var idle: ReportSection {
        let rows: [[ReportTable.Cell]] = edits.filter { !$0.hasEffect }.map { [.code($0.text)] }
        var section = ReportSection(.title("Edits that change nothing"), table: ReportTable([.text("edit")], rows))
        section.fold = "\(rows.count.grouped) edits"
        return section
    }
}

// MARK: Intervals

// An interval for each of two figures of each edit: all of them hold together, since the edits are looked at together.
extension WhatIf {
    /// The number of intervals that hold together.
    private var intervalCount: Int { 2 * turnable }

    // The shares of devices that an edit newly rejects and accepts; `nil` where no level was given, or it can turn no verdict.
    private func shares(turnedBy edit: Edit) -> [Estimate]? {
        guard edit.canTurn, let level = confidence?.confidence.shared(among: intervalCount) else { return nil }
        return [edit.figures.rejected.devices, edit.figures.accepted.devices].map {
            Estimate($0, of: devices, unevaluated: edit.figures.unevaluatedDevices, at: level)
        }
    }

    /// The assumption that intervals rest on, or of what the figures are.
    var intervalSentence: ReportText {
        assumption.map { ReportText($0) } ?? Intervals.without
    }

    // `nil` where no level was given.
    private var assumption: String? {
        guard let confidence else { return nil }
        let idle = evaluated - turnable
        let others = idle == 0 ? "" : "; \(idle.counting("other edit")) can turn no verdict, whatever the devices are"
        return "the \(intervalCount.grouped) intervals of \(turnable.counting("edit")) hold together at "
            + "\(confidence.text), \(Intervals.randomSample)" + others
    }

    private var joint: JointIntervals? {
        confidence.map { JointIntervals(level: $0, count: intervalCount, assumption: assumption ?? "") }
    }
}

// MARK: Labels

extension WhatIf {
    /// The sections on labelled devices: the account as it is, the efficient edits, every other edit, and those devices that
    /// a single filter or flag catches.
    var labelSections: [ReportSection] {
        guard let labels, let lane = labels.lanes.first else { return [] }
        return [frontier(lane), others(lane), alone, own(labels, lane)].filter { !$0.isBare }
    }

    private func own(_ labels: LabelFigures, _ lane: LabelLane) -> ReportSection {
        let cost = cost.map { ["the verdicts of the account cost \($0.cost(of: lane).grouped), \(LabelFigures.unit)"] }
        let sentences =
            lane.sentences(at: confidence ?? .usual) + [LabelFigures.assumption] + (cost ?? [])
            + labels.ending(labels.lanes)
        var section = ReportSection(.title(LabelFigures.title))
        section.terms = sentences.map { .init("", ReportText($0)) }
        return section
    }

    // Differences from the account as it is: bad devices caught, good ones blocked, others rejected, and the savings.
    private var columns: [ReportTable.Column] {
        [.text("edit"), .figure("bad caught"), .figure("good blocked"), .figure("unknown rejected")]
            + (cost == nil ? [] : [.figure("saves")]) + (isExact ? [] : [.figure("not evaluated")])
    }

    private func row(of edit: Edit, _ lane: LabelLane, from account: LabelLane) -> ReportTable.Row {
        let counts: [ReportTable.Cell] = [
            .code(edit.text), .change(lane.bad.rejected - account.bad.rejected, more: .good),
            .change(lane.good.rejected - account.good.rejected, more: .bad),
            .change(lane.unknown.rejected - account.unknown.rejected),
        ]
        let unevaluated = lane.bad.unevaluated + lane.good.unevaluated + lane.unknown.unevaluated
        return ReportTable.Row(
            cells: counts + (saving(of: edit).map { [.change($0)] } ?? []) + (isExact ? [] : [.number(unevaluated)]))
    }

    private var isExact: Bool {
        edits.allSatisfy { ($0.labels?.isExact ?? true) && $0.labels?.unknown.unevaluated ?? 0 == 0 }
    }

    // The efficient edits, by the good devices that are blocked, and so by the bad ones that are caught.
    private var efficient: [(edit: Edit, lane: LabelLane)] {
        edits.filter(\.isEfficient).compactMap { edit in edit.labels.map { (edit, $0) } }.enumerated().sorted {
            ($0.element.lane.blockedAtMost, $0.offset) < ($1.element.lane.blockedAtMost, $1.offset)
        }.map(\.element)
    }

    private func frontier(_ account: LabelLane) -> ReportSection {
        let rows = efficient.map { row(of: $0.edit, $0.lane, from: account) }
        let words =
            "no other edit catches as many bad devices, blocks as few good ones and rejects as few unknown ones, and is better in one of these"
        var section = ReportSection(
            .title("Efficient edits"),
            sentences: [ReportText(Self.differences)] + (rows.isEmpty ? ["no edit is efficient"] : [ReportText(words)])
                + (isAccountEfficient ? ["the account as it is is efficient, too"] : []),
            table: ReportTable(columns, rows: rows))
        section.dots = DotPlot(
            title: "Bad devices caught and good devices blocked, edit by edit", across: "good devices blocked",
            up: "bad devices caught",
            dots: [dot("now", account, .now)]
                + edits.filter { !$0.rejectsEverybody }.compactMap { edit in
                    edit.labels.map { dot(edit.text, $0, edit.isEfficient ? .chosen : .other) }
                })
        return section
    }

    private static let differences = "all figures are differences from the account as it is, in devices"

    private func dot(_ name: String, _ lane: LabelLane, _ kind: DotPlot.Kind) -> DotPlot.Dot {
        DotPlot.Dot(name: name, across: lane.good.rejected, up: lane.bad.rejected, kind: kind)
    }

    // The edit that is worth it, with what it does to labelled devices; `nil` without labels.
    private var bestHead: ReportHead? {
        guard let account = labels?.lanes.first else { return nil }
        let today =
            "Now \(account.bad.rejected.grouped) of \(account.bad.devices.counting("bad device")) "
            + "\(account.bad.rejected.agreeing("is", "are")) caught, and \(account.good.rejected.grouped) of "
            + "\(account.good.devices.counting("good one")) \(account.good.rejected.agreeing("is", "are")) blocked."
        func gain(_ edit: (edit: Edit, lane: LabelLane)) -> Int {
            saving(of: edit.edit)
                ?? (edit.lane.bad.rejected - account.bad.rejected) - (edit.lane.good.rejected - account.good.rejected)
        }
        guard let best = efficient.max(by: { gain($0) < gain($1) }), gain(best) > 0 else {
            return ReportHead("No single edit is better than the account as it is", details: [ReportText(today)])
        }
        let (bad, good) = (
            best.lane.bad.rejected - account.bad.rejected, best.lane.good.rejected - account.good.rejected
        )
        let caught =
            bad == 0
            ? "no more bad device"
            : "\(abs(bad).grouped) \(bad > 0 ? "more" : "fewer") bad \(abs(bad).agreeing("device", "devices"))"
        let blocked =
            good == 0
            ? "no further good one"
            : "\(abs(good).grouped) \(good > 0 ? "more" : "fewer") good \(abs(good).agreeing("one", "ones"))"
        var head = ReportHead(
            "One edit catches \(caught) and blocks \(blocked)",
            details: [ReportText("`\(best.edit.text)`"), ReportText(today)])
        head.facts = [
            .init(
                "Bad devices caught", from: account.bad.rejected, to: best.lane.bad.rejected, of: account.bad.devices,
                more: .good),
            .init(
                "Good devices blocked", from: account.good.rejected, to: best.lane.good.rejected,
                of: account.good.devices, more: .bad),
        ]
        if let saving = saving(of: best.edit) {
            head.facts.append(.init("Saves, \(LabelFigures.unit)", saving.grouped))
        }
        return head
    }

    // Those that are not efficient, and that change the verdict on a device.
    private func others(_ account: LabelLane) -> ReportSection {
        let rows = edits.filter { !$0.isEfficient }.compactMap { edit -> ReportTable.Row? in
            guard let lane = edit.labels, Self.turned(lane) else { return nil }
            return row(of: edit, lane, from: account)
        }
        var section = ReportSection(.title("Other edits by labels"), table: ReportTable(columns, rows: rows))
        if rows.count > Self.openEdits { section.fold = "\(rows.count.grouped) edits" }
        return section
    }

    // The greatest number of edits beside the efficient ones that a page shows at once.
    private static let openEdits = 15

    private static func turned(_ lane: LabelLane) -> Bool {
        DeviceLabel.allCases.contains {
            let counts = lane[$0]
            return counts.newlyRejected + counts.noLongerRejected + counts.unevaluated > 0
        }
    }

    // The devices that would be rejected no longer if a filter or a flag went.
    private var alone: ReportSection {
        let rows = edits.filter(\.takesAway).compactMap { edit -> [ReportTable.Cell]? in
            guard let lane = edit.labels else { return nil }
            let lost = DeviceLabel.allCases.map { lane[$0].noLongerRejected }
            return lost.contains { $0 > 0 } ? [.code(edit.text)] + lost.map { .number($0) } : nil
        }
        var section = ReportSection(
            .title("Devices that one filter or flag alone rejects"),
            sentences: rows.isEmpty ? [] : ["they are no longer rejected at all after the edit"],
            table: ReportTable([.text("edit"), .figure("bad"), .figure("good"), .figure("unknown")], rows))
        section.fold = rows.count.counting("edit")
        return section
    }
}
