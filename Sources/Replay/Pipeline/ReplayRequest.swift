internal import Documents
package import Figures
package import PolicyEngine

/// A request for a replay.
package struct ReplayRequest: Sendable {
    /// The captures, in time order; `-` is standard input.
    package var captures: [String]
    /// The records of the captures, where they were read before; `nil` reads the captures.
    package var image: CaptureImage?
    /// The account that evaluates.
    package var account: Account
    /// The kind of the captures; `nil` where their content decides.
    package var format: CaptureFormat?
    /// The time zones that captures may name, and that of times which name none.
    package var zones = TimeZones()
    /// The names of keys in the captures.
    package var names = RecordNames()
    /// True if malformed records are counted and left out, rather than refused.
    package var skipsMalformed = false
    /// True if records out of time order are sorted, rather than refused.
    package var sorts = false
    /// The path that decisions are written to; an ending `.arrow` or `.arrows` stands for columns.
    package var decisionsPath: String?
    /// The attributes that are written beside the decisions, as columns.
    package var decisionKeys: [String] = []
    /// True if decisions are written as columns.
    package var writesDecisionColumns: Bool { decisionsPath.map(DecisionTable.isMeant) ?? false }
    /// The number of decisions on each record: two for a comparison.
    var decisionSides = 1
    /// The redactor that hides whose the decisions are; `nil` shows it.
    package var redactor: Redactor?
    /// The path that tokens are written to.
    package var tokensPath: String?
    /// The domain that those tokens are for.
    package var tokenDomain = ""
    /// The path that malformed records are written to.
    package var malformedPath: String?
    /// True if nothing is written, and nothing is counted but what a report always has.
    var asksOnlyForFigures: Bool {
        !writesRecords && malformedPath == nil && !keepsSeries && counting == nil && labels == nil
            && deviceShard == nil && fetchesPath == nil && assumed == nil && choice.isEverything
    }
    /// Asks for figures of the same captures alone: nothing is written, weighed, or counted besides.
    package mutating func askOnlyForFigures() {
        (decisionsPath, decisionKeys, tokensPath, malformedPath, fetchesPath) = (nil, [], nil, nil, nil)
        (keepsSeries, counting, labels, assumed) = (false, nil, nil, nil)
    }
    /// True if something is written in the order of the records.
    var writesRecords: Bool { decisionsPath != nil || tokensPath != nil }
    /// True if live metrics are kept by minute (R13.2a).
    package var keepsSeries = false
    /// The attributes whose values are counted; `nil` for none.
    package var counting: CountingRequest?
    /// The labels of devices, by which verdicts are counted besides; `nil` for none.
    package var labels: Labels?
    /// The devices that are evaluated; `nil` for all. Input that belongs to no device is counted with the first part.
    package var deviceShard: DeviceShard?
    /// The signals that the account and its edits see in place of those of the records, or the account after of a comparison; `nil`
    /// for none.
    package var assumed: AssumedSignals?
    /// The records that are taken from the captures.
    package var choice = RecordChoice()
    /// The captures as files of one part of the devices, if they are such; found when they are opened.
    private(set) var split: SplitParts?
    /// The bytes of the only capture in which the records start that are read; `nil` for all.
    var range: Range<Int>?
    /// True if a flag too many refuses the captures, and not only its record.
    var refusesExcessFlags = false
    /// True if input that belongs to no device is counted.
    var countsRest: Bool { deviceShard?.isFirst ?? true }
    /// A capture of fetches that weighs the devices.
    package var fetchesPath: String?
    /// An option that was given and means something only where there are attestations, by its name.
    package var attestationOption: String?

    /// The number of workers, 1 or more; the result does not depend on it.
    package var jobs = 1
    /// Bytes that are read at a time; the result does not depend on it.
    package var blockBytes = CaptureLimits.blockBytes
    /// The instructions that bytes are compared with, where the processor has them; `nil` leaves every record to the scanners.
    /// The result does not depend on them.
    package var instructions: VectorInstructions? = .avx512

    /// When the replay gives up; `nil` for never.
    package var deadline: ContinuousClock.Instant?
    /// True if the replay has to give up.
    package var isLate: Bool { Cancellation.isDue(by: deadline) }

    package init(captures: [String], account: Account) {
        self.captures = captures
        self.account = account
    }
}

extension ReplayRequest {
    /// The attributes whose values are carried along with each record, each once: those that are written beside decisions come
    /// first; then those that are counted, that labels name, and that tokens have.
    var carriedKeys: [String] {
        let others =
            (counting?.keys.map(\.attribute) ?? []) + (labels?.keys ?? [])
            + (tokensPath == nil ? [] : [TokenWriter.carriedKey])
        return others.reduce(into: decisionKeys) { keys, other in
            if !keys.contains(where: { ExactText($0) == ExactText(other) }) { keys.append(other) }
        }
    }

    /// Why the captures cannot be read more than once, in words; `nil` where they can.
    package var rereadingRefusal: String? {
        captures.contains("-") ? "standard input can be read once only" : nil
    }

    /// Keeps to the part of the devices whose files are read.
    ///
    /// - Throws: ``ReplayFailure`` for what only the captures themselves can be read with.
    mutating func adopt(_ split: SplitParts) throws(ReplayFailure) {
        func refuse(_ message: String, hint: String) throws(ReplayFailure) {
            throw .capture(.wrongPart(path: captures[0], message: message, hint: hint))
        }
        if sorts {
            try refuse("`--sort` cannot be combined with split captures", hint: "they are in the order of time")
        }
        if malformedPath != nil {
            try refuse(
                "`--malformed` cannot be combined with split captures",
                hint: "`scenario replay` of the captures takes it")
        }
        if !choice.isEverything {
            try refuse(
                "split captures cannot be narrowed",
                hint: "`--shard` of the captures they were split from can be combined with it")
        }
        (self.split, deviceShard) = (split, split.shard)
    }
}
