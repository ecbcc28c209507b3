internal import Documents
package import PolicyEngine
internal import Scenarios

/// Writes explanations for people.
package enum TextExplanation {
    /// The explanations as lines; equal explanations give equal text.
    package static func text(of explanations: [Explanation], device: DeviceID, style: TextStyle = .plain) -> String {
        var text = TextBuilder(style: style)
        for explanation in explanations {
            let verdict = explanation.passed ? style.good("pass") : style.bad("fail")
            if explanation != explanations.first { text.blank() }
            text.line("\(style.strong(device.description)) \(explanation.time)  \(verdict) under \(explanation.policy)")
            for step in explanation.steps { add(step, to: &text) }
            add(explanation.flips, of: explanation, to: &text)
        }
        return text.finished
    }

    private static func add(_ step: Explanation.Step, to text: inout TextBuilder) {
        for (place, line) in step.lines.enumerated() {
            let head = place == 0 ? "\(step.number)".rightAligned(to: 4) + "  " + step.name.padded(to: 13) : ""
            text.line(head.padded(to: 19) + line.showingControls())
        }
    }

    private static func add(_ flips: [Explanation.Flip], of explanation: Explanation, to text: inout TextBuilder) {
        let wish = explanation.passed ? "fail" : "pass"
        let singles = flips.filter { $0.commands.count == 1 }
        let several = flips.filter { $0.commands.count > 1 }
        if !singles.isEmpty { add(singles, "to \(wish), any of:", to: &text) }
        guard !several.isEmpty || singles.isEmpty else { return }
        if singles.isEmpty {
            let pairs = several.contains { $0.commands.count == 2 } ? "" : ", and no two together"
            text.line("      no single change would make it \(wish)\(pairs)")
        }
        if !several.isEmpty { add(several, singles.isEmpty ? "together, any of:" : "or, together:", to: &text) }
    }

    private static func add(_ flips: [Explanation.Flip], _ head: String, to text: inout TextBuilder) {
        text.line("      " + head)
        for flip in flips {
            text.line("        " + flip.commands.joined(separator: "  and  ").showingControls())
        }
    }
}
