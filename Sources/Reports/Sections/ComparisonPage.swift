internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

extension Comparison {
    /// The comparison as a page.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - limits: The caller's limits.
    ///   - origin: The origin of the comparison.
    func page(timeline: ChangeTimeline?, limits: [LimitResult], origin: ReportOrigin) -> ReportPage {
        let parts = ComparisonSections(self)
        return ReportPage(
            title: policies.title(of: account, isChange: !isOfEqualAccounts),
            scope: [origin.part].compactMap(\.self) + narrowed.scope + (assumed?.scope ?? [])
                + SpanWords.scope(of: before.figures.hours, after.figures.hours)
                + [changes.devices.counting("device")],
            head: parts.head(limits),
            sections: parts.body(timeline: timeline, times: times(change: timeline?.inForce))
                + origin.sections(explaining: explanation(origin)), origin: origin)
    }

    private func times(change: Instant?) -> [ReportSection] {
        let sides = [before.figures, after.figures]
        let windows = before.figures.windows.merging(after.figures.windows) { $0 + $1 }
        guard let times = TimeSections(windows) else { return [] }
        return [times.devices(sides, change: change) ?? times.attestations(sides, change: change)].compactMap(\.self)
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

// MARK: Head

extension ComparisonSections {
    /// The answer that decides, how sure it is, the verdicts on labelled devices, and what does not change.
    func head(_ limits: [LimitResult]) -> ReportHead {
        guard comparison.evaluatesAnything else {
            return ReportHead(
                "Nothing was evaluated", verdict: nil, details: comparison.emptiness.map { [ReportText($0)] } ?? [])
        }
        var head = ReportHead(
            answer, verdict: LimitResult.verdict(limits), details: details,
            notes: limits.map(\.line) + unevaluatedDevices.map { ReportText($0) })
        head.intervals = plot(limits)
        head.facts = facts
        head.zeros = zeros
        return head
    }

    // The change that most devices meet, without its share.
    private var answer: String {
        if losing == 0, let loss = losses.first { return condition + loss }
        if losing == 0, gaining > 0 { return condition + turned(gaining, changes.letIn, "start") }
        return condition + turned(losing, changes.lockedOut, "stop")
    }

    private func turned(_ devices: Int, _ always: Int, _ verb: String) -> String {
        let all = changes.devices.counting("device")
        if devices == 0, unknown == nil {
            return "no device of \(changes.devices.grouped) would \(verb) getting valid tokens"
        }
        let often = verb == "stop" ? "get no valid tokens at times" : "get valid tokens at more times"
        return devices > always
            ? "\(number(devices)) of \(all) would \(often), \(number(always)) would \(verb) getting them"
            : "\(number(always)) of \(all) would \(verb) getting valid tokens"
    }

    private var losses: [String] { sentences(.worse) { $0.kind != .token } }

    // The share, the labelled devices, and other changes.
    private var details: [ReportText] {
        let isLoss = losing > 0 || gaining == 0
        let devices = isLoss ? (losing > changes.lockedOut ? losing : changes.lockedOut) : gaining
        var share =
            devices == 0
            ? "" : "\(devices.share(of: changes.devices)) of \(comparison.isCapture ? "this capture" : "the devices")"
        if let interval = comparison.interval(of: devices, open: changes.openTurns), let level = comparison.confidence {
            share +=
                (share.isEmpty ? "" : "; ") + ShareText.interval(interval, digits: 2)
                + " of all devices (\(level.text))"
        }
        var first = ReportText(share.isEmpty ? "" : share + ".")
        if let after = changes.labels?.lanes.last, changes.rejected.devices > 0 {
            let words =
                "\(after.good.newlyRejected.grouped) good, \(after.bad.newlyRejected == 0 ? "no" : after.bad.newlyRejected.grouped) bad"
            first = first + " Of the labelled ones " + ReportText(words, .strong) + "."
        }
        let others =
            (losing > 0 ? losses : Array(losses.dropFirst()))
            + (isLoss && gaining > 0 ? [turned(gaining, changes.letIn, "start")] : [])
            + sentences(.better) { $0.kind != .token } + sentences(.other) { _ in true }
            + [comparison.annotationChange].compactMap(\.self)
            + (changes.fetchTimes == nil ? [] : [changes.fetchSentence])
        return (first.isEmpty ? [] : [first]) + others.map { ReportText($0).capitalized + "." }
    }

    private func plot(_ limits: [LimitResult]) -> IntervalPlot? {
        guard let level = comparison.confidence, changes.rejected.devices > 0,
            let interval = comparison.interval(of: changes.rejected.devices)
        else { return nil }
        let share = Double(changes.rejected.devices) / Double(max(changes.devices, 1))
        return IntervalPlot(
            title: ReportText("Newly rejected", .strong)
                + ReportText(", share of devices: this capture (dot), and all devices at \(level.text) (bar)"),
            rows: [.init(estimate: share, interval: interval, tone: .worse)],
            limit: limits.first { $0.name.hasPrefix("--max-newly-rejected ") }?.share.map {
                .init(share: $0, words: "limit \(BarScale.percent($0))")
            })
    }

    /// The next questions: labelled devices, newly accepted ones, and token fetches.
    var facts: [ReportHead.Fact] {
        labelFacts + (changes.accepted.devices == 0 ? [] : [accepted]) + fetchFact
    }

    private var accepted: ReportHead.Fact {
        ReportHead.Fact(
            "Newly accepted", number(changes.accepted.devices),
            of: "of \(changes.devices.grouped)",
            ReportText(
                comparison.intervalWords(of: changes.accepted.devices)
                    ?? changes.accepted.devices.share(of: changes.devices)))
    }

    private var labelFacts: [ReportHead.Fact] {
        guard let lanes = changes.labels?.lanes, lanes.count == 2 else { return [] }
        let (before, after) = (lanes[0], lanes[1])
        let cost = comparison.labelCost.map { cost in
            ReportHead.Fact(
                "Cost, \(LabelFigures.unit)", from: cost.cost(of: before), to: cost.cost(of: after), of: nil, more: .bad
            )
        }
        return [
            .init(
                "Good devices blocked", from: before.good.rejected, to: after.good.rejected, of: after.good.devices,
                more: .bad),
            .init(
                "Bad devices caught", from: before.bad.rejected, to: after.bad.rejected, of: after.bad.devices,
                more: .good),
        ] + (cost.map { [$0] } ?? [])
    }

    private var fetchFact: [ReportHead.Fact] {
        guard let perDay = changes.attestationsPerDay else { return [] }
        let after = perDay.scaled(by: changes.expectedFetchesPerMille, over: 1000)
        return [
            after == perDay
                ? .init("Token fetches a day", perDay.grouped, "as before")
                : .init(
                    "Token fetches a day", "\(perDay.grouped) → \(after.grouped)",
                    ReportText("expected after the change"))
        ]
    }

    // The changes that no device meets, all in one line.
    private var zeros: [String] {
        var zeros: [String] = []
        if changes.accepted.devices == 0, gaining == 0, unknown == nil {
            let most = comparison.interval(of: 0, open: changes.openTurns).map {
                " (\(ShareText.interval($0, digits: 2)) of all)"
            }
            zeros.append("no device is newly accepted\(most ?? "")")
        }
        if changes.annotations.events == 0 { zeros.append("no token gets other annotations") }
        if changes.unevaluated.devices == 0 {
            zeros.append(
                "\(changes.devices == 1 ? "the device is" : "all \(changes.devices.grouped) devices are") evaluated")
        }
        if changes.attestationsPerDay == nil, changes.fetchTimes == nil { zeros.append(changes.fetchSentence) }
        return zeros
    }
}
