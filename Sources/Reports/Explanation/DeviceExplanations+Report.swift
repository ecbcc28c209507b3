package import Analysis
package import PolicyEngine

extension DeviceExplanations: PlainReport {
    /// A section for each attestation, and the rules on which the decisions rest.
    package var sections: [ReportSection] { explanations.map(\.section) + decidedRules.sections }

    /// The attestations, and the rules: `"explanations":[…],"decided-rules":[…]`.
    package var members: [(key: String, value: JSONValue)] {
        [("explanations", .array(explanations.map(\.value))), decidedRules.member]
    }
}

extension Explanation {
    /// The explanation as a section: the verdict, the steps, and what would turn it.
    var section: ReportSection {
        let verdict = passed ? ReportText("pass", .good) : ReportText("fail", .bad)
        let rows: [[ReportTable.Cell]] = steps.flatMap { step in
            step.lines.enumerated().map { index, line in
                index == 0
                    ? [.number(step.number), .text(step.name), .text(line)] : [.text(""), .text(""), .text(line)]
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
}

extension Explanation {
    fileprivate var value: JSONValue {
        .sorted([
            "device": .string(device.description), "time": .string(time.description),
            "verdict": .string(passed ? "pass" : "fail"), "policy": .string(policy),
            "steps": .array(
                steps.map { step in
                    .sorted([
                        "number": .integer(step.number), "name": .string(step.name),
                        "lines": .array(step.lines.map { .string($0) }),
                    ])
                }),
            "flips": .array(flips.map { .array($0.commands.map { .string($0) }) }),
        ])
    }
}
