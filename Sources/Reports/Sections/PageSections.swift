internal import Documents
internal import Figures

extension Report {
    /// The report as a page.
    ///
    /// - Parameters:
    ///   - isVerbose: True if every step of a scenario is shown.
    ///   - origin: The origin of the report.
    func page(isVerbose: Bool, origin: ReportOrigin) -> ReportPage {
        let page = isOfScenarios ? runPage(isVerbose: isVerbose) : replayPage
        return ReportPage(
            title: page.title, scope: page.scope, card: page.card,
            sections: page.sections.filter { !$0.isBare } + ReportSection.explanation(explanation(origin))
                + origin.sections, origin: origin)
    }
}

// MARK: Replays

extension Report {
    typealias Parts = (title: String, scope: [String], card: ReportCard, sections: [ReportSection])

    private var replayPage: Parts {
        let times = TimeSections.all(figures.windows)
        let sections =
            [times.first?.attestations([figures])].compactMap(\.self) + times.compactMap { $0.devices([figures]) }
        return (
            account.isEmpty ? "Replay" : "\(account): \(policyInForce)", SpanWords.scope(of: figures.hours) + devices,
            isOfFetchesAlone ? fetchCard : attestationCard,
            isOfFetchesAlone
                ? fetchSections
                : figures.rejections + figures.apps + labelSections + pageIntervals + sections + figures.others
                    + fetchSections
                    + (figures.frequencies ?? []).map(\.section)
        )
    }

    private var devices: [String] { isOfFetchesAlone ? [] : [figures.devices.unique.counting("device")] }

    private var policyInForce: String {
        let policies = figures.policies.map(\.key)
        return policies.count == 1 ? policies[0] : "what the account decides"
    }

    private var pageIntervals: [ReportSection] { confidence == nil ? [] : intervalSections }

    private var attestationCard: ReportCard {
        var card = figures.card
        if confidence == nil { card.notes += intervalSections.flatMap(\.sentences) }
        return card
    }

    private var fetchCard: ReportCard {
        ReportCard(facts: [
            .init((fetches?.total ?? 0).grouped, "fetches"),
            .init((fetches?.devices ?? 0).grouped, "devices that fetch"),
        ])
    }
}

extension Figures {
    /// The passed share, the devices, and the captured verdicts that the account gives again.
    fileprivate var card: ReportCard {
        let (passed, failed) = (metrics[.pass] ?? 0, metrics[.fail] ?? 0)
        var facts = [
            ReportCard.Fact(
                passed.share(of: attestations),
                "of \(attestations.counting("attestation")) passed: \(passed.grouped); \(failed.grouped) failed"),
            ReportCard.Fact(
                devices.unique.grouped,
                "\(devices.unique.agreeing("device", "devices")), \(devices.new.grouped) of them new"
                    + (devices.banned > 0 ? ", \(devices.banned.grouped) banned at the end" : "")
                    + "; \(billing.grouped) billed"),
        ]
        if let reproduced {
            let (agreed, compared) = (reproduced.agreed, reproduced.compared)
            facts.append(
                ReportCard.Fact(
                    agreed.share(of: compared),
                    "of \(compared.counting("captured verdict")) reproduced: \((compared - agreed).grouped) "
                        + (compared - agreed).agreeing("differs", "differ"),
                    agreed < compared ? .bad : .good))
        }
        facts += doubts.map { .init($0, of: devices.unique, "devices", "not evaluated: \($1)") }
        let notes: [ReportText] = malformed > 0 ? ["\(malformed.grouped) malformed records are left out"] : []
        return ReportCard(facts: facts, notes: notes)
    }
}
