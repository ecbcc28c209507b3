internal import Documents
internal import Figures
internal import PolicyEngine

extension AssumptionFigures {
    /// The assumptions and their effects: on the devices as they were drawn, and over all draws.
    var section: ReportSection {
        let devices = parts.map { part in
            let drawn =
                part.drawn == part.devices
                ? part.devices.counting("device") : "\(part.drawn.grouped) of \(part.devices.counting("device"))"
            return ReportSection.Term("Assumed", ReportText("`\(part.text)`: \(drawn)"))
        }
        var section = ReportSection(
            .title("What is assumed"),
            table: effects.isEmpty
                ? nil : Self.effectColumns.table(of: effects, anchor: { "effect \($0.cause.rawValue)" }))
        section.terms = devices
        section.notes = (draws?.sentences ?? []).map { ReportText($0) }
        return section
    }

    /// The assumptions as a part of the extent of a page.
    var scope: [String] { ["assumed: " + parts.map(\.text).joined(separator: "; ")] }

    /// The columns of the object in JSON.
    static let columns = Columns<AssumptionFigures>(byName: [
        .list("assumptions", "The assumptions, in their order.", part, \.parts),
        .list(
            "effects", "The effects, each compared with the account and the records as they are.", effectColumns,
            \.effects),
        .optional("draws", "The figures over all choices of the share of devices.", drawColumns, \.draws),
    ])

    private static let part = Columns<Part>(byName: [
        .field("assumption", "The assumption as it was typed.", \.text),
        .field("devices", "The devices that it is about.", \.devices),
        .field("drawn", "Those of them that were drawn.", \.drawn),
    ])

    private static let effectColumns = Columns<Effect>(byName: [
        .word(
            "of", "The change of the account alone, the assumptions alone, or both.", of: Cause.allCases.map(\.rawValue)
        ) {
            $0.cause.rawValue
        }.text("effect of") { .text($0.cause.words) },
        .field("newly-rejected", "Devices that are newly rejected.", \.rejected).figure("newly rejected"),
        .field("newly-accepted", "Devices that are newly accepted.", \.accepted).figure("newly accepted"),
        .field("locked-out", "Devices that lose valid tokens altogether.", \.lockedOut).figure("stop getting tokens"),
        .field("let-in", "Devices that gain valid tokens.", \.letIn).figure("start getting tokens"),
        .field("unjudged-devices", "Devices that were not evaluated.", \.unevaluated),
    ])

    private static let drawColumns = Columns<Draws>(byName: [
        .field("devices", "The devices that the share is taken of.", \.devices),
        .field("taken", "As many of them as the share is, rounded.", \.taken),
        .object("newly-rejected", "Devices that are newly rejected.", count, \.rejected),
        .object("newly-accepted", "Devices that are newly accepted.", count, \.accepted),
        .field("unjudged-devices", "Those of the devices that were not evaluated.", \.unevaluated),
    ])

    private static let count = Columns<DrawnCount>(byName: [
        .number("expected", "The number to expect if each device is drawn by itself with the probability of the share.")
        {
            $0.expected
        },
        .number("deviation", "The standard deviation of that number.") { $0.deviation },
        .field("fewest", "The least number over all choices of as many devices.", \.fewest),
        .field("most", "The greatest number over all choices of as many devices.", \.most),
    ])
}

extension AssumptionFigures.Cause {
    fileprivate var words: String {
        switch self {
        case .change: "the change alone"
        case .assumption: "the assumption alone"
        case .both: "both"
        }
    }
}

extension AssumptionFigures.Draws {
    // The figures that count, each in a sentence.
    fileprivate var sentences: [String] {
        guard taken > 0 else { return [] }
        let counts = [("newly rejected", rejected), ("newly accepted", accepted)].filter { $1.most > 0 }
        let sentences = counts.map { name, count in
            "over all draws, \(count.expected.text(decimals: 1)) devices are \(name) on average "
                + "(standard deviation \(count.deviation.text(decimals: 1))); whichever \(taken.grouped) of the "
                + "\(devices.counting("device")) it is, between \(count.fewest.grouped) and \(count.most.grouped)"
        }
        guard unevaluated > 0 else { return sentences }
        let (some, are) = (unevaluated.counting("device"), unevaluated.agreeing("is", "are"))
        return sentences + ["\(some) of the group \(are) not evaluated, and may be among those that are drawn"]
    }
}

extension [ReportSection] {
    /// The section on assumptions, in front of others.
    static func assumed(_ figures: AssumptionFigures?) -> [ReportSection] { figures.map { [$0.section] } ?? [] }
}

extension Column {
    /// The effects of assumptions about signals.
    static func assumed(_ read: @escaping Reading<AssumptionFigures?>) -> Self {
        .optional("assumed", "The effects of assumptions about signals.", AssumptionFigures.columns, read)
    }
}
