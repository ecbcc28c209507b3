internal import Documents
internal import Figures
internal import PolicyEngine

extension Report {
    /// The report as a page.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    func page(isVerbose: Bool, origin: ReportOrigin) -> ReportPage {
        var page = isOfScenarios ? runPage(isVerbose: isVerbose, origin: origin) : replayPage(origin)
        page.scope = narrowed.scope + (assumed?.scope ?? []) + page.scope
        page.sections = page.sections.filter { !$0.isBare }
        return page
    }

    // The reasons, the times, who fails, what labels say, and the rest.
    private func replayPage(_ origin: ReportOrigin) -> ReportPage {
        let title = account.isEmpty ? "Replay" : "\(account): \(policyInForce)"
        let made = origin.sections(explaining: explanation(origin))
        if isOfFetchesAlone {
            let head = ReportHead(
                "\((fetches?.total ?? 0).grouped) \((fetches?.total ?? 0).agreeing("fetch", "fetches")) of \((fetches?.devices ?? 0).counting("device"))"
            )
            return ReportPage(title: title, head: head, sections: fetchSections + made, origin: origin)
        }
        let sections: [[ReportSection]] = [
            .assumed(assumed), figures.rejections.map { $0.placed(.half) }, times.map { $0.placed(.half) },
            figures.apps.map { $0.placed(.half) },
            labelSections, confidence == nil ? [] : intervalSections, (figures.frequencies ?? []).map(\.section),
            figures.others.map { $0.placed(.half) }, fetchSections, grounds, made,
        ]
        return ReportPage(
            title: title, scope: SpanWords.scope(of: figures.hours) + [figures.devices.unique.counting("device")],
            head: replayHead, sections: sections.flatMap(\.self), origin: origin)
    }

    private var times: [ReportSection] {
        guard let times = TimeSections(figures.windows) else { return [] }
        return [times.devices([figures]) ?? times.attestations([figures])].compactMap(\.self)
    }

    private var policyInForce: String {
        let policies = figures.policies.map(\.key)
        return policies.count == 1 ? policies[0] : "what the account decides"
    }

    // MARK: Head

    private var replayHead: ReportHead {
        let (failed, all) = (figures.metrics[.fail] ?? 0, figures.attestations)
        let devices = figures.devices.unique
        var head = ReportHead(
            figures.failingDevices == 0
                ? "All \(devices.counting("device")) pass"
                : "\(figures.failingDevices.grouped) of \(devices.counting("device")) fail: "
                    + figures.failingDevices.share(of: devices))
        let isByDevice = failed == figures.failingDevices && all == devices
        let attestations =
            isByDevice ? nil : "\(failed.grouped) of \(all.counting("attestation")) fail (\(failed.share(of: all)))"
        let details = [attestations, commonest].compactMap(\.self).joined(separator: ", ")
        if !details.isEmpty { head.details = [ReportText(details).capitalized + "."] }
        head.notes = figures.doubtWords.map { ReportText($0) }
        head.facts =
            reproducedFact + labelFacts + [
                .init("Devices billed", figures.billing.grouped, "those that passed")
            ]
        head.zeros = zeros
        return head
    }

    // The three commonest reasons, in attestations.
    private var commonest: String? {
        let causes = figures.metrics.compactMap { metric, count in
            if case .rejection(let rejection) = metric { (name: rejection.name, count: count) } else { nil }
        }.sorted { ($1.count, ExactText($0.name)) < ($0.count, ExactText($1.name)) }
        guard !causes.isEmpty else { return nil }
        return "most often for " + causes.prefix(3).map { "\($0.name) (\($0.count.grouped))" }.joined(separator: ", ")
    }

    private var reproducedFact: [ReportHead.Fact] {
        guard let reproduced = figures.reproduced else { return [] }
        let (agreed, compared) = (reproduced.agreed, reproduced.compared)
        let isGood = agreed * 1000 >= compared * 950
        return [
            .init(
                "Captured verdicts reproduced", agreed.share(of: compared),
                ReportText("\(agreed.grouped) of \(compared.grouped)")
                    + (isGood ? "" : ReportText(": is it the account of the capture?", .bad)))
        ]
    }

    private var labelFacts: [ReportHead.Fact] {
        guard let lane = figures.labels?.lanes.first else { return [] }
        return [
            .init("Bad devices caught", lane.bad.rejected.grouped, of: "of \(lane.bad.devices.grouped)", "by labels"),
            .init(
                "Good devices blocked", lane.good.rejected.grouped, of: "of \(lane.good.devices.grouped)", "by labels"),
        ]
    }

    private var zeros: [String] {
        var zeros: [String] = []
        if figures.devices.banned == 0 { zeros.append("no device is banned") }
        if figures.doubts.isEmpty, figures.unevaluated.leftOut == 0 { zeros.append("every device is evaluated") }
        if figures.unknownFlags.keys.isEmpty { zeros.append("every flag is known") }
        return zeros
    }

    // MARK: Grounds

    private var grounds: [ReportSection] {
        var section = ReportSection(.title("What this rests on"))
        let devices = figures.devices
        var counts = "\(devices.unique.grouped), \(devices.new.grouped) of them new"
        if devices.banned > 0 { counts += ", \(devices.banned.grouped) banned at the end" }
        section.terms = [.init("Devices", ReportText(counts))]
        if figures.malformed > 0 {
            section.terms.append(
                .init("Malformed", ReportText("\(figures.malformed.counting("record")) left out")))
        }
        if confidence == nil { section.terms.append(Intervals.withoutTerm) }
        return [section]
    }
}
