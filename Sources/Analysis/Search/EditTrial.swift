internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Tries edited accounts on the records of a capture, of which those that nobody can tell apart are tried once.
///
/// The account as it is has all filters that an edited one has, so that values are matched once.
struct EditTrial {
    /// The verdict on a record that is asked for.
    enum Wish: Hashable {
        case reject, keep
        /// Nothing is asked for.
        case none

        init(_ selection: RecordSelection, _ index: Int) {
            self = selection.rejecting[index] ? .reject : selection.keeping[index] ? .keep : .none
        }
    }

    /// The effects of an edited account.
    struct Result {
        /// Devices that fail though nobody asked for it, and such devices that passed before.
        var failing = 0
        var rejected = 0
        /// The verdicts on labelled devices.
        var labels = LabelOutcome()
    }

    private struct Step: Hashable {
        let flags: FlagSet
        let matches: AttributeMatches
        let isSampled: Bool
        let wish: Wish
        let time: Int
    }

    private struct DeviceHistory {
        let device: DeviceIndex
        let steps: [Step]
        let label: DeviceLabel
        /// By step: whether the account as it is passes it.
        var passes: [Bool] = []
        var weight = 1
    }

    // Devices with equal values are the same to every account.
    private struct Sameness: Hashable {
        let steps: [Step]
        let label: DeviceLabel
    }

    private let account: Account
    private let symbols: SymbolTable
    private let patterns: PatternMatcher
    private let deadline: ContinuousClock.Instant
    // Those first in which something is asked for.
    private var histories: [DeviceHistory] = []
    /// The number of devices.
    private(set) var devices = 0

    /// - Parameters:
    ///   - account: The account as it is.
    ///   - records: The records with the attributes that it looks at, in the order of time.
    ///   - selection: The required result of each record.
    ///   - labelled: The labels of the devices; `nil` for none.
    ///   - patterns: Runs the patterns of all engines.
    ///   - deadline: When it takes too long.
    /// - Returns: `nil` where it takes too long.
    init?(
        _ account: Account, _ records: [KeptRecord], _ selection: RecordSelection,
        labelled: LabelledDevices? = nil, patterns: PatternMatcher,
        deadline: ContinuousClock.Instant
    ) {
        (self.patterns, self.deadline) = (patterns, deadline)
        var symbols = SymbolTable(catalogue: account.catalogue)
        var engine = Engine(account: account, symbols: &symbols, matcher: patterns)
        var matcher = AttributeMatcher(account, source: .capture, attributes: &symbols.attributes)
        var sampling = DeviceSampling(account)
        var (order, steps): ([DeviceIndex], [DeviceIndex: [Step]]) = ([], [:])
        for (index, record) in records.enumerated() {
            if index % Self.looks == 0, Cancellation.isDue(by: deadline) { return nil }
            let attestation = record.attestation(&symbols)
            let device = attestation.device
            if steps[device] == nil { order.append(device) }
            let isSampled = sampling?.isSampled(device, at: record.time, devices: symbols.devices) ?? false
            steps[device, default: []].append(
                Step(
                    flags: attestation.flags,
                    matches: matcher.match(attestation, in: symbols.attributes, matcher: patterns),
                    isSampled: isSampled, wish: Wish(selection, index), time: record.time.secondsSinceEpoch))
        }
        (self.account, self.symbols, devices) = (account, symbols, order.count)
        merge(
            order.map { device in
                DeviceHistory(
                    device: device, steps: steps[device] ?? [],
                    label: labelled?[symbols.devices[device]] ?? .unknown)
            })
        for index in histories.indices { histories[index].passes = verdicts(of: histories[index], &engine, nil) }
    }

    // Only an entry tells devices with the same steps apart; times do nothing where the account is the same all along.
    private mutating func merge(_ all: [DeviceHistory]) {
        let named = Set(account.devices.map(\.id))
        var known: [Sameness: Int] = [:]
        for history in all {
            let steps = history.steps.map {
                Step(flags: $0.flags, matches: $0.matches, isSampled: $0.isSampled, wish: $0.wish, time: 0)
            }
            let sameness = Sameness(steps: steps, label: history.label)
            let isNamed = named.contains(symbols.devices[history.device])
            if !isNamed, let index = known[sameness] {
                histories[index].weight += 1
            } else {
                if !isNamed { known[sameness] = histories.count }
                histories.append(history)
            }
        }
        let isAsked = { (history: DeviceHistory) in history.steps.contains { $0.wish != .none } }
        histories = histories.filter(isAsked) + histories.filter { !isAsked($0) }
    }

    private func verdicts(of history: DeviceHistory, _ engine: inout Engine, _ renumbering: FilterRenumbering?)
        -> [Bool]
    {
        var situation = DeviceSituation(isKnown: false, isBanned: false, isUnbanned: false, isSampled: false)
        return history.steps.map { step in
            situation.isSampled = step.isSampled
            let attestation = Attestation(
                time: Instant(secondsSinceEpoch: step.time), device: history.device, flags: step.flags)
            let matches = renumbering?.renumbered(step.matches) ?? step.matches
            return engine.attest(attestation, matches: matches, in: &situation, symbols: symbols).passed
        }
    }

    // The number of records or histories between two looks at the clock.
    private static let looks = 256

    /// The effects of an edited account.
    ///
    /// - Returns: `nil` where it does not do what is asked for, cannot be tried, or takes too long.
    func result(of edited: Account) -> Result? {
        guard let renumbering = FilterRenumbering(from: account.filters, to: edited.filters) else { return nil }
        var symbols = symbols
        var engine = Engine(account: edited, symbols: &symbols, matcher: patterns)
        var result = Result()
        for (index, history) in histories.enumerated() {
            if index % Self.looks == 0, Cancellation.isDue(by: deadline) { return nil }
            let verdicts = verdicts(of: history, &engine, renumbering)
            var (isFailing, isRejected) = (false, false)
            for ((step, passes), before) in zip(zip(history.steps, verdicts), history.passes) {
                switch step.wish {
                case .reject: if passes { return nil }
                case .keep: if !passes { return nil }
                case .none:
                    if !passes { isFailing = true }
                    if before, !passes { isRejected = true }
                }
            }
            result.labels.count(history.weight, history.label, isRejected: verdicts.contains(false))
            if isFailing { result.failing += history.weight }
            if isRejected { result.rejected += history.weight }
        }
        return result
    }
}
