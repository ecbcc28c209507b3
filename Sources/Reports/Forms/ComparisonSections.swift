internal import Documents
internal import PolicyEngine
internal import Replay

/// A comparison in sections: what is said, in whatever form it is written.
struct ComparisonSections {
    private let comparison: Comparison

    init(_ comparison: Comparison) {
        self.comparison = comparison
    }

    /// The one sentence that a decision needs.
    var headline: String {
        let changes = comparison.changes
        let (out, all) = (changes.lockedOut, changes.devices)
        let stop =
            out == 0
            ? "no device of \(all.grouped) would stop getting valid tokens"
            : "\(out.grouped) of \(all.grouped) devices (\(out.share(of: all))) would stop getting valid tokens"
        let start = changes.letIn == 0 ? "none would start" : "\(changes.letIn.grouped) would start"
        return ([stop, start, fetches] + unjudgedDevices).joined(separator: "; ")
    }

    private var unjudgedDevices: [String] {
        let (out, all) = (comparison.changes.unjudged.devices, comparison.changes.devices)
        return out == 0 ? [] : ["\(out.grouped) (\(out.share(of: all))) are not judged"]
    }

    // What is compared.
    private var unit: String { comparison.isCapture ? "attestations" : "fetches" }

    /// What follows the headline, most important first; empty ones left out.
    var sections: [ReportSection] {
        [
            reproduction, policy, changed("Newly rejected", comparison.changes.rejected, to: "fail"),
            changed("Newly accepted", comparison.changes.accepted, to: "pass"),
            [lifetimes, annotations, unknownFlags, unjudged],
        ].flatMap(\.self).filter { !$0.isEmpty }
    }

    private var fetches: String {
        let ratio = comparison.changes.expectedFetchesPerMille
        if (995...1004).contains(ratio) { return "token fetches stay as they are" }
        return "token fetches \(ratio > 1000 ? "rise" : "fall") \(Self.times(ratio))"
    }

    // `1.4×` for 1400.
    private static func times(_ perMille: Int) -> String {
        let hundredths = (perMille + 5) / 10
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
        return rest == 0 ? "\(whole)×" : "\(whole).\(digits)×"
    }
}

// MARK: Sections

extension ComparisonSections {
    // Said before anything else: figures of an account that is not the one of the capture mean little.
    private var reproduction: [ReportSection] {
        guard let reproduced = comparison.before.figures.reproduced, reproduced.agreed < reproduced.compared else {
            return []
        }
        var section = ReportSection(title: "The account before does not reproduce the capture")
        let wrong = reproduced.compared - reproduced.agreed
        section.sentences = [
            "\(wrong.grouped) of \(reproduced.compared.grouped) captured verdicts "
                + "(\(wrong.share(of: reproduced.compared))) are others than those of this account; "
                + "is it the account of the capture?"
        ]
        section.heads = ["captured", "this account", "records", "first device"]
        section.textColumns = [1, 3]
        section.rows = comparison.changes.disagreements.map { disagreement in
            let reasons = disagreement.reasons.joined(separator: ", ")
            let mine =
                disagreement.captured
                ? "fails: \(reasons)" : reasons.isEmpty ? "passes" : "passes with \(reasons)"
            return [
                disagreement.captured ? "passed" : "failed", mine, disagreement.attestations.grouped,
                disagreement.example.description,
            ]
        }
        return [section]
    }

    private var policy: [ReportSection] {
        let (before, after) = comparison.policies
        var section = ReportSection(title: "Policy")
        section.sentences =
            before == after && comparison.difference.isEmpty
            ? ["\(before), before and after"] : ["before: \(before)", "after:  \(after)"]
        section.sentences += comparison.difference.others
        section.heads = comparison.difference.flags.isEmpty ? [] : ["flag", "before", "after"]
        section.textColumns = [1, 2]
        section.rows = comparison.difference.flags.map { [$0.name, $0.before.rawValue, $0.after.rawValue] }
        return [section]
    }

    private func changed(_ title: String, _ change: ChangeFigures, to verdict: String) -> [ReportSection] {
        guard change.events > 0 else { return [] }
        let all = comparison.changes
        var head = ReportSection(title: title)
        head.sentences = [
            "\(change.events.grouped) \(unit) (\(change.events.share(of: all.events))) of "
                + "\(change.devices.grouped) devices (\(change.devices.share(of: all.devices))) would \(verdict)"
        ]
        if comparison.isCapture, let fetches = change.fetches, let total = comparison.before.fetches?.total {
            head.sentences.append(
                "those devices make \(fetches.grouped) of \(total.grouped) fetches (\(fetches.share(of: total)))")
        }
        return [head] + change.splits.map { split(title, $0, of: change) } + [examples(title, change)]
    }

    private func split(_ title: String, _ split: ChangeFigures.Split, of change: ChangeFigures) -> ReportSection {
        var section = ReportSection(title: "\(title), by \(Self.words[split.kind] ?? split.kind)")
        section.heads = ["", "devices", "share", unit, "first device"]
        section.textColumns = [4]
        section.rows = split.parts.prefix(TextBuilder.rankingLimit).map { part in
            [
                part.name, part.devices.grouped, part.devices.share(of: change.devices), part.events.grouped,
                part.example.description,
            ]
        }
        if split.parts.count > TextBuilder.rankingLimit {
            section.sentences = ["the largest of \(split.parts.count.grouped)"]
        }
        return section
    }

    private static let words = ["other": "other reason", "version": "app version", "system": "operating system"]

    private func examples(_ title: String, _ change: ChangeFigures) -> ReportSection {
        var section = ReportSection(title: "\(title), for example")
        section.heads = ["device", "before", "after", "like it"]
        section.textColumns = [1, 2]
        section.rows = change.examples.map { example in
            [
                example.device.description, Self.text(of: example.before), Self.text(of: example.after),
                example.events.grouped,
            ]
        }
        return section
    }

    private static func text(of side: ChangeFigures.Side) -> String {
        if side.isValid { return "passes under \(side.policy)" }
        let reasons = side.reasons.map(\.name).joined(separator: ", ")
        return side.policy.isEmpty ? reasons : "\(reasons) under \(side.policy)"
    }

    private var lifetimes: ReportSection {
        var section = ReportSection(title: "Token lifetimes")
        let changes = comparison.changes
        section.heads = ["before", "after", unit, "share"]
        section.rows = changes.lifetimes.map {
            [
                "\($0.before) s", "\($0.after) s", $0.events.grouped,
                $0.events.share(of: changes.events),
            ]
        }
        if let perDay = changes.attestationsPerDay {
            let after = (perDay * changes.expectedFetchesPerMille + 500) / 1000
            section.sentences = ["token fetches a day: \(perDay.grouped) before, \(after.grouped) expected after"]
        }
        return section
    }

    private var annotations: ReportSection {
        var section = ReportSection(title: "Annotations")
        let changes = comparison.changes.annotations
        guard changes.events > 0 else { return section }
        if changes.appearing > 0 {
            section.sentences.append("\(changes.appearing.grouped) \(tokens) newly have the claim")
        }
        if changes.disappearing > 0 {
            section.sentences.append("\(changes.disappearing.grouped) \(tokens) have the claim no longer")
        }
        let names = Set((changes.gained.keys + changes.lost.keys).map { ExactText($0) }).sorted().map(\.text)
        section.heads = names.isEmpty ? [] : ["flag", "newly told", "no longer told"]
        section.rows = names.map {
            [$0, (changes.gained[$0] ?? 0).grouped, (changes.lost[$0] ?? 0).grouped]
        }
        return section
    }

    // A cached token is told of at each fetch that returns it.
    private var tokens: String { comparison.isCapture ? "tokens" : "fetched tokens" }

    private var unknownFlags: ReportSection {
        var section = ReportSection(title: "Flags that no policy knows")
        let (before, after) = (comparison.before.figures.unknownFlags, comparison.after.figures.unknownFlags)
        let names = Set((before.keys + after.keys).map { ExactText($0) }).sorted().map(\.text)
        section.heads = ["flag", "attestations", "unknown"]
        section.textColumns = [2]
        section.rows = names.map { name in
            let place =
                switch (before[name], after[name]) {
                case (.some, .some): "before and after"
                case (.some, nil): "before"
                default: "after"
                }
            return [name, (before[name] ?? after[name] ?? 0).grouped, place]
        }
        return section
    }

    private var unjudged: ReportSection {
        ReportSection(title: "What this capture cannot tell", sentences: comparison.unjudged)
    }
}
