package import PolicyEngine

/// Counts decisions as they are made (R10, step 14; R13).
package struct MetricsCollector {
    private var verdicts = VerdictCounts()
    private var flags = Array(repeating: VerdictCounts(), count: Flag.limit)
    private var rejectingFlags = Array(repeating: 0, count: Flag.limit)
    private var blacklisted = 0
    package private(set) var revisions: [RevisionCounts] = []
    /// The flags that some token had among its annotations.
    package private(set) var annotatedFlags = FlagSet.empty
    private var lifetimes: [(seconds: Int, count: Int)] = []
    private var appVerdicts: [VerdictCounts] = []
    private var versionVerdicts: [VerdictCounts] = []
    private var windows: WindowCollector
    private var filterDevices = FilterDeviceCounter()
    private var unsearched = UnsearchedCounter()
    private var ledger = DeviceLedger()
    private var devices = Figures.Devices()
    private var reproduced: (compared: Int, agreed: Int) = (0, 0)
    // Where it was asked for.
    private var series: SeriesCollector?

    /// Makes a collector that has counted nothing.
    ///
    /// - Parameters:
    ///   - billingDay: The day on which a billing month starts (R13.2).
    ///   - keepsSeries: Whether live metrics are kept by minute, too (R13.2a).
    package init(billingDay: Int, keepsSeries: Bool = false) {
        windows = WindowCollector(billingDay: billingDay)
        series = keepsSeries ? SeriesCollector() : nil
    }

    /// Counts a decision; decisions come in time order.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - numbers: The app that it came with.
    ///   - capturedVerdict: What the service decided, where a capture has it.
    /// - Complexity: O(flags + filters of the decision); allocates only for what is new.
    package mutating func count(_ decision: Decision, app numbers: AppNumbers, capturedVerdict: Bool? = nil) {
        let passed = decision.passed
        verdicts.count(passed: passed)
        countFlags(decision, passed: passed)
        if decision.isBlacklisted { blacklisted += 1 }
        if let annotations = decision.annotations { annotatedFlags = annotatedFlags.union(annotations) }
        while revisions.count <= decision.revision { revisions.append(RevisionCounts()) }
        revisions[decision.revision].count(decision)
        countDevice(of: decision, app: numbers.app)
        count(lifetime: decision.lifetime)
        if let app = numbers.app { Self.count(passed, at: app, in: &appVerdicts) }
        if let version = numbers.version { Self.count(passed, at: version, in: &versionVerdicts) }
        if series != nil { series?.count(decision, app: numbers) }
        if let capturedVerdict {
            reproduced.compared += 1
            if capturedVerdict == passed { reproduced.agreed += 1 }
        }
    }

    @inline(__always)
    private mutating func countFlags(_ decision: Decision, passed: Bool) {
        var counts = flags.mutableSpan
        if passed {
            decision.flags.forEachIndex { counts[$0].passed &+= 1 }
            return
        }
        decision.flags.forEachIndex { counts[$0].failed &+= 1 }
        var rejecting = rejectingFlags.mutableSpan
        decision.rejectingFlags.forEachIndex { rejecting[$0] &+= 1 }
    }

    /// Announces the devices of the next decisions, so that what is known of them can be fetched from memory.
    func expect(_ devices: [DeviceIndex]) { ledger.expect(devices) }

    /// How often a flag caused a rejection.
    package func rejectingCount(of flag: Flag) -> Int { rejectingFlags[Int(flag.index)] }

    /// Whether a device attested.
    package func hasSeen(_ device: DeviceIndex) -> Bool {
        device.offset < ledger.entries.count && ledger.entries[device.offset].isSeen
    }

    // What is kept of a device is taken out once, and put back changed.
    private mutating func countDevice(of decision: Decision, app: Int?) {
        ledger.reserve(decision.device)
        var entry = ledger[decision.device]
        if !decision.filters.isEmpty { filterDevices.count(decision, entry: &entry) }
        if !decision.limitHits.isEmpty { unsearched.count(decision) }
        windows.count(decision, app: app, entry: &entry, total: verdicts)
        if !entry.isSeen {
            entry.noteSeen()
            devices.unique += 1
        }
        if decision.isNewDevice, !entry.isNew {
            entry.noteNew()
            devices.new += 1
        }
        ledger[decision.device] = entry
    }

    private mutating func count(lifetime: Int) {
        if let index = lifetimes.firstIndex(where: { $0.seconds == lifetime }) {
            lifetimes[index].count += 1
        } else {
            lifetimes.append((lifetime, 1))
        }
    }

    private static func count(_ passed: Bool, at index: Int, in counts: inout [VerdictCounts]) {
        while counts.count <= index { counts.append(VerdictCounts()) }
        counts[index].count(passed: passed)
    }
}

extension MetricsCollector {
    /// The figures counted so far, with names for numbers.
    ///
    /// - Parameters:
    ///   - engine: The engine that made the decisions.
    ///   - symbols: The numbering that it used.
    ///   - apps: The names of the apps.
    package func figures(engine: Engine, symbols: SymbolTable, apps: AppLabels) -> Figures {
        var figures = Figures()
        figures.attestations = verdicts.total
        figures.metrics[.pass] = verdicts.passed
        figures.metrics[.fail] = verdicts.failed
        figures.add(.rejection(.blacklist), blacklisted)
        addFlags(to: &figures, catalogue: symbols.catalogue)
        addApps(to: &figures, apps: apps)
        addPoliciesAndFilters(to: &figures, engine: engine)
        for (seconds, count) in lifetimes { figures.lifetimes[seconds] = count }
        figures.devices = devices
        figures.devices.banned = engine.bannedDeviceCount
        figures.unjudged.add(unsearchedDevices(engine: engine))
        figures.windows = windows.figures(apps: apps, catalogue: symbols.catalogue)
        figures.hours = windows.attestations(of: verdicts)
        figures.billing = figures.highestMonth
        figures.series = series?.series(engine: engine, catalogue: symbols.catalogue, apps: apps)
        if reproduced.compared > 0 {
            figures.reproduced = Figures.Reproduction(compared: reproduced.compared, agreed: reproduced.agreed)
        }
        return figures
    }

    /// The devices for which searches were given up that decisions depend on.
    func unsearchedDevices(engine: Engine) -> UnsearchedDevices { unsearched.devices(engine: engine) }

    private func addFlags(to figures: inout Figures, catalogue: FlagCatalogue) {
        for (index, flag) in catalogue.flags.enumerated() {
            let name = ExactText(flag.name)
            figures.add(.flag(name, passed: true), flags[index].passed)
            figures.add(.flag(name, passed: false), flags[index].failed)
            figures.add(.rejection(.flag(name)), rejectingFlags[index])
            if index >= catalogue.namedCount, flags[index].total > 0 {
                figures.unknownFlags[flag.name, default: 0] += flags[index].total
            }
        }
    }

    private func addApps(to figures: inout Figures, apps: AppLabels) {
        for (number, counts) in appVerdicts.enumerated() {
            let name = ExactText(apps.apps[number])
            figures.add(.app(name, passed: true), counts.passed)
            figures.add(.app(name, passed: false), counts.failed)
        }
        for (number, counts) in versionVerdicts.enumerated() {
            let name = ExactText(apps.versions[number])
            figures.add(.version(name, passed: true), counts.passed)
            figures.add(.version(name, passed: false), counts.failed)
        }
    }

    private func addPoliciesAndFilters(to figures: inout Figures, engine: Engine) {
        for (number, revision) in engine.history.revisions.enumerated() {
            let counts = number < revisions.count ? revisions[number] : RevisionCounts()
            for (index, policy) in engine.policies(ofRevision: number).enumerated() where index < counts.policies.count
            {
                figures.add(.policy(ExactText(policy.rejection.name)), counts.policies[index])
                figures.policies[policy.description, default: 0] += counts.policies[index]
            }
            for (index, filter) in revision.account.filters.enumerated() {
                let matched = index < counts.matches.count ? counts.matches[index] : 0
                let hits = index < counts.limitHits.count ? counts.limitHits[index] : 0
                let name = ExactText(filter.name)
                figures.add(.filter(name), matched)
                if index < counts.rejections.count {
                    figures.add(.rejection(.filter(name)), counts.rejections[index])
                }
                figures.addFilter(filter.name, matched: matched, limitHits: hits)
            }
        }
        figures.policies = figures.policies.filter { $0.value > 0 }
        for (name, devices) in filterDevices.figures(history: engine.history, ledger: ledger) {
            figures.setFilterDevices(name, devices)
        }
    }
}

/// What is counted by indices that have a meaning in one revision of the account only: policies and filters.
package struct RevisionCounts {
    package var policies: [Int] = []
    package var matches: [Int] = []
    var rejections: [Int] = []
    var limitHits: [Int] = []

    package init() {}

    mutating func count(_ decision: Decision) {
        let policy = decision.policy.offset
        if policy >= policies.count {
            policies.append(contentsOf: repeatElement(0, count: policy + 1 - policies.count))
        }
        policies[policy] += 1
        if !decision.filters.isEmpty { Self.count(decision.filters, in: &matches) }
        if !decision.rejectingFilters.isEmpty { Self.count(decision.rejectingFilters, in: &rejections) }
        if !decision.limitHits.isEmpty { Self.count(decision.limitHits, in: &limitHits) }
    }

    @inline(__always)
    private static func count(_ filters: FilterSet, in counts: inout [Int]) {
        let needed = FilterSet.limit - filters.bits.leadingZeroBitCount
        if counts.count < needed { counts.append(contentsOf: repeatElement(0, count: needed - counts.count)) }
        var counts = counts.mutableSpan
        for index in filters { counts[index] &+= 1 }
    }
}

/// How often something went with a pass and how often with a failure.
package struct VerdictCounts: Hashable, Sendable {
    package var passed = 0
    package var failed = 0

    package init() {}

    /// Both together.
    package var total: Int { passed + failed }

    mutating func count(passed isPass: Bool) {
        if isPass { passed += 1 } else { failed += 1 }
    }

    /// That of one decision.
    init(of decision: Decision) { count(passed: decision.passed) }

    /// Both counts together with those of others.
    package func adding(_ other: VerdictCounts) -> VerdictCounts {
        var sum = self
        sum.passed += other.passed
        sum.failed += other.failed
        return sum
    }

    /// Both counts without those that came before.
    func subtracting(_ other: VerdictCounts) -> VerdictCounts {
        var rest = self
        rest.passed -= other.passed
        rest.failed -= other.failed
        return rest
    }
}
