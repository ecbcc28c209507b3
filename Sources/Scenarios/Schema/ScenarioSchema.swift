internal import Accounts
internal import Documents

/// The schema of scenarios.
///
/// The schema cannot say that steps are in the order of time; that a group, an account, a filter or a flag which is declared
/// elsewhere exists; and whether a management command is right beyond its topic and its action.
package enum ScenarioSchema {
    /// The whole document.
    package static var document: String {
        schema.document(
            title: "A scenario", definitions: definitions)
    }

    private static var definitions: [(name: String, schema: JSONSchema)] {
        let shared: [(name: String, schema: JSONSchema)] = [
            ("account", AccountSchema.schema), ("attributes", GroupSchema.attributes),
            ("activity", GroupSchema.activity), ("command", RuleForms.command),
            ("catalogue-command", RuleForms.catalogueCommand), ("count", CountRange.schema),
            ("client", ConnectionSchema.client),
        ]
        return RuleForms.definitions + shared + AbsenceSchema.definitions + Variant.allCases.flatMap(\.definitions)
    }

    private static var schema: JSONSchema {
        let account = JSONSchema.any(of: [.text, .reference(to: "account")])
        let base = JSONSchema.object(
            [
                ("scenario", .text.described(as: "The name.")),
                ("description", .text.described(as: "Free text.")),
                ("tags", .list(of: .text).described(as: "Words by which run --tag selects.")),
                ("seed", .integer(in: 0...Int.max).described(as: "What chance is drawn from; by default 1.")),
                ("start", .instant.described(as: "When the scenario starts; by default 2020-01-01T00:00:00Z.")),
                ("account", account.described(as: "An account, or the path of one beside this file.")),
                ("accounts", .map(of: account, atLeast: 1).described(as: "Several accounts by name.")),
                ("activity", JSONSchema.reference(to: "activity").described(as: "How often devices attest, and when.")),
                ("backends", ConnectionSchema.backends.described(as: "What backends present and ask for, by domain.")),
                ("devices", .anything.described(as: "Groups of devices by name.")),
                ("steps", .anything.described(as: "What happens, in the order of time.")),
                ("expect", .anything.described(as: "What must hold at the end.")),
            ], required: ["scenario"])
        return base.and([.having("accounts", excludes: "account"), parts, withoutDevices] + AbsenceSchema.all)
    }

    // Without devices, only accounts and the service change.
    private static var withoutDevices: JSONSchema {
        let step = JSONSchema.any(of: StepKinds.keysNamingGroups.map { .having([$0]) }).negated
        return .condition(
            JSONSchema.having(["devices"]).negated,
            then: .properties([("steps", JSONSchema([("items", step.value)]))]))
    }

    // With several accounts, whatever belongs to one names it. With none, or one here that declares nothing, flags are
    // those of the catalogue.
    private static var parts: JSONSchema {
        let declaring = JSONSchema.any(of: [.having(["flags"]), .having(["rules"])])
        let unknown = JSONSchema.any(of: [
            .having(["account"]).and([.properties([("account", JSONSchema([("type", .text("string"))]))])]),
            .having(["account"]).and([.properties([("account", declaring)])]),
        ])
        let several = JSONSchema.properties([("accounts", JSONSchema([("minProperties", .number(2))]))])
        return .condition(
            .having(["accounts"]),
            then: .condition(several, then: Variant.severalAccounts.parts, otherwise: Variant.namedAccount.parts),
            otherwise: .condition(
                unknown, then: Variant.declaringAccount.parts, otherwise: Variant.plainAccount.parts))
    }

    // The form of a scenario's accounts, on which the rest of it depends.
    private enum Variant: String, CaseIterable {
        case severalAccounts = "of-several"
        case namedAccount = "of-named"
        case declaringAccount = "of-one"
        case plainAccount = "of-none"

        private var rules: RuleForms { self == .plainAccount ? .catalogue : .declared }
        private var naming: AccountNaming {
            switch self {
            case .severalAccounts: .needed
            case .namedAccount: .possible
            case .declaringAccount, .plainAccount: .none
            }
        }

        private func reference(to name: String) -> JSONSchema { .reference(to: "\(name)-\(rawValue)") }

        var definitions: [(name: String, schema: JSONSchema)] {
            let groups = GroupSchema(rules: rules, naming: naming)
            let steps = StepSchema(
                rules: rules, naming: naming, expectation: reference(to: "expectation"),
                customExpectation: reference(to: "custom-expectation"))
            return [
                ("group-\(rawValue)", groups.group), ("step-\(rawValue)", steps.step),
                ("expectation-\(rawValue)", FetchExpectation.schema(CheckForms(rules: rules))),
                (
                    "custom-expectation-\(rawValue)",
                    FetchExpectation.schema(CheckForms(rules: rules, takesAnyClaim: true))
                ),
                ("end-\(rawValue)", FinalExpectation.schema(rules, naming: naming)),
            ]
        }

        var parts: JSONSchema {
            .properties([
                ("devices", .map(of: reference(to: "group"), keys: JSONSchema.words(["all"]).negated)),
                ("steps", .list(of: reference(to: "step"))),
                ("expect", .oneOrMore(reference(to: "end"))),
            ])
        }
    }
}
