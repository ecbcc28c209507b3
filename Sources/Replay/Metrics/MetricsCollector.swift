package import Figures
package import PolicyEngine

/// Counts decisions as they are made (R10, step 14; R13).
package struct MetricsCollector {
    private var passedFlags = BitTally<UInt128>()
    private var failedFlags = BitTally<UInt128>()
    private var blacklisted = 0
    private var revisionTally = RevisionTally()
    /// The flags that some token had among its annotations.
    package private(set) var annotatedFlags = FlagSet.empty
    private var lifetimes = LifetimeTally()
    private var versionVerdicts: [VerdictCounts] = []
    private var windows: WindowCollector
    private var filterDevices = FilterDeviceCounter()
    private var unsearched = UnsearchedCounter()
    private var ledger = DeviceLedger()
    private var devices = Figures.Devices()
    private var reproduced: (compared: Int, agreed: Int) = (0, 0)
    // `nil` unless it was asked for.
    private var series: SeriesCollector?
    private var groups: DeviceGroups?

    /// Makes a collector that has counted nothing.
    ///
    /// - Parameters:
    ///   - billingDay: The day on which a billing month starts (R13.2).
    ///   - keepsSeries: True if live metrics are kept by minute, too (R13.2a).
    ///   - keepsGroups: True if the devices of groups are counted.
    package init(billingDay: Int, keepsSeries: Bool = false, keepsGroups: Bool = false) {
        windows = WindowCollector(billingDay: billingDay)
        series = keepsSeries ? SeriesCollector() : nil
        groups = keepsGroups ? DeviceGroups() : nil
    }

    /// Counts a decision; decisions come in time order.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - numbers: The app that it came with.
    ///   - capturedVerdict: The service's verdict, where a capture has it.
    /// - Complexity: O(flags + filters of the decision); allocates only for what is new.
    package mutating func count(_ decision: Decision, app numbers: AppNumbers, capturedVerdict: Bool? = nil) {
        let passed = decision.passed
        if passed { passedFlags.add(decision.flags.bits) } else { failedFlags.add(decision.flags.bits) }
        if decision.isBlacklisted { blacklisted += 1 }
        if let annotations = decision.annotations { annotatedFlags = annotatedFlags.union(annotations) }
        revisionTally.count(decision)
        countDevice(of: decision, app: numbers.app)
        lifetimes.count(decision.lifetime)
        if let version = numbers.version { countVersion(version, passed: passed) }
        if series != nil { series?.count(decision, app: numbers) }
        if groups != nil { groups?.count(decision, app: numbers) }
        countReproduced(capturedVerdict, passed: passed)
    }

    /// Counts only whether a decision agrees with the service.
    ///
    /// - Parameters:
    ///   - capturedVerdict: The service's verdict, where a capture has it.
    ///   - passed: The verdict of the decision.
    @inline(__always)
    mutating func countReproduced(_ capturedVerdict: Bool?, passed: Bool) {
        guard let capturedVerdict else { return }
        reproduced.compared += 1
        if capturedVerdict == passed { reproduced.agreed += 1 }
    }

    /// Announces the devices of the next decisions, so that what is known of them can be fetched from memory.
    func prefetch(_ devices: [DeviceIndex]) {
        ledger.prefetch(devices)
        if let groups { for device in devices { groups.prefetch(device) } }
    }

    /// The number of devices that failed at least once.
    ///
    /// - Parameter unevaluated: The devices that could not be evaluated, which do not count.
    func failingDevices(besides unevaluated: DeviceSet) -> Int {
        ledger.entries.indices.count { ledger.entries[$0].hasFailed && !unevaluated.contains($0) }
    }

    /// The counts by policies and filters, by revision of the account, as far as decisions were made.
    package var revisions: [RevisionCounts] { revisionTally.all }

    /// The number of rejections that each flag caused, by its index.
    package var rejectingCounts: [Int] {
        let counted = windows.result
        return (0..<Flag.limit).map { counted.rejectingCount(ofFlagAt: $0) }
    }

    /// True if a device attested.
    package func hasSeen(_ device: DeviceIndex) -> Bool {
        device.offset < ledger.entries.count && ledger.entries[device.offset].isSeen
    }

    @inline(__always)
    private mutating func countDevice(of decision: Decision, app: Int?) {
        ledger.reserve(decision.device)
        if !decision.limitHits.isEmpty { unsearched.count(decision) }
        Self.count(decision, app: app, entry: &ledger[decision.device], &filterDevices, &windows, &devices)
    }

    // The entry of the device is looked up once.
    @inline(__always)
    private static func count(
        _ decision: Decision, app: Int?, entry: inout DeviceLedger.Entry, _ filterDevices: inout FilterDeviceCounter,
        _ windows: inout WindowCollector, _ devices: inout Figures.Devices
    ) {
        filterDevices.count(decision, entry: &entry)
        windows.count(decision, app: app, entry: &entry)
        if !entry.isSeen {
            entry.noteSeen()
            devices.unique += 1
        }
        if decision.isNewDevice, !entry.isNew {
            entry.noteNew()
            devices.new += 1
        }
    }

    @inline(__always)
    private mutating func countVersion(_ number: Int, passed: Bool) {
        if number >= versionVerdicts.count { addVersions(upTo: number) }
        if passed { versionVerdicts[number].passed += 1 } else { versionVerdicts[number].failed += 1 }
    }

    @inline(never)
    private mutating func addVersions(upTo number: Int) {
        versionVerdicts.append(contentsOf: repeatElement(VerdictCounts(), count: number + 1 - versionVerdicts.count))
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
        let counted = windows.result
        figures.attestations = counted.attestations.total
        figures.metrics[.pass] = counted.attestations.passed
        figures.metrics[.fail] = counted.attestations.failed
        figures.add(.rejection(.blacklist), blacklisted)
        addFlags(counted, to: &figures, catalogue: symbols.catalogue)
        addApps(counted.apps, to: &figures, names: apps)
        addPoliciesAndFilters(to: &figures, engine: engine)
        figures.lifetimes = lifetimes.all
        figures.devices = devices
        figures.devices.banned = engine.bannedDeviceCount
        let unsearched = unsearchedDevices(engine: engine)
        unsearched.count(in: &figures.unevaluated)
        figures.failingDevices = failingDevices(besides: unsearched.all)
        figures.windows = counted.windows(apps: apps, catalogue: symbols.catalogue)
        figures.hours = counted.hours
        figures.billing = figures.highestMonth
        figures.groups = groups?.figures(labels: apps, catalogue: symbols.catalogue)
        figures.series = series?.series(engine: engine, catalogue: symbols.catalogue, apps: apps)
        if reproduced.compared > 0 {
            figures.reproduced = .init { ($0.compared, $0.agreed) = reproduced }
        }
        return figures
    }

    /// The devices for which searches were given up that decisions depend on.
    func unsearchedDevices(engine: Engine) -> UnsearchedDevices { unsearched.devices(engine: engine) }

    private func addFlags(
        _ counted: WindowCollector.Result, to figures: inout Figures, catalogue: FlagCatalogue
    ) {
        let (passed, failed) = (passedFlags.all, failedFlags.all)
        for (index, flag) in catalogue.flags.enumerated() {
            let name = ExactText(flag.name)
            figures.add(.flag(name, passed: true), passed[index])
            figures.add(.flag(name, passed: false), failed[index])
            figures.add(.rejection(.flag(name)), counted.rejectingCount(ofFlagAt: index))
            let count = passed[index] + failed[index]
            if index >= catalogue.namedCount, count > 0 { figures.unknownFlags[flag.name, default: 0] += count }
        }
    }

    private func addApps(_ apps: [VerdictCounts], to figures: inout Figures, names: AppLabels) {
        for (number, counts) in apps.enumerated() {
            let name = ExactText(names.apps[number])
            figures.add(.app(name, passed: true), counts.passed)
            figures.add(.app(name, passed: false), counts.failed)
        }
        for (number, counts) in versionVerdicts.enumerated() {
            let name = ExactText(names.versions[number])
            figures.add(.version(name, passed: true), counts.passed)
            figures.add(.version(name, passed: false), counts.failed)
        }
    }

    private func addPoliciesAndFilters(to figures: inout Figures, engine: Engine) {
        let revisions = revisions
        let devices = filterDevices.figures(history: engine.history, ledger: ledger)
        var filters: [Figures.FilterFigures] = []
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
                let known = filters.firstIndex { $0.name == filter.name } ?? filters.count
                if known == filters.count {
                    filters.append(.init { ($0.name, $0.devices) = (filter.name, devices[filter.name] ?? 0) })
                }
                filters[known].matched += matched
                filters[known].limitHits += hits
            }
        }
        figures.policies = figures.policies.filter { $0.value > 0 }
        figures.filters = filters
    }
}

/// Counts tokens by their lifetime, of which there are three (R11.1).
struct LifetimeTally: Sendable {
    private static var seconds: (usual: Int, risky: Int, short: Int) {
        (TokenLifetime.usual.seconds, TokenLifetime.risky.seconds, TokenLifetime.short.seconds)
    }

    private var usual = 0
    private var risky = 0
    private var short = 0

    /// Counts a token.
    ///
    /// - Parameter seconds: Its lifetime.
    @inline(__always)
    mutating func count(_ seconds: Int) {
        // Which one it is cannot be foreseen, so nothing is jumped over.
        usual &+= seconds == Self.seconds.usual ? 1 : 0
        risky &+= seconds == Self.seconds.risky ? 1 : 0
        short &+= seconds == Self.seconds.short ? 1 : 0
    }

    /// The tokens by their lifetime in seconds, without those that no token has.
    var all: [Int: Int] {
        let counts: [(TokenLifetime, Int)] = [(.usual, usual), (.risky, risky), (.short, short)]
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 }.map { ($0.0.seconds, $0.1) })
    }
}
