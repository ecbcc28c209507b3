import PolicyEngine

@testable import Scenarios
@testable import TestSupport

/// The values that are drawn for the installs of a scenario: the only ones that the reference takes from the engine.
struct SweepDrawn {
    private let scenario: Scenario
    private let population: Population
    private let installs: [[Values]]
    private let codecs: [ResponseCodec]

    /// The values that an install starts with.
    struct Values {
        var flags: [String]
        var attributes: [String: String]
    }

    /// Draws the installs of a scenario.
    init(_ scenario: Scenario) {
        self.scenario = scenario
        let population = Population(scenario, seed: scenario.seed)
        self.population = population
        codecs = scenario.accounts.map { ResponseCodec(account: $0.account) }
        var hardware = PhysicalDevices()
        installs = scenario.groups.indices.map { index in
            let account = scenario.accounts[scenario.groups[index].account].account
            var symbols = SymbolTable(catalogue: account.catalogue)
            let names = scenario.groups[index].attributes.map(\.key)
            let keys = names.map { symbols.attributes.key(named: $0, keepingAll: true) }
            let installs = population.installs(ofGroup: index, on: &hardware, symbols: &symbols)
            return installs.map { install in
                let values = keys.map { symbols.attributes.text(of: install.attestation.value(of: $0), for: $0) }
                return Values(
                    flags: symbols.catalogue.names(of: install.attestation.flags),
                    attributes: Dictionary(zip(names, values), uniquingKeysWith: { $1 }))
            }
        }
    }

    /// The values that an install starts with.
    func values(of group: Int, _ number: Int) -> Values { installs[group][number] }

    /// A device ID of an install, another one for each generation.
    func id(of group: Int, _ number: Int, generation: Int) -> String {
        population.deviceID(of: scenario.groups[group], number: number, generation: generation).description
    }

    /// When an install launches, in seconds from a step that spreads launches.
    func launch(_ number: Int, of group: Int, step: Int, start: Int, over span: Int) -> Int {
        LaunchTimes(scenario, seed: scenario.seed).offset(of: number, in: group, step: step, start: start, span: span)
    }

    /// The response code of a decision (R12), which has tests of its own.
    func responseCode(of outcome: TestSupport.NamedDecision, account: Int) -> String {
        let catalogue = scenario.accounts[account].account.catalogue
        let flags = outcome.flags.compactMap { catalogue.namedFlag($0) }.reduce(into: FlagSet.empty) { $0.insert($1) }
        return codecs[account].code(passed: outcome.passed, flags: flags)
    }
}
