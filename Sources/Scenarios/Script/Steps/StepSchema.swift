internal import Documents

/// The schema of steps: a time, an action, and what belongs to it.
enum StepSchema {
    static var step: JSONSchema {
        let times: [(name: String, schema: JSONSchema)] = [
            ("at", .duration), ("every", .duration), ("until", .duration),
        ]
        let actions = StepKinds.all.map { (name: $0.key, schema: $0.schema) }
        let expect: [(name: String, schema: JSONSchema)] = [
            ("expect", .oneOrMore(.reference(to: "expectation")))
        ]
        return .object(times + StepKinds.all.flatMap { $0.companions } + expect + actions, required: ["at"])
    }
}
