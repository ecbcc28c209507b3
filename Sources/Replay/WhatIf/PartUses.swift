package import Documents
package import Figures
package import PolicyEngine

/// A part of an account that can be taken away by itself.
package enum RemovablePart: Hashable, Sendable {
    case filter(String)
    /// The entry of a device, or of all filtered devices.
    case entry(DeviceID)
    /// A flag that the account's policy rejects.
    case flag(String)
}

/// The attestations of captures that a part of an account is about.
package struct PartUse: Addable, Hashable, Sendable {
    /// The attestations that it matched: of a flag those that had it, of an entry those of its device.
    package var attestations = 0
    /// The attestations among them that fail.
    package var failing = 0
    /// Their devices.
    package var devices = 0
    /// The time of the last one; `nil` where there is none.
    package var last: Instant?
    /// By the name of a rejection, the devices among them that were rejected for it.
    package var rejections = NamedCounts()

    package init() {}

    package mutating func add(_ other: PartUse) {
        attestations += other.attestations
        failing += other.failing
        devices += other.devices
        last = [last, other.last].compactMap(\.self).max()
        rejections.add(other.rejections)
    }
}

/// The uses of an account's parts in captures, which are read once.
package struct PartUses: Sendable {
    /// Of each part, in their order; none where the input was refused.
    package let parts: [PartUse]
    package let attestations: Int
    package let devices: Int
    /// The first and the last attestation.
    package let span: ClosedRange<Instant>?
    /// True if a record says which devices were new.
    package let areNewDevicesKnown: Bool
    /// The attributes that the account asks for and some record has, by their keys.
    package let attributes: Set<ExactText>
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics

    /// Reads the captures.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request's account, or of what it was made from.
    ///   - request: The captures, how they are read, and the account that decides.
    ///   - progress: Shows from time to time how far the replay is.
    package init(of parts: [RemovablePart], _ request: ReplayRequest, progress: Progress = Progress()) {
        var replay = CaptureReplay<PartUseResult>(request, .uses(of: parts, request.account), progress: progress)
        let summary = replay.run()
        (attributes, diagnostics) = (summary.attributes, summary.diagnostics)
        let result = summary.diagnostics.hasErrors ? nil : replay.result
        (self.parts, attestations) = (result?.uses ?? [], result?.figures.attestations ?? 0)
        (devices, span) = (result?.devices ?? 0, result?.span)
        areNewDevicesKnown = result?.areNewDevicesKnown ?? false
    }
}

extension ReplayPlan {
    /// A replay through an account that notes which attestations its parts are about.
    static func uses(of parts: [RemovablePart], _ account: Account) -> ReplayPlan {
        ReplayPlan(catalogue: account.catalogue, needs: RecordNeeds(accounts: [account], carriedKeys: [])) {
            symbols in
            PartUseEvaluator(parts, account, symbols: &symbols)
        }
    }
}

/// Evaluates every record by an account, and notes the different decisions on each device.
struct PartUseEvaluator: BatchEvaluator {
    private var lane: Lane
    private let parts: [Match]
    // The flags and the devices among the parts.
    private let flags: FlagSet
    private let entries: Set<DeviceIndex>
    private var cases = Numbering<DecisionCase>()
    // By case.
    private var figures: [CaseFigures] = []
    // The cases of each device: `device << 32 | case`.
    private var shown = Numbering<UInt64>()
    private var span: ClosedRange<Instant>?
    private var areNewDevicesKnown = false

    /// When a part matches.
    private enum Match {
        /// If one of these filters does.
        case filters(FilterSet)
        case flag(Flag)
        case device(DeviceIndex)
        case never
    }

    /// The things that decisions on attestations can have in common.
    private struct DecisionCase: Hashable {
        let filters: FilterSet
        let flags: FlagSet
        let entry: DeviceIndex?
        let causes: RejectionCauses
        let isFailing: Bool

        func isOf(_ part: Match) -> Bool {
            switch part {
            case .filters(let some): !filters.intersection(some).isEmpty
            case .flag(let flag): flags.contains(flag)
            case .device(let device): entry == device
            case .never: false
            }
        }
    }

    private struct CaseFigures {
        let rejections: [String]
        var attestations = 0
        var last: Instant
    }

    init(_ parts: [RemovablePart], _ account: Account, symbols: inout SymbolTable) {
        var (matches, flags, entries) = ([Match](), FlagSet.empty, Set<DeviceIndex>())
        for part in parts {
            let match = Self.match(of: part, in: account, &symbols)
            if case .flag(let flag) = match { flags.insert(flag) }
            if case .device(let device) = match { entries.insert(device) }
            matches.append(match)
        }
        (self.parts, self.flags, self.entries) = (matches, flags, entries)
        lane = Lane(account, symbols: &symbols)
    }

    private static func match(of part: RemovablePart, in account: Account, _ symbols: inout SymbolTable) -> Match {
        switch part {
        case .filter(let name): return .filters(filters(of: account) { $0.name == name })
        case .entry(let id) where id.isFilteredPolicy:
            return .filters(filters(of: account) { $0.options.contains(.executeFilteredPolicy) })
        case .entry(let id): return .device(symbols.devices.intern(id))
        case .flag(let name): return account.catalogue.flag(named: name).map(Match.flag) ?? .never
        }
    }

    private static func filters(of account: Account, where isMeant: (Filter) -> Bool) -> FilterSet {
        var set = FilterSet.empty
        for (index, filter) in account.filters.enumerated() where isMeant(filter) { set.insert(index) }
        return set
    }

    var engine: Engine { lane.engine }

    func passes(_ row: Int) -> Bool { lane.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        lane.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        lane.decide(batch, symbols: symbols)
        if batch.namesNewDevices { areNewDevicesKnown = true }
        for row in 0..<batch.count {
            let decision = lane.decision(row, batch, symbols: symbols)
            let number = cases.number(of: decisionCase(of: decision))
            if number == figures.count {
                let rejections = lane.engine.rejections(of: decision, catalogue: symbols.catalogue)
                figures.append(CaseFigures(rejections: rejections, last: decision.time))
            }
            count(decision, number)
        }
    }

    private func decisionCase(of decision: Decision) -> DecisionCase {
        DecisionCase(
            filters: decision.filters, flags: decision.flags.intersection(flags),
            entry: entries.contains(decision.device) ? decision.device : nil, causes: RejectionCauses(decision),
            isFailing: !decision.passed)
    }

    private mutating func count(_ decision: Decision, _ number: Int) {
        let time = decision.time
        figures[number].attestations += 1
        figures[number].last = max(figures[number].last, time)
        _ = shown.number(of: UInt64(decision.device.offset) << 32 | UInt64(number))
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PartUseResult {
        var result = PartUseResult(uses: parts.map { _ in PartUse() }, span: span)
        result.figures.attestations = figures.reduce(0) { $0 + $1.attestations }
        let byDevice = Dictionary(grouping: shown.keys) { $0 >> 32 }.values
        (result.devices, result.areNewDevicesKnown) = (byDevice.count, areNewDevicesKnown)
        for (index, part) in parts.enumerated() {
            let isMatching = cases.keys.map { $0.isOf(part) }
            for (number, figures) in figures.enumerated() where isMatching[number] {
                result.uses[index].count(figures.attestations, failing: cases[number].isFailing, until: figures.last)
            }
            for device in byDevice {
                let matching = device.map { Int($0 & 0xFFFF_FFFF) }.filter { isMatching[$0] }
                if !matching.isEmpty {
                    result.uses[index].countDevice(rejectedBy: Set(matching.flatMap { figures[$0].rejections }))
                }
            }
        }
        return result
    }
}

extension PartUse {
    /// Counts attestations.
    fileprivate mutating func count(_ count: Int, failing: Bool, until time: Instant) {
        attestations += count
        if failing { self.failing += count }
        last = last.map { max($0, time) } ?? time
    }

    /// Counts a device.
    fileprivate mutating func countDevice(rejectedBy names: Set<String>) {
        devices += 1
        for name in names { rejections[name, default: 0] += 1 }
    }
}

/// The uses of parts by the records of some devices.
struct PartUseResult: ReplayResult {
    var figures = Figures()
    fileprivate(set) var uses: [PartUse]
    fileprivate(set) var devices = 0
    fileprivate(set) var areNewDevicesKnown = false
    private(set) var span: ClosedRange<Instant>?

    init(uses: [PartUse], span: ClosedRange<Instant>?) { (self.uses, self.span) = (uses, span) }

    mutating func add(_ other: PartUseResult) {
        figures.attestations += other.figures.attestations
        for index in uses.indices { uses[index].add(other.uses[index]) }
        devices += other.devices
        areNewDevicesKnown = areNewDevicesKnown || other.areNewDevicesKnown
        span.add(other.span)
    }
}
