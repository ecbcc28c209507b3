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
        /// It is to pass; how many devices do not, counts.
        case exempt
        /// Nothing is asked for.
        case none

        init(_ selection: RecordSelection, _ index: Int) {
            self =
                selection.rejecting[index]
                ? .reject : selection.keeping[index] ? .keep : selection.exempting[index] ? .exempt : .none
        }
    }

    /// The verdicts on the steps of a device; `nil` for one that is not known.
    typealias Verdicts = [Bool?]

    /// The effects of an edited account.
    struct Result {
        /// Devices that fail though nobody asked for it, and such devices that passed before.
        var failing = 0
        var rejected = 0
        /// Devices that may fail though nobody asked for it, because they are not evaluated; they are in neither of the two.
        var unevaluated = 0
        /// The verdicts on labelled devices.
        var labels = LabelOutcome()
        /// Devices that are to be let in, and of which some record fails, or may.
        var remaining = 0
        /// Other devices that newly pass.
        var others = 0

        /// Counts devices by the verdicts on them at which nothing is asked for; `nil` where some are not known.
        fileprivate mutating func count(_ devices: Int, _ verdicts: [(before: Bool, after: Bool)]?) {
            guard let verdicts else {
                unevaluated += devices
                return
            }
            if verdicts.contains(where: { !$0.after }) { failing += devices }
            if verdicts.contains(where: { $0.before && !$0.after }) { rejected += devices }
        }

        /// Counts devices that are to be let in and are not, and others that are.
        fileprivate mutating func countExempted(
            _ devices: Int, _ wishes: [Wish], _ before: Verdicts, _ after: Verdicts
        ) {
            if wishes.contains(.exempt) {
                if zip(wishes, after).contains(where: { $0 == .exempt && $1 != true }) { remaining += devices }
            } else if zip(before, after).contains(where: { $0 == false && $1 == true }) {
                others += devices
            }
        }

        /// The same as limits take it.
        ///
        /// - Parameter all: The number of all devices.
        func figures(of all: Int) -> SearchFigures {
            SearchFigures(devices: all, besides: rejected, unevaluated: unevaluated, labels: labels)
        }
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
        var passes: Verdicts = []
        var weight = 1

        /// The steps at which nothing is asked for: the verdicts before and after an edit; `nil` where any verdict is not known.
        func unasked(_ verdicts: Verdicts) -> [(before: Bool, after: Bool)]? {
            var unasked: [(before: Bool, after: Bool)] = []
            for (index, step) in steps.enumerated() {
                guard let before = passes[index], let after = verdicts[index] else { return nil }
                if step.wish == .none { unasked.append((before, after)) }
            }
            return unasked
        }
    }

    // Devices with equal values are the same to every account.
    private struct Sameness: Hashable {
        let steps: [Step]
        let label: DeviceLabel
    }

    private let account: Account
    // True if it is known which devices were new; true if all bad devices may be rejected, as it is asked for.
    private let areNewDevicesKnown, asksForBad: Bool
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
    ///   - asksForBad: True if it is asked for that devices are rejected that are labelled bad.
    ///   - patterns: Runs the patterns of all engines.
    ///   - deadline: When it takes too long.
    /// - Returns: `nil` where it takes too long.
    init?(
        _ account: Account, _ records: [KeptRecord], _ selection: RecordSelection,
        labelled: LabelledDevices? = nil, asksForBad: Bool = false, patterns: PatternMatcher,
        deadline: ContinuousClock.Instant
    ) {
        (self.patterns, self.deadline, self.asksForBad) = (patterns, deadline, asksForBad)
        areNewDevicesKnown = records.areNewDevicesKnown
        var symbols = SymbolTable(catalogue: account.catalogue)
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
        var engines = engines(account)
        for index in histories.indices { histories[index].passes = verdicts(of: histories[index], &engines, nil) }
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

    // Those of an account, and of the same without what depends on new devices where it is not known which were new.
    private func engines(_ account: Account) -> [Engine] {
        let accounts = [account] + (areNewDevicesKnown ? [] : [account.withoutNewDevices].compactMap(\.self))
        return accounts.map { account in
            var symbols = symbols
            return Engine(account: account, symbols: &symbols, matcher: patterns)
        }
    }

    // A verdict is known if all engines give it.
    private func verdicts(
        of history: DeviceHistory, _ engines: inout [Engine], _ renumbering: FilterRenumbering?
    ) -> Verdicts {
        var verdicts = verdicts(of: history, &engines[0], renumbering)
        for engine in engines.indices.dropFirst() {
            let others = self.verdicts(of: history, &engines[engine], renumbering)
            for step in verdicts.indices where others[step] != verdicts[step] { verdicts[step] = nil }
        }
        return verdicts
    }

    private func verdicts(
        of history: DeviceHistory, _ engine: inout Engine, _ renumbering: FilterRenumbering?
    ) -> Verdicts {
        var situation = DeviceSituation(isKnown: false, isBanned: false, isUnbanned: false, isSampled: false)
        return history.steps.map { step in
            situation.isSampled = step.isSampled
            let attestation = Attestation(
                time: Instant(secondsSinceEpoch: step.time), device: history.device, flags: step.flags)
            let matches = renumbering?.renumbered(step.matches) ?? step.matches
            let decision = engine.attest(attestation, matches: matches, in: &situation, symbols: symbols)
            return engine.unsearchedFilters(of: decision).isEmpty ? decision.passed : nil
        }
    }

    // The number of records or histories between two looks at the clock.
    private static let looks = 256

    /// The effects of an edited account.
    ///
    /// - Returns: `nil` where it does not do what is asked for, cannot be tried, or takes too long.
    func result(of edited: Account) -> Result? {
        guard let renumbering = FilterRenumbering(from: account.filters, to: edited.filters) else { return nil }
        var engines = engines(edited)
        var result = Result()
        for (index, history) in histories.enumerated() {
            if index % Self.looks == 0, Cancellation.isDue(by: deadline) { return nil }
            let verdicts = verdicts(of: history, &engines, renumbering)
            guard zip(history.steps, verdicts).allSatisfy({ Self.isGranted($0.wish, $1) }) else { return nil }
            let isRejected = verdicts.contains(nil) ? nil : verdicts.contains(false)
            result.labels.count(history.weight, history.label, isRejected: isRejected)
            result.countExempted(history.weight, history.steps.map(\.wish), history.passes, verdicts)
            if !asksForBad || history.label != .bad { result.count(history.weight, history.unasked(verdicts)) }
        }
        return result
    }

    // A verdict that is not known may be another one.
    private static func isGranted(_ wish: Wish, _ passes: Bool?) -> Bool {
        switch wish {
        case .reject: passes == false
        case .keep: passes == true
        case .none, .exempt: true
        }
    }
}
