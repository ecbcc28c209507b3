import PolicyEngine

@testable import TestSupport

/// A whole scenario once more, as the rules say: short and slow, in words, lists and dictionaries.
///
/// Shares no step with the engine; only what chance draws comes from there, and the cipher of response codes.
struct SweepReference {
    let scenario: SweepScenario
    private let drawn: SweepDrawn
    private(set) var services: [SweepService]
    private(set) var platforms = SweepPlatforms()
    private var installs: [[SweepInstall]] = []
    private var outages: [(start: Instant, end: Instant?)] = []
    /// Every fetch and its result.
    private(set) var fetches: [SweepFetch] = []
    /// The result of every attestation, also as the file of decisions has it.
    private(set) var outcomes: [NamedDecision] = []
    private(set) var decisions = ""
    /// The number of attestations that the failover evaluated.
    private(set) var failoverCount = 0

    init(_ scenario: SweepScenario, _ drawn: SweepDrawn) {
        self.scenario = scenario
        self.drawn = drawn
        services = scenario.accounts.map(SweepService.init)
        for (position, group) in scenario.groups.enumerated() {
            installs.append((0..<group.count).map { Self.install($0, of: group, position, drawn, at: scenario.start) })
            for install in installs[position] { setUp(install.hardware, of: group) }
        }
    }

    private static func install(
        _ number: Int, of group: SweepGroup, _ position: Int, _ drawn: SweepDrawn, at start: Instant
    ) -> SweepInstall {
        let values = drawn.values(of: position, number)
        return SweepInstall(
            group: position, number: number, hardware: "\(group.hardware ?? "own \(position)")/\(number)",
            statedSystem: group.system, id: drawn.id(of: position, number, generation: 0), flags: Set(values.flags),
            attributes: values.attributes, isRegistered: group.isRegistered, launched: start,
            isCompromised: group.isCompromised)
    }

    // R8.3: the bits belong to the first team that the account gets.
    private mutating func setUp(_ hardware: String, of group: SweepGroup) {
        if let capability = group.capability { platforms.capabilities[hardware] = capability }
        if let outcome = group.outcome { platforms.outcomes[hardware] = outcome }
        let commands = scenario.steps.compactMap { step -> String? in
            guard case .command(.addAuthKey(let team, _), group.account) = step.action else { return nil }
            return team
        }
        if let bits = group.bits, let team = scenario.accounts[group.account].team ?? commands.first {
            platforms.bits[team, default: [:]][hardware] = bits
        }
    }

    /// Lets everything happen in the order of time; equal times in file order.
    ///
    /// - Parameter end: Seconds from the start at which it ends, that second included.
    mutating func run(until end: Int = .max) {
        let all = scenario.steps.enumerated().flatMap { position, step in
            step.times.flatMap { time in moments(of: step.action, position, from: time) }
        }
        for moment in all.sorted(by: { ($0.time, $0.position) < ($1.time, $1.position) }) where moment.time <= end {
            let time = scenario.start + moment.time
            if let (group, number) = moment.install {
                installs[group][number].launch(at: time)
            } else {
                perform(scenario.steps[moment.position].action, at: time)
            }
        }
    }

    private typealias Moment = (time: Int, position: Int, install: (group: Int, number: Int)?)

    // R14.4: launches that are spread are many.
    private func moments(of action: SweepAction, _ position: Int, from start: Int) -> [Moment] {
        guard case .spread(let groups, let span) = action else { return [(start, position, nil)] }
        return groups.flatMap { group in
            installs[group].indices.map { number -> Moment in
                let offset = drawn.launch(number, of: group, step: position, start: start, over: span)
                return (start + offset, position, (group, number))
            }
        }
    }

    /// The figures of a report, by name; none that is 0.
    var figures: [String: Int] {
        services.map(\.figures).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }

    private mutating func perform(_ action: SweepAction, at time: Instant) {
        switch action {
        case .fetch(let groups, let domain):
            for group in groups { for number in installs[group].indices { fetch(group, number, domain, at: time) } }
        case .command(let command, let account): services[account].carryOut(command, at: time)
        case .set(let group, let change): for number in installs[group].indices { set(group, number, to: change) }
        case .launch(let groups): touch(groups) { $0.launch(at: time) }
        case .spread: break
        case .binding(let groups, let every): touch(groups) { $0.binding = (time, every) }
        case .reinstall(let groups, let keepsID):
            touch(groups) { $0.reinstall(at: time) }
            // R1.3.
            if !keepsID { identify(groups) { $0.system == "ios" } }
        case .factoryReset(let groups):
            touch(groups) { $0.reinstall(at: time) }
            identify(groups) { _ in true }
        case .bind(let group, let data):
            touch([group]) { install in
                install.binding = nil
                install.bind(data)
            }
        case .network(let groups, let state): touch(groups) { $0.network = state }
        case .outage(let end): outages.append((time, end.map { scenario.start + $0 }))
        }
    }

    private mutating func touch(_ groups: [Int], _ body: (inout SweepInstall) -> Void) {
        for group in groups { for number in installs[group].indices { body(&installs[group][number]) } }
    }

    private mutating func identify(_ groups: [Int], where isNew: (SweepInstall) -> Bool) {
        touch(groups) { [drawn] install in
            guard isNew(install) else { return }
            install.generation += 1
            install.id = drawn.id(of: install.group, install.number, generation: install.generation)
        }
    }

    // Capabilities belong to the phone (R14.2c).
    private mutating func set(_ group: Int, _ number: Int, to change: SweepChange) {
        if let flags = change.flags { installs[group][number].flags = Set(flags) }
        installs[group][number].attributes.merge(change.attributes) { $1 }
        if let isRegistered = change.isRegistered { installs[group][number].isRegistered = isRegistered }
        let hardware = installs[group][number].hardware
        if let capability = change.capability { platforms.capabilities[hardware] = capability }
        if let outcome = change.outcome { platforms.outcomes[hardware] = outcome }
    }

    // R14.1–R14.3.
    private mutating func fetch(_ group: Int, _ number: Int, _ domain: String?, at time: Instant) {
        installs[group][number].bindChanged(at: time)
        testPinning(group, number, at: time)
        let (install, account) = (installs[group][number], scenario.groups[group].account)
        let service = services[account]
        let isCached =
            install.token.map { token in
                !token.isExpired(at: time) && !token.isOutdated && install.observed.isSubset(of: token.observed)
                    && service.refusal(of: domain, at: token.moment) == nil
            } ?? false
        let result = isCached ? "SUCCESS" : failure(of: install, domain, at: time) ?? "SUCCESS"
        fetches.append(SweepFetch(group: group, number: number, result: result, isCached: isCached))
        if !isCached, result == "SUCCESS" { attest(group, number, byFailover: isFailing(at: time), at: time) }
    }

    // R18.7: with the first fetch of an install that has a network.
    private mutating func testPinning(_ group: Int, _ number: Int, at time: Instant) {
        let install = installs[group][number]
        guard !install.hasTested, ["ok", "mitm"].contains(install.network) else { return }
        installs[group][number].hasTested = true
        let isSet = services[scenario.groups[group].account].account(at: time).testsPinning
        if isSet, install.isCompromised, install.hasSDK(2, 4) { installs[group][number].isTampered = true }
    }

    // Why a fetch brings no new token; nothing where it does.
    private func failure(of install: SweepInstall, _ domain: String?, at time: Instant) -> String? {
        let service = services[scenario.groups[install.group].account]
        if let refusal = service.refusal(of: domain, at: service.moment(at: time)) { return refusal }
        let failures = ["none": "NO_NETWORK", "poor": "POOR_NETWORK", "mitm": "MITM_DETECTED"]
        if let failure = failures[install.network] { return failure }
        if service.account(at: time).pinModes[install.id] == "blockAll" { return "MITM_DETECTED" }
        return isFailing(at: time) && !hasFailover(at: time) ? "NO_APPROOV_SERVICE" : nil
    }

    private func isFailing(at time: Instant) -> Bool {
        outages.contains { $0.start <= time && $0.end.map { time < $0 } ?? true }
    }

    // At the next whole minute after the start of the outage, those that overlap being one.
    private func hasFailover(at time: Instant) -> Bool {
        var start = time
        while let earlier = outages.first(where: { $0.start < start && $0.end.map { start < $0 } ?? true }) {
            start = earlier.start
        }
        return time.minuteNumber > start.minuteNumber
    }

    private mutating func attest(_ group: Int, _ number: Int, byFailover isFailover: Bool, at time: Instant) {
        let account = scenario.groups[group].account
        var install = installs[group][number]
        let outcome = services[account].attest(install, at: time, byFailover: isFailover, with: &platforms)
        write(outcome, of: install, account, byFailover: isFailover, at: time)
        install.token = SweepToken(
            time: time, moment: services[account].moment(at: time), lifetime: outcome.lifetime,
            observed: install.observed)
        if install.observed.contains("pinning-tampered") { install.isTampered = true }
        install.isFirstSinceLaunch = false
        if isFailover { failoverCount += 1 } else { install.isFirstForSafetyNet = false }
        installs[group][number] = install
    }

    private mutating func write(
        _ outcome: NamedDecision, of install: SweepInstall, _ account: Int, byFailover isFailover: Bool,
        at time: Instant
    ) {
        // R12.4.
        let hasCode = !isFailover && services[account].account(at: time).hasResponseCodes
        let code = hasCode ? drawn.responseCode(of: outcome, account: account).inQuotes : "null"
        let list = { (names: [String]) in "[\(names.map(\.inQuotes).joined(separator: ","))]" }
        decisions += """
            {"index":\(outcomes.count),"time":"\(time)","device":"\(install.id)",\
            "verdict":"\(outcome.passed ? "pass" : "fail")","policy":"\(outcome.policy)",\
            "rejections":\(list(outcome.rejections)),"flags":\(list(outcome.flags)),\
            "annotations":\(outcome.annotations.map(list) ?? "null"),"filters":\(list(outcome.filters)),\
            "lifetime":\(outcome.lifetime),"expires":"\(outcome.expires)","arc":\(code)}

            """
        outcomes.append(outcome)
    }
}
