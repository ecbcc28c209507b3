import Figures

extension ComparisonFigures {
    /// The figures, one line for each that is not 0.
    var lines: [String: String] {
        var lines: [String: String] = [:]
        func note(_ name: String, _ count: Int) {
            if count > 0 { lines[name] = String(count) }
        }
        note("attestations", attestations)
        note("devices", devices)
        note("unjudged", unevaluated.devices)
        note("locked-out", lockedOut)
        note("let-in", letIn)
        for change in lifetimes { note("lifetimes/\(change.before)/\(change.after)", change.attestations) }
        note("annotations", annotations.attestations)
        note("annotations/appearing", annotations.appearing)
        note("annotations/disappearing", annotations.disappearing)
        for (flag, count) in annotations.gained { note("annotations/gained/\(flag)", count) }
        for (flag, count) in annotations.lost { note("annotations/lost/\(flag)", count) }
        lines.merge(rejected.lines("rejected")) { $1 }
        lines.merge(accepted.lines("accepted")) { $1 }
        return lines
    }
}

extension ChangeFigures {
    fileprivate func lines(_ title: String) -> [String: String] {
        var lines: [String: String] = [:]
        if attestations > 0 { lines["\(title)/attestations"] = String(attestations) }
        if devices > 0 { lines["\(title)/devices"] = String(devices) }
        for split in splits {
            for part in split.parts {
                lines["\(title)/\(split.kind)/\(part.name)"] =
                    "\(part.attestations) of \(part.devices), first \(part.example)"
            }
        }
        for (number, example) in examples.enumerated() {
            let sides = [example.before, example.after].map {
                "\($0.isValid ? "pass" : "fail") \($0.policy) \($0.reasons.map(\.name))"
            }
            lines["\(title)/example \(number)"] =
                "\(example.device) \(example.time) \(example.attestations) \(example.flags) "
                + sides.joined(separator: " → ")
        }
        return lines
    }
}
