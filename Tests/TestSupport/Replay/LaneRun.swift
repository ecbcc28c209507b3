@testable import Figures
@testable import PolicyEngine
@testable import Replay

/// A drawn account and a drawn stream, in batches of drawn lengths, decided by a lane and by the reference evaluator.
struct LaneRun {
    private var chance: SplitMix64
    private var observations: ObservationGenerator
    private var reference: ReferenceEvaluator
    private var symbols: SymbolTable
    private var batch: Batch
    private var lane: Lane
    // Matches attributes, and decides nothing.
    private var matching: Engine
    private var (batched, single): (MetricsCollector, MetricsCollector)
    /// The number of records that the engine decided about.
    private(set) var engineCount = 0
    /// The decisions of the reference.
    private(set) var decisions: [NamedDecision] = []

    /// - Parameters:
    ///   - seed: The seed of everything that is drawn.
    ///   - setLimit: Sets that are numbered before all get numbers anew.
    init(seed: UInt64, setLimit: Int) throws {
        var chance = SplitMix64(seed: seed)
        let (accounts, observations) = (SplitMix64(seed: chance.next()), SplitMix64(seed: chance.next()))
        try self.init(chance, accounts: accounts, observations: observations, setLimit: setLimit)
    }

    /// Draws by bytes: a third of them says how long batches are, a third the account, and a third the stream.
    init(tape: [UInt8], setLimit: Int) throws {
        let third = tape.count / 3
        try self.init(
            SplitMix64(tape: tape.prefix(third)), accounts: SplitMix64(tape: tape[third..<2 * third]),
            observations: SplitMix64(tape: tape[(2 * third)...]), setLimit: setLimit)
    }

    private init(_ chance: SplitMix64, accounts: SplitMix64, observations: SplitMix64, setLimit: Int) throws {
        self.chance = chance
        var accounts = AccountGenerator(accounts)
        var drawn = accounts.account()
        // In most streams no device has an entry and no filter looks at flags, so that tables decide.
        if self.chance.happens(75) {
            drawn.devices.removeAll { $0.device != Sample.filteredPolicy }
            drawn.filters.removeAll(where: Self.looksAtFlags)
        }
        let account = try Account(drawn)
        self.observations = ObservationGenerator(observations, declared: drawn.flags.map(\.name))
        reference = ReferenceEvaluator(drawn)
        symbols = SymbolTable(catalogue: account.catalogue)
        lane = Lane(account, symbols: &symbols)
        matching = Engine(account: account, symbols: &symbols)
        batch = Batch(accounts: 1, setLimit: setLimit)
        batched = MetricsCollector(billingDay: account.billingDay, keepsSeries: true, keepsGroups: true)
        single = batched
    }

    private static func looksAtFlags(_ filter: ReferenceFilter) -> Bool {
        switch filter.test {
        case .exact(let key, _), .regex(let key, _): ["flags-all", "public-flags"].contains(key)
        case .conjunction: false
        }
    }

    /// Decides about a batch. Returns where the lane and the reference differ.
    mutating func step() throws -> String? {
        var drawn: [Observation] = []
        for _ in 0...chance.below(40) { drawn.append(observations.next()) }
        let attestations = try drawn.map { try attestation($0) }
        let matches = attestations.map { matching.matches(of: $0, by: .primary, symbols: symbols) }
        batch.fill(
            drawn.count,
            time: { drawn[$0].time }, flags: { attestations[$0].flags },
            origin: { RecordOrigin(app: .none, system: .unknown, capturedVerdict: $0.isMultiple(of: 3)) },
            index: { $0 }, device: { attestations[$0].device }, matches: { AccountMatches(matches[$0]) })
        if lane.isOutdated(by: batch) { batched.settle(by: lane) }
        lane.decide(batch, symbols: symbols)
        batched.count(batch, by: &lane, symbols: symbols)
        for (row, observation) in drawn.enumerated() {
            let decision = lane.decision(row, batch, symbols: symbols)
            single.count(decision, app: .none, capturedVerdict: row.isMultiple(of: 3))
            let actual = NamedDecision(decision, of: lane.engine, symbols: symbols)
            let expected = reference.attest(observation)
            decisions.append(expected)
            if lane.verdicts[row].contains(.isByEngine) { engineCount += 1 }
            if actual != expected || lane.passes(row) != expected.passed {
                return "\(observation)\nlane:      \(actual)\nreference: \(expected)"
            }
        }
        return nil
    }

    private mutating func attestation(_ observation: Observation) throws -> Attestation {
        guard let id = DeviceID(observation.device) else { throw DeviceError.invalidID(observation.device) }
        var attestation = Attestation(time: observation.time, device: symbols.devices.intern(id))
        for name in observation.flags { attestation.flags.insert(try symbols.catalogue.intern(observed: name)) }
        for (name, value) in observation.attributes {
            guard let key = symbols.attributes.existingKey(named: name) else { continue }
            attestation.set(symbols.attributes.intern(value, for: key), for: key)
        }
        return attestation
    }

    /// The figures of the batches, and those of single decisions.
    func figures() -> (batched: Figures, single: Figures) {
        var settled = batched
        settled.settle(by: lane)
        let apps = AppRegistry().names
        return (
            settled.figures(engine: lane.engine, symbols: symbols, apps: apps),
            single.figures(engine: lane.engine, symbols: symbols, apps: apps)
        )
    }
}
