package import Documents
package import PolicyEngine
internal import Replay

/// Runs a scenario to see how the requests of one device went.
package struct RequestTracing {
    private let scenario: Scenario
    private let seed: UInt64?

    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - seed: Goes before its own.
    package init(_ scenario: Scenario, seed: UInt64? = nil) {
        (self.scenario, self.seed) = (scenario, seed)
    }

    /// The device of a group that has one only; `nil` where there is no such group.
    package func device(ofGroup name: String) -> DeviceID? {
        guard let index = scenario.groups.firstIndex(where: { $0.name == name && $0.count == 1 }) else { return nil }
        let group = scenario.groups[index]
        return Population(scenario, seed: seed ?? scenario.seed).deviceID(of: group, number: 0, generation: 0)
    }

    /// Follows a device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - diagnostics: Gets what makes the scenario invalid while it runs.
    /// - Returns: Its requests in the order of time; those in a row that went the same way are one.
    package func run(_ device: DeviceID, diagnostics: inout Diagnostics) -> [RequestTrace] {
        var run = ScenarioRun(scenario, seed: seed, traced: device)
        for occurrence in run.timeline { run.perform(occurrence, diagnostics: &diagnostics) }
        return run.traces
    }
}
