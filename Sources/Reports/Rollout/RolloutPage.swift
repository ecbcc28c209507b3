internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine

// MARK: Text

extension Rollout {
    /// The report in sections: a sentence, newly rejected devices by time, the steps, and their commands.
    package var sections: [ReportSection] {
        let sections = [
            ReportSection(.notice(ReportText(headline, .strong))), byTime, stepSection, commands,
            ReportSection(.title("What this rests on"), sentences: grounds.map(\.words)),
        ]
        return ([sections[0]] + .assumed(assumed) + sections[1...]).narrowed(to: narrowed)
    }

    // The figures of the last step.
    private var end: StepFigures { steps[steps.count - 1] }

    /// The number of devices of which the effects are known.
    var evaluated: Int { devices - unevaluated }

    private var headline: String {
        [answer, consequence].compactMap(\.self).joined(separator: "; ")
            + (goodRejected.map { ", \($0.grouped) of them good" } ?? "") + acceptance
    }

    private var acceptance: String { end.accepted > 0 ? "; \(end.accepted.grouped) would newly be accepted" : "" }

    // When a mistake would be noticed, and how many devices it would have hit by then; `nil` where nothing is compared.
    private var answer: String? {
        guard let notice else { return nil }
        guard let seconds = notice.seconds, let point = noticedPoint else {
            return
                "a mistake would be noticed in \(notice.noticed.grouped) of \(notice.runs.counting("run")) only: these steps are too short for it"
        }
        return "a mistake would be noticed after \(RolloutDuration.words(seconds)), with "
            + "\(point.rejected.counting("device")) newly rejected instead of \(point.atOnce.grouped)"
    }

    private var consequence: String {
        let share = end.rejected > 0 ? " (\(end.rejected.share(of: evaluated)))" : ""
        return "\(end.rejected.grouped) of \(evaluated.counting("device"))\(share) would newly be rejected by the end"
    }

    // The newly rejected devices that are found wrong, because they are good; `nil` without labels.
    private var goodRejected: Int? { end.labels.map { $0.rejected[.good] ?? 0 } }

    /// A time in the rollout as people say it: `Tue 14:00`, with the date where the rollout lasts for a week or more.
    func clock(_ time: Instant) -> String {
        ClockWords.text(time, isDated: last - start >= 7 * Instant.secondsPerDay)
    }

    // MARK: Grounds

    /// The sentences on what the figures rest on.
    var grounds: [ReportSection.Term] {
        var terms = notices.map { ReportSection.Term("Notice", ReportText($0)) }
        if let filteredPolicy = plan.filteredPolicy, filteredPolicy.rules != plan.policy.rules {
            terms.append(
                .init(
                    "Rules",
                    "until all devices have it, the change comes with the rules `\(filteredPolicy.rules)` (R7.3), which may set other flags at the service"
                ))
        }
        terms += sampled.map { .init("Devices", ReportText($0)) }
        return terms + labelGrounds
    }

    private var labelGrounds: [ReportSection.Term] {
        labels.map { [.init("Labels", ReportText($0.ending($0.lanes).joined(separator: "; ")))] } ?? []
    }

    private var notices: [String] {
        guard notice != nil else { return [] }
        let level = Int((RolloutWatch.significance * 100).rounded())
        return [
            "somebody compares the failing sampled devices with the other failing ones after each failure, by a sequential "
                + "test of level \(level) % for the whole rollout, in \(runs.count.grouped) runs with other sampled devices "
                + "(seed \(runs.seed))"
        ]
    }

    private var sampled: [String] {
        let name = isOfCapture ? "capture" : "scenario"
        var sentences = [
            "the figures are of this \(name) and of the devices that the account samples on its days; other days sample others"
        ]
        if let step = steps.indices.first(where: { !isReached($0) }) {
            sentences.append("the \(name) ends at \(clock(last)), before the step of \(plan.steps[step].stage.words)")
        }
        if unevaluated > 0 {
            sentences.append(
                "\(unevaluated.counting("device")) \(unevaluated.agreeing("is", "are")) not evaluated, because a search of a filter was given up"
            )
        }
        return sentences
    }
}

// MARK: Parts of another report

extension Rollout {
    /// The rollout as parts of another text.
    ///
    /// - Parameter atOnce: The devices that the change newly rejects if it comes to all devices at once.
    func parts(besides atOnce: Int) -> [ReportSection] {
        var first = byTime
        first.heading = .title("Rollout")
        first.sentences = [ReportText(headline)]
        if atOnce != end.rejected { first.notes.append(ReportText(difference(from: atOnce))) }
        return [first, stepSection.placed(.below), commands.placed(.below)]
    }

    // Why the rollout newly rejects another number of devices than the change to all devices at once.
    private func difference(from atOnce: Int) -> String {
        "at once, \(atOnce.grouped) would newly be rejected; in these steps the change decides on \(end.met.grouped) of the "
            + "\(evaluated.counting("device")), and the others attest only before it reaches them"
    }

    /// The rollout as blocks of another page: the curve beside the commands and the notes.
    ///
    /// - Parameter atOnce: The devices that the change newly rejects if it comes to all devices at once.
    func blocks(besides atOnce: Int) -> [ReportSection] {
        var first = parts(besides: atOnce)[0].placed(.half)
        var own = commands.placed(.half)
        own.heading = .title("Its commands")
        // There is room for notes below the commands.
        own.lists += first.notes.map { ReportList(head: $0, items: []) }
        (first.table, first.notes) = (nil, [])
        first.curve?.isLow = true
        return [first, own]
    }
}

// MARK: Page

extension Rollout {
    /// The report as a page, with the newly rejected devices as a curve over time.
    package func page(in setting: ReportSetting) -> ReportPage {
        let (name, origin) = (plan.before.name, setting.origin)
        var change = ComparedAccounts.Policies()
        (change.before, change.after) = ("\(plan.before.policy)", "\(plan.policy)")
        let inSteps = steps.count == 1 ? "in one step" : "in \(steps.count.grouped) steps"
        var rests = ReportSection(.title("What this rests on"))
        rests.terms = grounds
        return ReportPage(
            title: change.title(of: name, isChange: true) + ", \(inSteps)",
            scope: narrowed.scope + (assumed?.scope ?? []) + [
                SpanWords.text(from: start, to: last), devices.counting("device"),
            ], head: head,
            sections: .assumed(assumed) + [byTime, stepSection, commands, rests] + origin.sections(), origin: origin)
    }

    private var head: ReportHead {
        var head = ReportHead(
            answer ?? consequence,
            verdict: notice.map { $0.seconds == nil ? "Not noticed in time" : "Noticed in time" })
        if answer != nil {
            head.details = [ReportText(consequence) + labelledWords + "."]
        } else if goodRejected != nil {
            head.details = [ReportText("of all devices at once") + labelledWords + "."]
        }
        if end.accepted > 0 {
            head.facts = [
                .init(
                    "Newly accepted by the end", end.accepted.grouped, of: "of \(evaluated.grouped)",
                    ReportText(end.accepted.share(of: evaluated))),
                .init("\(isOfCapture ? "Attestations" : "Fetches") that lose their token", end.lost.grouped),
            ]
        }
        return head
    }

    // `; of the labelled ones 1 good, 3 bad`
    private var labelledWords: ReportText {
        guard let labels = end.labels else { return "" }
        let words = "\((labels.rejected[.good] ?? 0).grouped) good, \((labels.rejected[.bad] ?? 0).grouped) bad"
        return ReportText("; of the labelled ones ") + ReportText(words, .strong)
    }

    /// The newly rejected devices by time: a curve, and its figures at some times.
    var byTime: ReportSection {
        var section = ReportSection(.title("Newly rejected devices"))
        section.curve = CurvePlot(
            title: "Newly rejected devices by time, with this rollout and with the change for all at once",
            from: start, to: max(last, start + 1), unit: "devices",
            lines: [
                .init(
                    name: "all devices at once", tone: .neutral, points: curve.points.map { ($0.time, $0.atOnce) }),
                .init(name: "with this rollout", tone: .worse, points: curve.points.map { ($0.time, $0.rejected) }),
            ],
            bands: steps.indices.filter { start(of: $0) < last }.map {
                .init(name: plan.steps[$0].stage.words, from: start(of: $0))
            }, mark: mark)
        let shown = shownPoints
        section.table = ReportTable(
            [.text("by")] + RolloutCurve.columns.all.flatMap(\.shown).map(\.column),
            shown.map { point in
                [.time(clock(point.time))] + RolloutCurve.columns.all.flatMap(\.shown).map { $0.cell(point) }
            })
        section.fold = "The figures"
        return section
    }

    private var mark: CurvePlot.Mark? {
        guard let point = noticedPoint, let notice else { return nil }
        return CurvePlot.Mark(
            // Rounded up, so that it is noticed by then.
            time: point.time, words: "noticed by \(clock(point.time + 59))",
            more: "in \(RolloutNotice.percent) % of \(notice.runs.counting("run"))", count: point.rejected,
            countWords: "\(point.rejected.grouped) newly rejected")
    }

    // The number of times in a table.
    private static let rowLimit = 12

    // Some points of the curve at even distances, and its last one.
    private var shownPoints: [RolloutCurve.Point] {
        let all = curve.points
        let every = max(1, (all.count - 1 + Self.rowLimit - 1) / Self.rowLimit)
        return all.indices.filter { $0 > 0 && $0 % every == 0 && $0 + every / 2 < all.count - 1 || $0 == all.count - 1 }
            .map { all[$0] }
    }

    private var stepSection: ReportSection {
        ReportSection(
            .title("Steps"), sentences: ["figures add up from the start"],
            table: Self.stepColumns.table(
                of: rows,
                showing: [
                    "percent", "start", "met-devices", "share", "newly-rejected-devices", "labels",
                    "newly-accepted-devices", "lost-fetches", "labels.cost", "words",
                ], without: omitted))
    }

    /// The commands, step by step.
    var commands: ReportSection {
        let lists = steps.indices.map { index in
            ReportList(
                head: ReportText("\(plan.steps[index].stage.words) from \(clock(start(of: index))):"),
                items: plan.steps[index].commands, isOutput: true)
        }
        return ReportSection(.title("Commands"), lists: lists)
    }
}
