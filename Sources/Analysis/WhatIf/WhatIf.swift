internal import Accounts
package import Figures
package import PolicyEngine
package import Replay
internal import Statistics

/// The effects of every edit of an account on a capture: one value behind every form of report.
package struct WhatIf: Sendable {
    /// The edits that are reported, in the order of the report.
    package private(set) var edits: [Edit]
    /// The number of edits that were evaluated, those that are not reported included.
    package let evaluated: Int
    /// The number of those that can turn a verdict of some device (``Edit/canTurn``).
    package private(set) var turnable: Int
    /// True if the effect of some edit on some device is known.
    package let evaluatesAnything: Bool
    /// The number of attestations that each was evaluated on.
    package let attestations: Int
    /// The number of their devices.
    package let devices: Int
    /// The token fetches of a day under the account as it is; `nil` where the capture spans less than an hour.
    package let fetchesPerDay: Int?
    /// The name of the account; empty if it has none.
    package let account: String
    /// Attestations by the start of their hour.
    package let hours: [Instant: VerdictCounts]
    /// The captured verdicts that the account gives again; `nil` if no record has one.
    package let reproduced: Figures.Reproduction?
    /// The level at which the intervals of all edits hold together; `nil` for none.
    package internal(set) var confidence: ConfidenceLevel?

    /// The verdicts of the account as it is on labelled devices (lane 0); `nil` where there are no labels.
    package let labels: LabelFigures?
    /// The costs of wrong verdicts; `nil` where none were given.
    package var cost: LabelCost?
    /// The narrowing of the captures; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The assumptions about signals under which the edits were evaluated; `nil` for none.
    package var assumed: AssumptionFigures?
    /// True if no edit catches as many bad devices at fewer good ones as the account as it is (``LabelFigures/frontier(of:)``).
    package let isAccountEfficient: Bool

    /// An edit, and its effects.
    package struct Edit: Sendable {
        /// The command that makes it.
        let command: ManagementCommand
        /// The command as it is shown.
        package fileprivate(set) var text: String
        package let figures: EditFigures
        /// The verdicts on labelled devices; `nil` where there are no labels.
        package let labels: LabelLane?
        /// True if it is on the efficient frontier of all edits (``LabelFigures/frontier(of:)``).
        package let isEfficient: Bool
        /// True for a policy under which nobody passes, though somebody does now: it is no edit that anybody weighs.
        package let rejectsEverybody: Bool
        /// False if it is known that it turns no verdict, whatever the devices are; looked for with a confidence level only.
        package fileprivate(set) var canTurn = true

        /// True if it takes a filter or a reject flag away: the devices that are rejected no longer were caught by it alone.
        package var takesAway: Bool {
            ["filter -remove ", "policy -removeRejectFlag "].contains { command.text.hasPrefix($0) }
        }

        /// True if it changes anything that is reported, as far as it is known.
        package var hasEffect: Bool { turnsAny || figures.expectedFetchesPerMille != 1000 }

        /// True if it turns a verdict on the captures, or may, as far as it is known.
        var turnsAny: Bool {
            figures.rejected.attestations > 0 || figures.accepted.attestations > 0 || figures.unevaluatedDevices > 0
        }
    }

    /// The orders in which edits can be reported.
    package enum Order: String, CaseIterable, Sendable {
        /// Policies, flags, filters, entries, as the account has them.
        case edit
        /// Those first that newly reject, or accept, the most devices.
        case newlyRejected = "newly-rejected"
        case newlyAccepted = "newly-accepted"
        /// Those first after which the most tokens are fetched.
        case tokenFetches = "token-fetches"
        /// Those first that save the most by the costs of wrong verdicts.
        case cost
    }

    /// - Parameters:
    ///   - summary: The figures of all edits.
    ///   - commands: The commands of its edits, in their order.
    ///   - account: The name of the account.
    init(_ summary: WhatIfSummary, commands: [ManagementCommand], account: String) {
        self.account = account
        let lanes = summary.labels?.lanes ?? []
        let total = Self.rejectingEverybody(summary, commands)
        let efficient = LabelFigures.frontier(of: lanes.filter { !total.contains($0.number - 1) })
        isAccountEfficient = efficient.contains(0)
        edits = zip(commands, summary.edits).enumerated().map { number, edit in
            let lane = number + 1 < lanes.count ? lanes[number + 1] : nil
            return Edit(
                command: edit.0, text: edit.0.text, figures: edit.1, labels: lane,
                isEfficient: efficient.contains(number + 1), rejectsEverybody: total.contains(number))
        }
        labels = summary.labels
        (evaluated, turnable) = (edits.count, edits.count)
        (attestations, devices) = (summary.attestations, summary.devices)
        evaluatesAnything = edits.contains { $0.figures.unevaluatedDevices < summary.devices }
        fetchesPerDay = summary.attestationsPerDay
        (hours, reproduced) = (summary.figures?.hours ?? [:], summary.figures?.reproduced)
    }

    // The numbers of the edits that set a policy under which no attestation passes.
    private static func rejectingEverybody(_ summary: WhatIfSummary, _ commands: [ManagementCommand]) -> Set<Int> {
        let passing = (summary.figures?.hours ?? [:]).values.reduce(0) { $0 + $1.passed }
        guard passing > 0 else { return [] }
        let policies = commands.indices.filter { commands[$0].text.hasPrefix("policy -set ") }
        return Set(
            policies.filter { number in
                let figures = summary.edits[number]
                return figures.rejected.attestations == passing && figures.accepted.attestations == 0
                    && figures.unevaluatedDevices == 0
            })
    }

    /// Looks at each edit that turns no verdict on the captures: some can turn none at all.
    ///
    /// - Parameter isIdle: True if it is known that an edit turns no verdict, whatever the devices are.
    mutating func findIdle(where isIdle: (ManagementCommand) -> Bool) {
        for index in edits.indices where !edits[index].turnsAny { edits[index].canTurn = !isIdle(edits[index].command) }
        turnable = edits.count(where: \.canTurn)
    }

    /// Shows commands without what they say of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in edits.indices { edits[index].text = RedactedCommand.text(edits[index].text, by: redactor) }
    }

    /// Reports only some edits.
    ///
    /// - Parameter isReported: True if an edit is reported.
    mutating func keep(where isReported: (Edit) -> Bool) { edits = edits.filter(isReported) }

    /// Reports only the edits that newly reject less than a share of all devices, as far as the sample proves it of all
    /// these edits together (``SimultaneousBounds``), and those that can turn no verdict. A device that could not be evaluated may
    /// be rejected.
    ///
    /// - Parameter share: The limit, from 0 to 1.
    mutating func keep(below share: Double, at confidence: Confidence) {
        let tested = edits.indices.filter { edits[$0].canTurn }
        let shares = tested.compactMap { index in
            let figures = edits[index].figures
            return Proportion(min(figures.rejected.devices + figures.unevaluatedDevices, devices), of: devices)
        }
        let bounds = SimultaneousBounds.upper(shares, limit: share, at: confidence)
        let excluded = Set(zip(tested, bounds).filter { $1 > share }.map(\.0))
        edits = edits.indices.filter { !excluded.contains($0) }.map { edits[$0] }
    }

    /// Reports the edits in an order; those that are equal in it keep the order of the account. Of edits that save the same, those
    /// come first that reject the fewest unknown devices.
    mutating func sort(by order: Order) {
        func figures(_ edit: Edit) -> [Int] {
            switch order {
            case .edit: []
            case .newlyRejected: [edit.figures.rejected.devices]
            case .newlyAccepted: [edit.figures.accepted.devices]
            case .tokenFetches: [edit.figures.expectedFetchesPerMille]
            case .cost: [saving(of: edit) ?? 0, -(edit.labels?.unknown.rejectedAtMost ?? 0)]
            }
        }
        edits = edits.enumerated().sorted { left, right in
            let (one, other) = (figures(left.element), figures(right.element))
            return one == other ? left.offset < right.offset : other.lexicographicallyPrecedes(one)
        }.map(\.element)
    }

    /// The cost that an edit saves on these captures; less than 0 if it costs more, and `nil` where there are no costs.
    package func saving(of edit: Edit) -> Int? {
        guard let cost, let lane = edit.labels else { return nil }
        return cost.saving(of: lane)
    }

    /// The token fetches of a day to expect after an edit.
    package func fetchesPerDay(after edit: Edit) -> Int? {
        fetchesPerDay.map { ($0 * edit.figures.expectedFetchesPerMille + 500) / 1000 }
    }
}
