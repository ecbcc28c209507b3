internal import Documents
internal import PolicyEngine

/// The service no longer knows a version of the SDK, so that apps with it get no tokens any more (R20.1).
struct RetireStep: StepAction {
    static let key = "retire-sdk"
    static let help = "The version of the SDK that the service no longer knows from now on."
    let version: SDKVersion
    var reach: Set<AccountPart> { [] }

    static func form(_: ScenarioScope) -> ValueForm<RetireStep> {
        ValueForm(.text(matching: "[0-9]+([.][0-9]+)+")) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            let isPlain = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } && text.contains(".")
            if isPlain, let version = SDKVersion(text) { return RetireStep(version: version) }
            reader.error("\(text.quoted) is not a version of the SDK", at: node.position, hint: "such as `2.1.0`")
            return nil
        }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for service in run.services { service.retire(version) }
        return ["retire-sdk \(version)"]
    }

    func event(in _: Scenario) -> StepEvent {
        .everybody(
            EventTrace.Event(
                kind: Self.key, rule: "R20.1", name: "service",
                line: "the service answers no app with version \(version) of the SDK any more"))
    }
}
