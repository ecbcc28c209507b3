internal import Documents
internal import PolicyEngine

/// Of all fetches or requests: how many there are of a kind.
struct CountCheck: FetchCheckKind, FetchCheck {
    static let forms = Kind.all.map { (key: $0.key, schema: JSONSchema.reference(to: "count")) }
    let kind: Kind
    let range: CountRange
    var reach: Set<AccountPart> { [] }

    /// A kind of what is counted.
    enum Kind: Hashable, Sendable {
        /// Fetches that came back with a token, and calls that were answered.
        case answered(Answered)
        /// Fetches that said something of the configuration (R17.4).
        case notice(Notice)
        /// Requests (R19.5).
        case outcome(RequestOutcome)

        enum Answered: String, Hashable, Sendable, CaseIterable {
            case pass, fail, attested, cached
        }

        enum Notice: String, Hashable, Sendable, CaseIterable {
            case changed = "config-changed"
            case forced = "force-apply"
        }

        static let all =
            Answered.allCases.map(Kind.answered) + Notice.allCases.map(Kind.notice)
            + RequestOutcome.allCases.map(Kind.outcome)

        var key: String {
            switch self {
            case .answered(let kind): kind.rawValue
            case .notice(let kind): kind.rawValue
            case .outcome(let outcome): outcome.rawValue
            }
        }
    }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard let kind = Kind.all.first(where: { $0.key == entry.key }) else { return nil }
        return CountRange.load(entry.value, entry.key.quoted, &loader.reader).map { CountCheck(kind: kind, range: $0) }
    }

    func result(_: CheckFindings, _ figures: ExaminedFigures, accounts _: [Int]) -> CheckResult {
        var result = range.result(figures[kind], vacuity: nil)
        switch kind {
        case .answered: result.vacuity = result.vacuity ?? figures.vacuity
        // They say something without a token, too, and are not rewritten.
        case .notice, .outcome: result.correction = nil
        }
        return result
    }
}
