internal import Documents
internal import PolicyEngine

/// The app binds tokens to other data, which ends the cached one (R14.1).
struct BindStep: GroupAction {
    static let key = "bind"
    let groups: [Int]
    let data: String
    var reach: Set<AccountPart> { [] }

    static var schema: JSONSchema {
        .object([("group", .group), ("data", .text)], required: ["group", "data"])
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> BindStep? {
        guard var fields = loader.reader.mapping(node, "`bind`") else { return nil }
        let group = fields.require("group", &loader.reader).flatMap { loader.group($0) }
        let data = fields.require("data", &loader.reader).flatMap { loader.reader.text($0, "`data`") }
        fields.finish(&loader.reader)
        guard let group, let data else { return nil }
        return BindStep(groups: [group], data: data)
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            let (service, server, time) = (run.service(of: group), run.server(of: group), run.time)
            run.devices.forEachInstall(of: [group]) { install in
                install.changingBinding = nil
                install.bind(data)
                install.report(to: service, reaching: server, at: time)
            }
        }
        return ["bind \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.1", "binding", "tokens are bound to the data of the step from now on")
    }
}

/// The data that the app binds its tokens to changes by itself from now on, each time after some seconds (R19.1a).
struct BindingStep: MappedAction {
    static let key = "binding"
    static let fields: [Field<BindingStep>] = [.required("every", \.every, .interval)]
    var groups: [Int] = []
    var every = 1
    var reach: Set<AccountPart> { [] }

    func perform(in run: inout ScenarioRun) -> [String] {
        let changing = ChangingBinding(since: run.time, every: every)
        run.devices.forEachInstall(of: groups) { install in
            install.changingBinding = changing
            install.decidedRules.insert(.changingBinding)
        }
        return ["binding \(run.names(groups)) every \(DurationText.text(every))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R19.1a", "binding", "the data that tokens are bound to changes every \(DurationText.text(every))")
    }
}
