package import Analysis
internal import Documents
package import PolicyEngine

extension DeviceExplanations: SectionedAnswer {
    package static let kind = ReportKind("explanations", "Explanations of devices", columns)

    /// A section for each attestation, and the rules on which the decisions rest.
    package var sections: [ReportSection] { Array(lazySections) }

    package func text(in setting: ReportSetting) -> [UInt8] { TextWriter(setting).bytes(of: lazySections) }

    // Each made when it is asked for, as a device may have very many attestations.
    private var lazySections: some Sequence<ReportSection> {
        let parts: [AnySequence<ReportSection>] = [
            AnySequence([ReportSection]().narrowed(to: narrowed)), AnySequence(explanations.lazy.map(\.section)),
            AnySequence(decidedRules.sections),
        ]
        return parts.lazy.joined()
    }

    /// The attestations, and the rules: `"explanations":[…],"decided-rules":[…]`.
    package var json: JSONValue { Self.columns.value(of: self) }

    static let columns = Columns<DeviceExplanations>(inOrder: [
        .version,
        .longList(
            "explanations", "The attestations of the device, in the order of time.", Explanation.columns, \.explanations
        ),
        .field(
            "decided-rules", "The rules on which the answer rests, and which the manual leaves open.", \.decidedRules),
        .narrowed(\.narrowed),
    ])
}

extension DeviceExplanations {
    /// The explanations as a page: how many attestations fail, and each with its steps.
    package func page(in setting: ReportSetting) -> ReportPage {
        let (all, failed) = (explanations.count, explanations.failed)
        let sections = ReportSection.firstOnPage("Attestations", explanations, of: all) { explanation in
            let words = "\(explanation.time): \(explanation.passed ? "pass" : "fail") under \(explanation.policy)"
            return ReportSection(.title(words), table: explanation.section.table, lists: explanation.section.lists)
        }
        return ReportPage(
            title: explanations.device?.description ?? "",
            scope: narrowed.scope
                + (explanations.span.map { [SpanWords.text(from: $0.lowerBound, to: $0.upperBound)] } ?? []),
            head: head(all: all, failed: failed), sections: sections + setting.origin.sections(),
            origin: setting.origin)
    }
}

extension DeviceExplanations {
    // The verdict and its reason where there is one attestation, and else how many of them fail.
    private func head(all: Int, failed: Int) -> ReportHead {
        let verdict = failed == 0 ? ReportText("✓ Passes", .good) : ReportText("✗ Fails", .bad)
        guard all == 1, let only = Array(explanations.prefix(1)).first else {
            let answer =
                failed == 0
                ? "All \(all.counting("attestation")) pass" : "\(failed.grouped) of \(all.counting("attestation")) fail"
            return ReportHead(answer, verdict: verdict, notes: decidedRules.lines)
        }
        let reason = only.steps.last(where: \.decides)?.lines ?? []
        guard !only.passed else {
            return ReportHead(
                "Passes under \(only.policy)", verdict: verdict, details: reason.map { ReportText($0) },
                notes: decidedRules.lines)
        }
        let causes = reason.map { $0.hasPrefix("fail: ") ? String($0.dropFirst(6)) : $0 }.joined(separator: ", ")
        return ReportHead("Fails for \(causes) under \(only.policy)", verdict: verdict, notes: decidedRules.lines)
    }
}

extension ReportSection {
    // The number of attestations or steps that a page explains.
    private static let explanationLimit = 50

    /// The sections of the first explanations below a title, and how many more there are.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - all: What is explained.
    ///   - count: The number of it.
    ///   - section: Makes the section of one of them.
    static func firstOnPage<Explained>(
        _ title: String, _ all: some Sequence<Explained>, of count: Int, _ section: (Explained) -> ReportSection
    ) -> [ReportSection] {
        let rest = count - min(count, explanationLimit)
        let words = ReportText("and \(rest.grouped) more; the same report as JSON has them all")
        let sections = all.prefix(explanationLimit).map { explained in
            var section = section(explained)
            section.place = .below
            return section
        }
        var head = ReportSection(.title(title))
        head.holdsParts = true
        return [head] + sections
            + (rest > 0 ? [ReportSection(.continuation, sentences: [words])] : [])
    }
}

extension Explanation {
    /// The explanation as a section: the verdict, the steps, and what would turn it.
    var section: ReportSection {
        let verdict = passed ? ReportText("pass", .good) : ReportText("fail", .bad)
        let rows: [[ReportTable.Cell]] = steps.flatMap { step in
            step.lines.enumerated().map { index, line in
                let emphasis: ReportText.Emphasis = step.decides ? .strong : .plain
                return index == 0
                    ? [
                        .number(step.number), .text(step.decides ? "→ \(step.name)" : step.name, emphasis),
                        .text(line, emphasis),
                    ] : [.text(""), .text(""), .text(line, emphasis)]
            }
        }
        return ReportSection(
            .notice(ReportText(device.description, .strong) + " \(time)  " + verdict + " under \(policy)"),
            table: ReportTable([.figure(), .text(), .text()], rows), lists: flipLists)
    }

    private var flipLists: [ReportList] {
        let wish = passed ? "fail" : "pass"
        let singles = flips.filter { $0.commands.count == 1 }
        let several = flips.filter { $0.commands.count > 1 }
        var lists: [ReportList] = []
        if singles.isEmpty {
            let pairs = several.contains { $0.commands.count == 2 } ? "" : ", and no two together"
            lists.append(ReportList(head: "no single change would make it \(wish)\(pairs)"))
        } else {
            lists.append(Self.list("to \(wish), any of:", singles))
        }
        if !several.isEmpty {
            lists.append(Self.list(singles.isEmpty ? "together, any of:" : "or, together:", several))
        }
        return lists
    }

    private static func list(_ head: ReportText, _ flips: [Flip]) -> ReportList {
        ReportList(head: head, items: flips.map { $0.commands.joined(separator: "  and  ") })
    }

    fileprivate static let columns = Columns<Explanation>(byName: [
        .field("device", "The ID of the device.", \.device), .field("time", "When the device attested.", \.time),
        .verdict("verdict", "What the account decides.", passed: \.passed),
        .field("policy", "The security policy that was applied.", \.policy),
        .list("steps", "The steps of the decision, in their order.", step, \.steps),
        .field("flips", "Commands that would turn the verdict; each item is a list of those that do it together.") {
            $0.flips.map(\.commands)
        },
    ])

    private static let step = Columns<Step>(byName: [
        .field("number", "The number of the step.", \.number), .field("name", "What the step is about.", \.name),
        .field("lines", "What was found and decided, in sentences.", \.lines),
    ])
}
