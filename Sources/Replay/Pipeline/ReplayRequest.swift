package import PolicyEngine

/// What a replay is asked to do.
package struct ReplayRequest: Sendable {
    /// The captures, in time order; `-` is standard input.
    package var captures: [String]
    /// The account that evaluates.
    package var account: Account
    /// The kind of the captures; `nil` where their content decides.
    package var format: CaptureFormat?
    /// The time zones that text captures may name.
    package var zones = TimeZones()
    /// Whether malformed records are counted and left out, rather than refused.
    package var skipsMalformed = false
    /// Whether records out of time order are sorted, rather than refused.
    package var sorts = false
    /// Where to write decisions.
    package var decisionsPath: String?
    /// What hides whose the decisions are; `nil` shows it.
    package var redactor: Redactor?
    /// Where to write tokens.
    package var tokensPath: String?
    /// The domain that those tokens are for.
    package var tokenDomain = ""
    /// Where to keep malformed records.
    package var malformedPath: String?
    /// Whether something is written in the order of the records.
    var writesRecords: Bool { decisionsPath != nil || tokensPath != nil }
    /// Whether live metrics are kept by minute (R13.2a).
    package var keepsSeries = false
    /// The attributes whose values are counted; `nil` for none.
    package var counting: CountingRequest?
    /// The devices that are evaluated; `nil` for all. What belongs to no device is counted with the first part.
    package var deviceShard: DeviceShard?
    /// The folders of split captures that are read in place of captures; found when they are opened.
    private(set) var split: SplitCaptures?
    /// Whether what belongs to no device is counted.
    var countsRest: Bool { deviceShard?.isFirst ?? true }
    /// A capture of fetches that weighs the devices.
    package var fetchesPath: String?
    /// An option that was given and means something only where there are attestations, by its name.
    package var attestationOption: String?

    /// How many may work at a time, 1 or more; the result does not depend on it.
    package var jobs = 1
    /// Bytes that are read at a time; the result does not depend on it.
    package var blockBytes = CaptureLimits.blockBytes
    /// What bytes are compared with, where the processor has it; `nil` leaves every record to the scanners. The result does
    /// not depend on it.
    package var instructions: VectorInstructions? = .avx512

    /// What the searches of a filter may cost, beside those that are done quickly (R7.2).
    package var searchBudget = RunBudget.total
    /// What makes these searches; copies of a request share it, and so all replays of a command.
    package let searches = CommandSearches()
    /// When the replay gives up; `nil` for never.
    package var deadline: ContinuousClock.Instant?
    /// Whether it has to give up.
    package var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    package init(captures: [String], account: Account) {
        self.captures = captures
        self.account = account
    }
}

extension ReplayRequest {
    /// Reads split captures as they were split.
    ///
    /// - Throws: ``ReplayFailure/split(_:)`` for what had to be said when they were split.
    mutating func take(_ split: SplitCaptures) throws(ReplayFailure) {
        func refuse(_ message: String, hint: String) throws(ReplayFailure) {
            throw .split(SplitFailure(file: captures[0], message: message, hint: hint))
        }
        if sorts { try refuse("`--sort` cannot go with split captures", hint: "they are in the order of time") }
        if format != nil || zones.fallback != nil {
            try refuse(
                "`--timezone` and `--input-format` cannot go with split captures", hint: "`scenario split` takes them")
        }
        if malformedPath != nil {
            try refuse(
                "`--malformed` cannot go with split captures", hint: "`scenario replay` of the captures takes it")
        }
        self.split = split
        zones = split.zones
        // All parts together then spend no more than one machine may.
        searchBudget = max(1, searchBudget / split.shard.count)
    }
}
