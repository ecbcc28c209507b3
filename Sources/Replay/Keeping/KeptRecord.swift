internal import Figures
package import PolicyEngine

/// A record of a capture with names in place of numbers, and what an account decides on it.
package struct KeptRecord: Sendable {
    /// Its number among all records, in the order in which they are evaluated.
    package let index: Int
    package let time: Instant
    package let device: DeviceID
    package let system: OperatingSystem
    /// The flags that were observed, in catalogue order.
    package let flags: [String]
    /// The attributes that were asked for, in that order, where the record has them.
    package let attributes: [Attribute]
    /// True if the service passed it; `nil` where the record does not say.
    package let capturedVerdict: Bool?
    /// True if the account passes it.
    package let passed: Bool
    /// Why it does not, in the order of reports.
    package let rejections: [String]
    /// The lifetime of the token in seconds.
    package let lifetime: Int
    /// False if it is not known whether the account passes it: a search was given up (R7.2).
    package var isEvaluated = true

    /// An attribute of a device.
    package struct Attribute: Hashable, Sendable {
        package let key: String
        package let value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }
    }
}

/// A replay that keeps records.
struct KeepingWork: ReplayWork {
    private let account: Account
    private let devices: DeviceSelection
    private let keys: [String]

    /// - Parameters:
    ///   - account: The account that decides on the records.
    ///   - devices: The devices whose records are kept.
    ///   - keys: The attributes that are kept.
    init(_ account: Account, devices: DeviceSelection, keys: [String]) {
        (self.account, self.devices, self.keys) = (account, devices, keys)
    }

    var catalogue: FlagCatalogue { account.catalogue }
    var filteringAccounts: [Account] { [account] }

    func makeMatcher(_ fields: inout CaptureFields) -> KeepingMatcher {
        KeepingMatcher(account, devices: devices, keys: keys, fields: &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> KeepingEvaluator {
        KeepingEvaluator(account, symbols: &symbols)
    }
}

/// Looks at the attributes of records for one account, and keeps those of some.
struct KeepingMatcher: RecordMatcher {
    private var matcher: AccountMatcher
    private var devices: DeviceSelector
    private let columns: [(key: String, column: Int)]
    // Of the current records.
    private var found: [AccountMatcher.Matches] = []

    /// The findings in the attributes of a record.
    struct Matches: RecordMatches {
        var attributes: AttributeMatches
        // Nothing is counted by app.
        var app = AppNumbers.none
        let system: OperatingSystem
        /// The attributes; `nil` where the record is not kept.
        let kept: [KeptRecord.Attribute]?

        subscript(account: Int) -> AttributeMatches {
            get { attributes }
            set { attributes = newValue }
        }
    }

    var deferred: [DeferredSearch] { matcher.deferred }

    init(_ account: Account, devices: DeviceSelection, keys: [String], fields: inout CaptureFields) {
        matcher = AccountMatcher(account, apps: AppRegistry(), fields: &fields)
        self.devices = DeviceSelector(devices)
        columns = keys.map { ($0, fields.column(of: $0)) }
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matcher.match(batch, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            let isKept = devices.includes(batch.heads[row].id)
            matches.append(
                Matches(
                    attributes: found[row].attributes, system: batch.heads[row].system,
                    kept: isKept ? attributes(of: row, in: batch) : nil))
        }
    }

    private func attributes(of row: Int, in batch: borrowing RecordBatch) -> [KeptRecord.Attribute] {
        var attributes: [KeptRecord.Attribute] = []
        for (key, column) in columns {
            if let value = batch.text(row, column: column) { attributes.append(.init(key: key, value: value)) }
        }
        return attributes
    }
}

/// Evaluates every record by one account, and keeps some.
struct KeepingEvaluator: RecordEvaluator {
    private(set) var engine: Engine
    private var records: [KeptRecord] = []
    private var attestations = 0

    init(_ account: Account, symbols: inout SymbolTable) {
        engine = Engine(account: account, symbols: &symbols)
    }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<KeepingMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        attestations += 1
        let decision = engine.attest(attestation, matches: record.matches.attributes, symbols: symbols)
        if let attributes = record.matches.kept {
            let catalogue = symbols.catalogue
            records.append(
                KeptRecord(
                    index: index, time: decision.time, device: symbols.devices[decision.device],
                    system: record.matches.system, flags: catalogue.names(of: attestation.flags),
                    attributes: attributes, capturedVerdict: record.head.capturedVerdict, passed: decision.passed,
                    rejections: engine.rejections(of: decision, catalogue: catalogue), lifetime: decision.lifetime,
                    isEvaluated: engine.unsearchedFilters(of: decision).isEmpty))
        }
        return decision
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> KeepingResult {
        var figures = Figures()
        figures.attestations = attestations
        return KeepingResult(figures: figures, records: records, catalogue: symbols.catalogue)
    }
}

/// The records that were kept.
struct KeepingResult: ReplayResult {
    var figures: Figures
    private(set) var records: [KeptRecord]
    /// The flags that are known in the end, in their order.
    private(set) var catalogue: FlagCatalogue

    mutating func add(_ other: KeepingResult) {
        figures.attestations += other.figures.attestations
        records += other.records
        // A shard takes flags with the records of its devices.
        if other.catalogue.flags.count > catalogue.flags.count { catalogue = other.catalogue }
    }

    // Records that were sorted have the numbers of their captures.
    mutating func finish() { records.sort { ($0.time, $0.index) < ($1.time, $1.index) } }
}

/// Writes a record that was kept as a line of a capture.
package enum KeptRecordText {
    /// The record as JSON, newline included.
    package static func line(of record: KeptRecord) -> String {
        line(
            time: record.time, device: record.device, flags: record.flags,
            attributes: record.attributes.map { ($0.key, $0.value) })
    }

    /// A record of a device as JSON, newline included.
    package static func line(
        time: Instant, device: DeviceID, flags: [String], attributes: [(key: String, value: String)]
    ) -> String {
        let members: [(key: String, value: JSONValue)] = [
            ("time", .string(time.description)), ("device-id", .string(device.description)),
            ("public-flags", .string(flags.joined(separator: ","))),
        ]
        let value = JSONValue.ordered(members + attributes.map { ($0.key, .string($0.value)) })
        return String(decoding: value.line, as: UTF8.self)
    }
}
