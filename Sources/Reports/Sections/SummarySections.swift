internal import Accounts
internal import Figures
internal import PolicyEngine

extension AccountSummary {
    /// The sections of a summary, in the order of the manual (Summary Emails).
    var sections: [ReportSection] {
        [usage, policy, devices(passed: true), devices(passed: false)] + causes(ofFailures: window?.failed ?? 0)
            + [flags]
    }

    /// The subject of the mail: `Monthly summary of account bank`.
    var title: String {
        "\(frequency == .daily ? "Daily" : "Monthly") summary of account \(account.name)"
    }

    /// The days that it is about, in words.
    var period: String {
        guard let start = window?.start, let end else { return "nothing was attested" }
        let last = (end + -1).date.description
        return start.date.description == last ? last : "\(start.date) to \(last)"
    }

    // Whatever the window is, the bill is made by the month.
    private var usage: ReportSection {
        let rows: [[ReportTable.Cell]] = [
            [.text("devices with valid tokens this billing month"), .number(month?.passed ?? 0)]
        ]
        return ReportSection(.title("Monthly usage"), table: ReportTable([.text(), .figure()], rows))
    }

    private var policy: ReportSection {
        let lines = PolicyText.lines(of: account).prefix { !$0.hasPrefix("flag level") }
        return ReportSection(.title("Security policy"), lists: [ReportList(items: lines.map(\.self), isOutput: true)])
    }

    private func devices(passed: Bool) -> ReportSection {
        let total = (passed ? window?.passed : window?.failed) ?? 0
        let rows: [[ReportTable.Cell]] =
            [[.text("all devices"), .number(total)]]
            + apps(passed: passed).map {
                [.text("app \($0.name)"), .number($0.devices), .share($0.devices, of: total)]
            }
        return ReportSection(
            .title(passed ? "Passing devices" : "Failing devices"),
            table: ReportTable([.text(), .figure(), .figure()], rows))
    }

    private func causes(ofFailures total: Int) -> [ReportSection] {
        guard !causes.isEmpty else { return [] }
        let rows: [[ReportTable.Cell]] = causes.map {
            [.text($0.name), .number($0.devices), .share($0.devices, of: total)]
        }
        return [
            ReportSection(
                .title("Failing devices, by the flag that caused it"),
                table: ReportTable([.text("flag"), .figure("devices"), .figure("share")], rows))
        ]
    }

    private var flags: ReportSection {
        let rejection = account.policy.rejection
        let catalogue = account.catalogue
        let rows: [[ReportTable.Cell]] = catalogue.flags.prefix(catalogue.namedCount).compactMap { known in
            guard let flag = catalogue.namedFlag(known.name) else { return nil }
            let effect =
                switch rejection.status(of: flag) {
                case .accepts: ""
                case .rejects: "rejects"
                case .rejectsUnlessXposed: "rejects unless xposed is set too"
                }
            return [.text(known.name), .text(effect), .text(known.meaning)]
        }
        return ReportSection(
            .title("Rejection flags"), table: ReportTable([.text("flag"), .text("effect"), .text("meaning")], rows))
    }
}
