package import Documents
internal import Figures
internal import PolicyEngine
package import Replay
internal import Scenarios

/// Evaluates a rollout on captures: each attestation by the account that is in force at its time.
package struct CaptureRollout {
    private let plan: RolloutPlan
    private let request: ReplayRequest
    private let delay: Int
    private let runs: RolloutRuns
    private let labels: Labels?
    private let progress: Progress

    /// - Parameters:
    ///   - plan: The rollout.
    ///   - request: The captures, and how they are read; its account is replaced by the one before.
    ///   - delay: Seconds from the first record to the start of the rollout.
    ///   - runs: The runs in which the rollout is watched.
    ///   - labels: The labels of devices, by which newly rejected ones and days are counted; `nil` for none.
    ///   - progress: Shows from time to time how far the replay is.
    package init(
        _ plan: RolloutPlan, _ request: ReplayRequest, delay: Int, runs: RolloutRuns, labels: Labels? = nil,
        progress: Progress = Progress()
    ) {
        (self.plan, self.delay, self.runs, self.labels, self.progress) = (plan, delay, runs, labels, progress)
        var request = request
        request.account = plan.before
        self.request = request
    }

    /// Reads the captures once, and evaluates the steps and all runs.
    ///
    /// - Returns: The rollout, unless there are errors among the diagnostics or there is no attestation.
    package func run() -> (rollout: Rollout?, diagnostics: Diagnostics) {
        let keys = CaptureRecords.keys(for: plan.before) + (labels?.keys ?? [])
        let kept = CaptureRecords(request, keys: keys, progress: progress).read()
        var diagnostics = kept.diagnostics
        guard !diagnostics.hasErrors, let first = kept.records.first, let last = kept.records.last else {
            return (nil, diagnostics)
        }
        if plan.dependsOnNewDevices, !kept.records.areNewDevicesKnown {
            diagnostics.add(
                Diagnostic(
                    file: request.captures[0],
                    message: "no record shows which devices were new, and the account depends on it",
                    hint: "`scenario diff` reports a change as far as it does not"))
            return (nil, diagnostics)
        }
        let labelled = labels.map { LabelledDevices($0, kept.records) }
        if let labels { diagnostics.add(labelled?.figures.problems(in: labels.path) ?? []) }
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        var stream = AttestationStream(plan, from: first.time + delay, countsDays: labels != nil)
        for record in kept.records { stream.take(record) }
        if let excess = SearchExcess(stream.accounts, showsValue: request.redactor == nil) {
            diagnostics.add(excess.diagnostic)
            return (nil, diagnostics)
        }
        let watches = stream.watches(runs, jobs: request.jobs)
        let rollout = stream.collector.rollout(
            plan, isOfCapture: true, from: first.time + delay, to: last.time, devices: stream.devices, runs: runs,
            watches: watches, atOnce: stream.atOnce.firstRejections, labelled: labelled)
        return (rollout, diagnostics)
    }
}

/// The attestations of a capture under a rollout.
private struct AttestationStream {
    private let plan: RolloutPlan
    private let changes: [SteppedChange]
    private var symbols: SymbolTable
    // The account as it was, the one that is changed step by step, and one under which every device is sampled: of an
    // attestation in a step, the sampling decides whether the result of the first or the last of them counts.
    private var before, stepped: Engine
    private var everywhere: Engine?
    // The account that is changed for all devices at the start.
    private var changed: Engine
    private(set) var collector: RolloutCollector
    /// The effects of the change on all devices at the start.
    private(set) var atOnce = RolloutCollector(steps: 1)
    private var failures: [Failure] = []
    private var failing: [DayOfDevice: Failure.Sides] = [:]

    // The first failure of a device on a day of a step, if it is sampled, or if it is not, or either way.
    private struct Failure {
        let time: Instant
        let device: DeviceIndex
        let step: Int
        let sides: Sides

        struct Sides: OptionSet, BitwiseCopyable {
            let rawValue: UInt8
            static let sampled = Sides(rawValue: 1)
            static let others = Sides(rawValue: 2)
        }
    }

    init(_ plan: RolloutPlan, from start: Instant, countsDays: Bool) {
        (self.plan, changes) = (plan, plan.changes)
        let matcher = PatternMatcher(keepsAll: true)
        var symbols = SymbolTable(catalogue: plan.before.catalogue)
        before = Engine(account: plan.before, symbols: &symbols, matcher: matcher)
        stepped = Engine(account: plan.before, symbols: &symbols, matcher: matcher)
        everywhere = plan.everywhere.map { Engine(account: $0, symbols: &symbols, matcher: matcher) }
        changed = Engine(account: plan.before, symbols: &symbols, matcher: matcher)
        changed.change(to: plan.atOnce.account, at: start, symbols: &symbols)
        for change in changes {
            stepped.change(to: change.account, at: start + change.offset, symbols: &symbols)
        }
        self.symbols = symbols
        collector = RolloutCollector(steps: changes.count, countsDays: countsDays)
    }

    var devices: DeviceTable { symbols.devices }

    /// The account as it was, and as each step leaves it.
    var accounts: [Account] { [plan.before] + changes.map(\.account) }

    /// Evaluates a record; records come in the order of time.
    mutating func take(_ record: KeptRecord) {
        let attestation = record.attestation(&symbols)
        let old = before.attest(attestation, symbols: symbols)
        let new = stepped.attest(attestation, symbols: symbols)
        let sampled = everywhere?.attest(attestation, symbols: symbols)
        let isEvaluated = before.unsearchedFilters(of: old).isEmpty && stepped.unsearchedFilters(of: new).isEmpty
        let fetch = SteppedFetch(new, wasValid: old.passed, after: changes, isEvaluated: isEvaluated)
        collector.count(fetch)
        countAtOnce(attestation, wasValid: old.passed, isEvaluated: isEvaluated)
        guard let step = fetch.step, let sampled, fetch.side != .neither else { return }
        note(step, attestation, sampled: !sampled.passed, others: !old.passed)
    }

    private mutating func countAtOnce(_ attestation: Attestation, wasValid: Bool, isEvaluated: Bool) {
        let decision = changed.attest(attestation, symbols: symbols)
        atOnce.count(
            SteppedFetch(
                decision, wasValid: wasValid, after: [plan.atOnce],
                isEvaluated: isEvaluated && changed.unsearchedFilters(of: decision).isEmpty))
    }

    private mutating func note(_ step: Int, _ attestation: Attestation, sampled: Bool, others: Bool) {
        var sides = Failure.Sides()
        if sampled { sides.insert(.sampled) }
        if others { sides.insert(.others) }
        guard !changes[step].isComplete, !sides.isEmpty else { return }
        let day = DayOfDevice(device: attestation.device, day: attestation.time.dayNumber, step: step)
        let known = failing[day, default: []]
        failing[day] = known.union(sides)
        guard !known.isSuperset(of: sides) else { return }
        failures.append(
            Failure(
                time: attestation.time, device: attestation.device, step: step, sides: sides.subtracting(known)))
    }

    /// The watches of all runs, in their order.
    func watches(_ runs: RolloutRuns, jobs: Int) -> [RolloutWatch] {
        guard plan.filteredPolicy != nil else { return [] }
        let evaluated = failures.filter { collector.isEvaluated($0.device) }
        let (plan, devices) = (plan, devices)
        return Workers.map(Array(0..<runs.count), jobs: jobs) { run, _ in
            Self.watch(evaluated, plan, as: runs.name(of: plan.before, run: run), devices)
        }
    }

    // The failures of the devices that are sampled under a name of the account, and of the others that are not.
    private static func watch(
        _ failures: [Failure], _ plan: RolloutPlan, as name: String, _ devices: DeviceTable
    ) -> RolloutWatch {
        var samplings = plan.steps.map { step in
            var account = step.change.account
            account.name = name
            return DeviceSampling(account)
        }
        var watch = RolloutWatch(plan.steps.map(\.stage))
        for failure in failures where watch.isWatching(failure.step) {
            let isSampled =
                samplings[failure.step]?.isSampled(failure.device, at: failure.time, devices: devices) == true
            guard failure.sides.contains(isSampled ? .sampled : .others) else { continue }
            watch.observeFailure(isSampled: isSampled, step: failure.step, at: failure.time)
        }
        return watch
    }
}

/// A device on a day of a step: it counts once if it fails.
struct DayOfDevice: Hashable {
    let device: DeviceIndex
    let day: Int
    let step: Int
}
