internal import Accounts
internal import Documents
internal import PolicyEngine

/// Adds and removes flags that the platform or the SDK observes on a share of the devices of a group, at once or for each device
/// at a time of its own (R14.2c).
struct SignalStep: SpreadAction {
    static let key = "signal"
    static let help = "Lets the platform or the SDK find other flags on a share of the devices."
    let group: Int
    private var added: FlagSet = .empty
    private var removed: FlagSet = .empty
    private var share = Percentage.hundred
    private(set) var over: Int?
    // The change in words, which is also the occasion of the draw: equal changes reach the same devices.
    private var words = ""
    var groups: [Int] { [group] }
    var reach: Set<AccountPart> { [] }

    private init(_ group: Int) { self.group = group }

    private static func fields(_ catalogue: FlagCatalogue) -> [Field<SignalStep>] {
        [
            .value("add", \.added, .flags(catalogue), "Flags that are observed from then on."),
            .value("remove", \.removed, .flags(catalogue), "Flags that are no longer observed."),
            .value(
                "share", \.share, ValueForm(.percentage) { $2.percentage($0, $1) },
                "The share of the devices, drawn by the seed; a greater share has those of a smaller one."),
            .optional("over", \.over, .interval, StepHelp.over),
        ]
    }

    static func form(_ scope: ScenarioScope) -> ValueForm<SignalStep> {
        let keys = fields(FlagCatalogue()).map { (name: $0.key, schema: $0.schema) }
        let schema = JSONSchema.object(
            keys + [("group", .group.described(as: StepHelp.group))], required: ["group"], atLeast: 2)
        return ValueForm(schema) { node, what, reader in
            guard var mapping = reader.mapping(node, what) else { return nil }
            let group = mapping.require("group", &reader).flatMap { scope.group($0, &reader) }
            let catalogue = scope.account(of: group.map { scope.groups[$0] }).catalogue
            var step = fields(catalogue).read(from: &mapping, SignalStep(group ?? 0), &reader)
            if node["add"] == nil, node["remove"] == nil {
                reader.error("\(what) changes nothing", at: node.position, hint: "it takes `add` and `remove`")
            }
            mapping.finish(&reader)
            if let words = step?.words(catalogue) { step?.words = words }
            return group.flatMap { _ in step }
        }
    }

    private func words(_ catalogue: FlagCatalogue) -> String {
        [("add", added), ("remove", removed)].filter { !$0.1.isEmpty }
            .map { "\($0.0) \(catalogue.names(of: $0.1).joined(separator: ","))" }.joined(separator: ", ")
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        var count = 0
        run.devices.forEachInstall(of: groups, run.launching) { [added, removed, share, words] install, population in
            guard population.draws(share, install, by: words) else { return }
            count += 1
            install.attestation.flags = install.attestation.flags.subtracting(removed).union(added)
            install.epoch &+= 1
        }
        return ["signal \(run.names(groups)): \(words) (\(count))"]
    }

    func event(in _: Scenario) -> StepEvent {
        let extent = share < .hundred ? "of some devices " : ""
        return event("R14.2c", "device") { [words] _ in "from now on \(extent)this is observed: \(words)" }
    }
}
