package import Documents
package import PolicyEngine

extension DecidedRules: Addable {
    package mutating func add(_ other: DecidedRules) { formUnion(other) }
}

extension DecidedRules: PartialCodable {
    package var partial: JSONValue { all.map(\.number).partial }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        self = []
        for number in try reader.items() {
            let text = try number.text()
            guard let rule = DecidedRule.allCases.first(where: { $0.number == text }) else {
                throw number.failure("is not a decided rule")
            }
            insert(rule)
        }
    }

    package func reported(_ unit: ComparedUnit) -> JSONValue {
        .array(all.map { .sorted(["rule": .string($0.number), "sentence": .string($0.sentence)]) })
    }

    package static var reportedForm: JSONSchema {
        .list(of: .members([("rule", .string), ("sentence", .string)]))
    }
}
