internal import Figures
package import PolicyEngine

/// A record of a capture, and what an account decides on it.
///
/// It has numbers; the texts that they stand for are in tables that the records of a replay share. A text is made each time
/// that it is asked for.
package struct KeptRecord: Sendable {
    private var row: KeptRow
    /// The tables that the numbers belong to.
    let texts: KeptTexts

    /// An attribute of a device.
    package struct Attribute: Hashable, Sendable {
        package let key: String
        package let value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }
    }

    /// - Parameters:
    ///   - row: The numbers of the record.
    ///   - texts: The tables by which it is numbered.
    init(_ row: KeptRow, _ texts: KeptTexts) { (self.row, self.texts) = (row, texts) }

    /// Its number among all records, in the order in which they are evaluated.
    package var index: Int { row.index }
    package var time: Instant { row.time }
    package var device: DeviceID { row.device }
    package var system: OperatingSystem { row.system }
    /// True if the service passed it; `nil` where the record does not say.
    package var capturedVerdict: Bool? { row.capturedVerdict }
    /// True if the account passes it.
    package var passed: Bool { row.passed }
    /// The lifetime of the token in seconds.
    package var lifetime: Int { Int(row.lifetime) }
    /// False if it is not known whether the account passes it: a search was given up (R7.2).
    package var isEvaluated: Bool {
        get { row.isEvaluated }
        set { row.isEvaluated = newValue }
    }

    /// The flags that were observed, in catalogue order.
    package var flags: [String] { texts.catalogue.names(of: row.flags) }
    /// The attributes that were asked for, in that order, where the record has them.
    package var attributes: [Attribute] { texts.attributes(ofRecord: row.number) }
    /// Why the account does not pass it, in the order of reports.
    package var rejections: [String] { texts.rejections[Int(row.rejections)] }

    /// True if a flag of that name was observed.
    package func hasFlag(named name: String) -> Bool { texts.catalogue.has(name, in: row.flags) }

    /// The value of an attribute that was asked for; `nil` where the record lacks it.
    package func attribute(_ key: String) -> String? { texts.value(of: key, ofRecord: row.number) }
}

extension ReplayPlan {
    /// A replay that keeps records.
    ///
    /// - Parameters:
    ///   - account: The account that decides on the records.
    ///   - devices: The devices whose records are kept.
    ///   - keys: The attributes that are kept.
    ///   - assumed: What the records are assumed to say in place of what they say; `nil` for nothing.
    static func keeping(
        _ account: Account, devices: DeviceSelection, keys: [String], assumed: AssumedSignals? = nil
    ) -> ReplayPlan {
        let needs = RecordNeeds(
            accounts: [account], assumed: assumed, carriedKeys: keys, carryingDevices: devices)
        let catalogue = assumed?.catalogue(extending: account.catalogue) ?? account.catalogue
        return ReplayPlan(catalogue: catalogue, needs: needs) { symbols in
            KeepingEvaluator(account, devices: devices, keys: keys, assumed: assumed, symbols: &symbols)
        }
    }
}

/// Evaluates every record by one account, and keeps some.
struct KeepingEvaluator: BatchEvaluator {
    private var lane: Lane
    private var keeper: RecordKeeper
    private var devices: DeviceSelector
    private let keys: [ExactText]
    private let assumed: AssumedSignals?
    private var attestations = 0

    init(
        _ account: Account, devices: DeviceSelection, keys: [String], assumed: AssumedSignals? = nil,
        symbols: inout SymbolTable
    ) {
        lane = Lane(account, symbols: &symbols)
        keeper = RecordKeeper(keys: keys)
        self.devices = DeviceSelector(devices)
        (self.keys, self.assumed) = (keys.map { ExactText($0) }, assumed)
    }

    var engine: Engine { lane.engine }

    func passes(_ row: Int) -> Bool { lane.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        lane.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        lane.decide(batch, symbols: symbols)
        attestations += batch.count
        for row in 0..<batch.count where devices.includes(symbols.devices[batch.devices[row]]) {
            keep(row, batch, symbols: symbols)
        }
    }

    private mutating func keep(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        let (decision, origin) = (lane.decision(row, batch, symbols: symbols), batch.origins[row])
        let (carried, device) = (batch.carried(row), symbols.devices[decision.device])
        let values = assumed?.values(of: device) ?? [:]
        keeper.keep(
            KeptRow(
                flags: batch.flagSets[Int(batch.flags(ofAccount: 0)[row])], device: device,
                index: batch.indices[row], time: decision.time, lifetime: Int32(truncatingIfNeeded: decision.lifetime),
                system: origin.system, capturedVerdict: origin.capturedVerdict, passed: decision.passed,
                isEvaluated: lane.engine.unsearchedFilters(of: decision).isEmpty),
            values: keys.enumerated().map { index, key in
                values[key].map { String(decoding: $0, as: UTF8.self) } ?? carried?.withValue(of: index) { $0.text($1) }
            },
            causes: RejectionCauses(decision)
        ) { lane.engine.rejections(of: decision, catalogue: symbols.catalogue) }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> KeepingResult {
        var figures = Figures()
        figures.attestations = attestations
        return KeepingResult(figures: figures, records: keeper.records(symbols.catalogue), catalogue: symbols.catalogue)
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

extension FlagCatalogue {
    /// True if a set has the flag of a name, spelt like that: the catalogue knows one flag by a misspelt name, too.
    func has(_ name: String, in flags: FlagSet) -> Bool {
        guard let flag = flag(named: name), flags.contains(flag) else { return false }
        return ExactText(self[flag].name) == ExactText(name)
    }
}
