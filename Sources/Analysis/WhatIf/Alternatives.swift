internal import Accounts
package import Figures
package import PolicyEngine
package import Replay

/// The single edits that do as much as a change against labelled bad devices, and cost no more: the best first.
package struct Alternatives: Sendable {
    package fileprivate(set) var edits: [Edit]
    /// The verdicts of the account as it is on labelled devices.
    package let now: LabelLane
    /// The verdicts after the change.
    package let change: LabelLane
    /// The number of single edits among which they were looked for.
    package let evaluated: Int
    /// The costs of wrong verdicts, by which edits are ordered; `nil` for the number of good devices that are blocked.
    package let cost: LabelCost?

    /// An edit, and its effects.
    package struct Edit: Sendable {
        /// The management command, as it is shown.
        package fileprivate(set) var command: String
        package let lane: LabelLane
        /// Newly rejected devices.
        package let rejected: Int
        /// Newly accepted devices.
        package let accepted: Int
        /// The token fetches of a day to expect; `nil` where the capture spans less than an hour.
        package let fetchesPerDay: Int?
    }

    /// Shows commands without what they say of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in edits.indices { edits[index].command = RedactedCommand.text(edits[index].command, by: redactor) }
    }
}

extension WhatIf {
    /// The best edits in place of a change.
    ///
    /// Each catches at least as many bad devices as the change. They are ordered by their costs where there are some, by the good
    /// devices that they block, by the unknown ones that they reject, and by all devices that they turn; none costs more than the
    /// change, or blocks more good devices without costs. An edit whose effect on a device is not known is none of them, nor one that
    /// decides about as many labelled devices as the account does now. Of a filter that rejects and one that bans as many devices, the
    /// better one is there.
    ///
    /// - Parameters:
    ///   - change: The verdicts after the change on labelled devices.
    ///   - after: The account after the change, which is no alternative to itself.
    ///   - before: The account that is edited.
    ///   - limit: The greatest number of edits.
    /// - Returns: `nil` without labels.
    package func alternatives(
        to change: LabelLane, making after: Account, of before: Account, limit: Int
    ) -> Alternatives? {
        guard let now = labels?.lanes.first else { return nil }
        let ranked = edits.enumerated().compactMap { number, edit -> (rank: [Int], edit: Edit, lane: LabelLane)? in
            guard let lane = edit.labels, edit.turnsAny, !edit.rejectsEverybody, edit.figures.unevaluatedDevices == 0,
                lane.bad.rejected >= change.bad.rejected,
                lane.bad.rejected != now.bad.rejected || lane.good.rejected != now.good.rejected
            else { return nil }
            let turned = edit.figures.rejected.devices + edit.figures.accepted.devices
            return (rank(of: lane) + [turned, number], edit, lane)
        }.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
        let most = rank(of: change)[0]
        var (chosen, seen): ([(rank: [Int], edit: Edit, lane: LabelLane)], Set<[String]>) = ([], [])
        for one in ranked where chosen.count < limit && one.rank[0] <= most {
            guard one.edit.command.edited(before) != after, seen.insert(one.edit.effect).inserted else { continue }
            chosen.append(one)
        }
        return Alternatives(
            edits: chosen.map { _, edit, lane in
                Alternatives.Edit(
                    command: edit.text, lane: lane, rejected: edit.figures.rejected.devices,
                    accepted: edit.figures.accepted.devices, fetchesPerDay: fetchesPerDay(after: edit))
            }, now: now, change: change, evaluated: evaluated, cost: cost)
    }

    private func rank(of lane: LabelLane) -> [Int] {
        (cost.map { [$0.cost(of: lane)] } ?? []) + [lane.blockedAtMost, lane.unknown.rejectedAtMost]
    }
}

extension WhatIf.Edit {
    // The edit without the action of a filter, and the devices that it turns.
    fileprivate var effect: [String] {
        let words = text.split(separator: " ").filter { !["-reject", "-ban"].contains($0) }
        return [words.joined(separator: " "), "\(figures.rejected.devices)", "\(figures.accepted.devices)"]
    }
}
