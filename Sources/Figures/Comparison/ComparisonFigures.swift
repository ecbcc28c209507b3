internal import Documents
package import PolicyEngine

/// The effects of a change: two accounts on the same attestations.
package struct ComparisonFigures: Figure, Addable {
    /// The number of attestations that were compared, or of fetches of a scenario.
    package var events = 0
    /// The number of attestations among them; a fetch of a scenario is one where a side attests for it.
    package var attestations = 0
    /// The number of them that are of devices of which it is known what the change does to them.
    package var evaluatedEvents = 0
    /// The devices of which it is not known what the change does to them; they are in no figure of what changes.
    package var unevaluated = Figures.Unevaluated()
    /// The number of their devices.
    package var devices = 0
    /// Devices that got a valid token before and get none after.
    package var lockedOut = 0
    /// Devices that got none before and get a valid token after.
    package var letIn = 0
    /// Further evaluated devices that may be among those, as some of their verdicts depend on whether they were new.
    package var openTurns = 0
    /// The attestations that passed before and fail after.
    package var rejected = ChangeFigures()
    /// The attestations that failed before and pass after.
    package var accepted = ChangeFigures()
    /// The lifetimes of tokens on both sides, longest first.
    package var lifetimes: [LifetimeChange] = []
    package var annotations = AnnotationFigures()
    /// The attributes that filters look at.
    package var presences: [Presence] = []
    /// The disagreements of the account before with the service; the commonest first.
    package var disagreements: [Disagreement] = []
    /// The first and the last attestation.
    package var span: ClosedRange<Instant>?
    /// Devices that fail at least once on one side only.
    package var failing = FailingDevices()
    /// The number of attestations by clients of a scenario on both sides; `nil` for captures, where it is estimated.
    package var attested: (before: Int, after: Int)?
    /// The changes in what clients of a scenario get (R19a); `nil` for captures, which do not show them.
    package var clients: ClientChanges?
    /// The verdicts on labelled devices before the change (lane 0) and after it; `nil` where there are no labels.
    package var labels: LabelFigures?
    /// The decided rules on which the figures rest.
    package var decidedRules: DecidedRules = []

    /// Devices of which some request was accepted before and is not after (R19a).
    package var newlyBlocked: Int { clients?[.request]?.worse.devices ?? 0 }

    package static let fields: [FigureField<ComparisonFigures>] = [
        .sum("events", \.events, as: .none), .sum("attestations", \.attestations, "Attestations that were compared."),
        .sum("judged-events", \.evaluatedEvents, as: .none), .sum("unjudged", \.unevaluated, as: .none),
        .sum("devices", \.devices, "Their devices."),
        .sum("locked-out", \.lockedOut, "Devices that lose valid tokens altogether."),
        .sum("let-in", \.letIn, "Devices that gain valid tokens."),
        .sum("open-turns", \.openTurns, as: .none),
        .sum("rejected", \.rejected, as: .none), .sum("accepted", \.accepted, as: .none),
        .set("lifetimes", \.lifetimes, "Attestations by the lifetime of their token before and after, in seconds."),
        .sum("annotations", \.annotations, "Tokens that get other annotations."),
        .sum("presences", \.presences, as: .none),
        .set(
            "disagreements", \.disagreements,
            "Captured verdicts that the account before does not give, the commonest first."),
        .sum("span", \.span, as: .none),
        .sum("failing", \.failing, as: .none), .sum("labels", \.labels, as: .none),
        .sum(
            "decided-rules", \.decidedRules,
            "The rules on which the comparison rests, and which the manual leaves open."),
    ]

    package init() {}

    /// Attestations, or fetches of a scenario, by the lifetime of their token on both sides, in seconds.
    package struct LifetimeChange: Figure, Addable, Keyed, Hashable {
        package var before = 0
        package var after = 0
        package var events = 0
        package var attestations = 0

        package static let fields: [FigureField<LifetimeChange>] = [
            .value("before", \.before, "The lifetime before the change, in seconds."),
            .value("after", \.after, "The lifetime after it, in seconds."),
            .sum("events", \.events, "Fetches with these lifetimes.", as: .fetches),
            .sum("attestations", \.attestations, "Attestations with these lifetimes."),
        ]

        package init() {}

        package var key: [Int] { [before, after] }

        // Products of counts and lifetimes must fit.
        package var isPossible: Bool { key.allSatisfy(Figures.tokenLifetimes.contains) }
    }

    /// The number of records that have an attribute.
    package struct Presence: Figure, Addable, Keyed, Hashable {
        package var attribute = ""
        package var records = 0

        package static let fields: [FigureField<Presence>] = [
            .value("attribute", \.attribute), .sum("records", \.records),
        ]

        package init() {}

        package var key: ExactText { ExactText(attribute) }
    }

    /// Records on which the account before and the service disagree for the same reasons.
    package struct Disagreement: FirstSeen, Hashable {
        /// The verdict of the account; the service decided the opposite.
        package var verdict = Verdict.passes([])
        package var attestations = 0
        /// The first one: its number, device and time.
        package var index = 0
        package var example = DeviceID.blank
        package var time = Instant(secondsSinceEpoch: 0)

        package static let fields: [FigureField<Disagreement>] = [
            .value("verdict", \.verdict, as: .none),
            .derived("captured", "The captured verdict.", .verdict) {
                if case .fails = $0.verdict { .string("pass") } else { .string("fail") }
            },
            .derived("reasons", "Why the account before decides otherwise.", .list(of: .string)) {
                $0.verdict.names.reported
            }, .sum("attestations", \.attestations, "Attestations on which they disagree for these reasons."),
            .value("index", \.index, as: .none), .value("example", \.example, "The first of their devices."),
            .value("time", \.time, "When it attested."),
        ]

        package init() {}

        package var key: Verdict { verdict }
    }

    /// The maximum number of disagreements that are reported.
    package static let disagreementLimit = 10

    /// A verdict of an account, and its reasons.
    package enum Verdict: FigureValue, Hashable, Sendable {
        /// It rejects for these causes.
        case fails([Rejection])
        /// It accepts what has these flags, besides those that follow from others.
        case passes([ExactText])

        /// The names of the causes, or of the flags.
        package var names: [String] {
            switch self {
            case .fails(let rejections): rejections.map(\.name)
            case .passes(let flags): flags.map(\.text)
            }
        }

        package var partial: JSONValue {
            switch self {
            case .fails(let causes): .ordered([("fails", causes.partial)])
            case .passes(let flags): .ordered([("passes", flags.partial)])
            }
        }

        package init?(partial content: JSONContent) {
            if let causes: [Rejection] = content.member("fails") {
                self = .fails(causes)
            } else if let flags: [ExactText] = content.member("passes") {
                self = .passes(flags)
            } else {
                return nil
            }
        }
    }

    /// The token fetches to expect for every 1000 before the change, if clients always want a token: a token that lives
    /// shorter is fetched more often.
    package var expectedFetchesPerMille: Int {
        if let attested { return attested.before == 0 ? 1000 : attested.after.scaled(by: 1000, over: attested.before) }
        let total = lifetimes.reduce(0) { $0 + $1.events }
        guard total > 0 else { return 1000 }
        let after = lifetimes.reduce(0) { $0 + $1.events.scaled(by: $1.before * 1000, over: max(1, $1.after)) }
        return after.scaled(by: 1, over: total)
    }

    /// The attestations of a day before the change; `nil` where they span less than an hour.
    package var attestationsPerDay: Int? {
        guard let span, span.upperBound - span.lowerBound >= 3600 else { return nil }
        let count = attested?.before ?? events
        return Int(clamping: Int128(count) * Int128(Instant.secondsPerDay) / Int128(span.upperBound - span.lowerBound))
    }
}

/// The evaluated devices that fail at least once on one side of a comparison, and never on the other.
package struct FailingDevices: Figure, Addable, Hashable {
    package var before = 0
    package var after = 0
    /// Further ones that may be among those, as some of their verdicts depend on whether they were new.
    package var open = 0

    package static let fields: [FigureField<FailingDevices>] = [
        .sum("before", \.before), .sum("after", \.after), .sum("open", \.open),
    ]

    package init() {}
}

/// The effects of a change on the annotations of tokens.
package struct AnnotationFigures: Figure, Addable, Hashable {
    /// Attestations, or fetches of a scenario, whose annotations differ.
    package var events = 0
    /// The attestations among them.
    package var attestations = 0
    /// The number of their devices.
    package var devices = 0
    /// Tokens that had no annotation claim and have one.
    package var appearing = 0
    /// Tokens that had an annotation claim and have none.
    package var disappearing = 0
    /// By flag: tokens that gain it.
    package var gained = NamedCounts()
    /// By flag: tokens that lose it.
    package var lost = NamedCounts()

    package static let fields: [FigureField<AnnotationFigures>] = [
        .sum("events", \.events, "Fetches whose token gets other annotations.", as: .fetches),
        .sum("attestations", \.attestations, "Attestations whose token gets other annotations."),
        .sum("devices", \.devices, "Their devices."),
        .sum("appearing", \.appearing, "Tokens that newly have the claim."),
        .sum("disappearing", \.disappearing, "Tokens that have the claim no longer."),
        .sum("gained", \.gained, "Tokens by the flags that they newly name."),
        .sum("lost", \.lost, "Tokens by the flags that they name no longer."),
    ]

    package init() {}

    package mutating func count(
        _ before: FlagSet?, _ after: FlagSet?, _ counts: (events: Int, attestations: Int), _ catalogue: FlagCatalogue
    ) {
        let count = counts.events
        events += count
        attestations += counts.attestations
        if before == nil { appearing += count }
        if after == nil { disappearing += count }
        let (old, new) = (before ?? .empty, after ?? .empty)
        for name in catalogue.names(of: new.subtracting(old)) { gained[name, default: 0] += count }
        for name in catalogue.names(of: old.subtracting(new)) { lost[name, default: 0] += count }
    }
}

extension ComparisonFigures {
    /// The same in the order of reports: what is reported first comes first, and what is not reported is left out.
    package var finished: ComparisonFigures {
        var figures = self
        figures.rejected.finish()
        figures.accepted.finish()
        figures.lifetimes.sort { ($1.before, $1.after) < ($0.before, $0.after) }
        // Those of equal count are in the order of first sight.
        figures.disagreements.sort { ($1.attestations, $0.index) < ($0.attestations, $1.index) }
        figures.disagreements = Array(figures.disagreements.prefix(Self.disagreementLimit))
        return figures
    }
}
