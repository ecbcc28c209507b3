internal import PolicyEngine

/// The devices of a scenario while it runs, and what people do with them.
struct ScenarioDevices {
    private let scenario: Scenario
    private let population: Population
    private let services: [SimulatedService]
    /// The installs by group.
    var installs: [[Install]] = []
    private var hardware = PhysicalDevices()
    /// By group, the number of its first install over all groups.
    private(set) var firstInstalls: [Int] = []

    /// Draws the devices of all groups.
    ///
    /// - Parameters:
    ///   - scenario: The scenario of the devices.
    ///   - seed: The seed by which they are drawn.
    ///   - services: By account; they number what the devices come with.
    ///   - platforms: Get the bits that Apple has at the start.
    init(_ scenario: Scenario, seed: UInt64, services: [SimulatedService], platforms: SimulatedPlatforms) {
        self.scenario = scenario
        self.services = services
        population = Population(scenario, seed: seed)
        var count = 0
        for (index, group) in scenario.groups.enumerated() {
            firstInstalls.append(count)
            count += group.count
            let service = services[group.account]
            installs.append(population.installs(ofGroup: index, on: &hardware, symbols: &service.symbols))
            for number in installs[index].indices {
                service.numberKind(of: &installs[index][number])
                population.setBits(of: installs[index][number], in: &platforms.services.deviceCheck)
                service.start(&installs[index][number], isReachable: true, at: scenario.start)
            }
        }
    }

    /// Lets something happen to each install of some groups, in their order.
    mutating func forEachInstall(of groups: [Int], _ body: (inout Install) -> Void) {
        for group in groups {
            for number in installs[group].indices { body(&installs[group][number]) }
        }
    }

    /// Lets something happen to some installs of groups, which may depend on chance.
    ///
    /// - Parameter launches: Which of their installs; `nil` is all.
    mutating func forEachInstall(
        of groups: [Int], _ launches: [LaunchTimes.Launch]?, _ body: (inout Install, Population) -> Void
    ) {
        let population = population
        guard let launches else { return forEachInstall(of: groups) { body(&$0, population) } }
        for launch in launches { body(&installs[launch.group][launch.number], population) }
    }

    /// Lets the apps of some installs start anew.
    ///
    /// - Parameters:
    ///   - launches: Which of their installs; `nil` is all.
    ///   - time: When.
    mutating func launch(_ groups: [Int], _ launches: [LaunchTimes.Launch]?, at time: Instant) {
        guard let launches else { return forEachInstall(of: groups) { $0.launch(at: time) } }
        for launch in launches {
            installs[launch.group][launch.number].launch(at: time)
            installs[launch.group][launch.number].decidedRules.insert(.spreadLaunches)
        }
    }

    /// Lets what is observed of the devices of a group be something else from now on.
    ///
    /// - Parameters:
    ///   - step: The number of the step, by which values are drawn.
    ///   - time: When.
    mutating func set(_ group: Int, to change: DeviceChange, step: Int, at time: Instant) {
        let service = services[scenario.groups[group].account]
        let population = population
        forEachInstall(of: [group]) { install in
            population.set(change.attributes, on: &install, occasion: "step \(step)", symbols: &service.symbols)
            install.apply(change)
            service.numberKind(of: &install)
            if change.client != nil { install.launch(at: time) }
        }
        for other in scenario.groups(sharingHardwareWith: group) {
            for number in installs[other].indices.prefix(installs[group].count) {
                installs[other][number].applyToPhone(change)
            }
        }
    }

    /// Gives each install of a group hardware of its own that was never seen, and of which no service knows anything.
    mutating func replaceHardware(of group: Int) {
        for number in installs[group].indices { installs[group][number].evidence.physical = hardware.another() }
    }

    /// Removes the app of each device of a group and installs it again (R1.3); if the primary service answers, the app can fetch
    /// the newest configuration.
    ///
    /// - Parameter changesID: True for a device that has another ID then.
    mutating func renew(_ group: Int, _ access: ServiceAccess, changesID: (Install) -> Bool) {
        let population = population
        forEachInstall(of: [group]) { install in
            install.reinstall(at: access.time)
            if changesID(install) {
                install.generation += 1
                population.identify(&install, symbols: &access.service.symbols)
            }
            let isReachable = install.server(access) == .primary && install.reachesService
            access.service.start(&install, isReachable: isReachable, at: access.time)
        }
    }
}
