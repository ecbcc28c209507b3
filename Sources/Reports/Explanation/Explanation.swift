package import PolicyEngine

/// Why one attestation of a device was decided as it was.
package struct Explanation: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// When it attested.
    package var time: Instant
    /// True if the token is valid.
    package var passed: Bool
    /// The policy applied.
    package var policy: String
    /// The steps in the order of R10, each in words.
    package var steps: [Step]
    /// The changes that would turn the verdict, if they were made from the start: alternatives, single commands first. One
    /// command for each way there is; if none alone does it, the smallest pairs.
    package var flips: [Flip]

    /// A step of the evaluation and its result.
    package struct Step: Hashable, Sendable {
        /// Its number in R10.
        package var number: Int
        /// The subject of the step.
        package var name: String
        /// Its result, a line each.
        package var lines: [String]
    }

    /// Management commands which together turn the verdict.
    package struct Flip: Hashable, Sendable {
        package var commands: [String]
    }
}

// MARK: The section

extension Explanation {
    /// The explanation as a section: the verdict, the steps, and what would turn it.
    package var section: ReportSection {
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
