internal import Accounts
package import Documents

/// The schema of scenarios.
///
/// It knows the form of each value by itself, and not what loading and lint find by looking at several: keys that need or
/// exclude one another, names that are declared elsewhere, and the order of time.
package enum ScenarioSchema {
    /// The whole document.
    package static var document: String {
        schema.document(title: "A scenario", definitions: definitions)
    }

    /// The definitions to which the schema refers, by name.
    package static var definitions: [(name: String, schema: JSONSchema)] {
        forms.map { name, form in (name, form.explained(by: sentences, under: name)) }
    }

    private static var forms: [(name: String, schema: JSONSchema)] {
        [
            ("account", AccountSchema.schema), ("attributes", AttributeLoader.schema),
            ("activity", ActivityFields.schema), ("command", CommandGrammar.schema), ("count", CountRange.schema),
            ("client", ClientFields.schema), ("group", GroupFields().all.schema()), ("step", StepSchema.step),
            ("expectation", FetchExpectation.schema), ("end", FinalExpectation.schema),
        ]
    }

    /// The whole document; it refers to ``definitions``.
    package static var schema: JSONSchema {
        let account = JSONSchema.any(of: [.text.naming(.accountFile), .reference(to: "account")])
        return .object(
            [
                ("scenario", .text.described(as: "The name.")),
                ("description", .text.described(as: "Free text.")),
                ("tags", .list(of: .text).described(as: "Words by which run --tag selects.")),
                ("seed", .integer(in: 0...Int.max).described(as: "The seed of all random draws; by default 1.")),
                (
                    "start",
                    .instant.described(as: "The time at which the scenario starts; by default 2020-01-01T00:00:00Z.")
                ),
                ("account", account.described(as: "An account, or the path of one beside this file.")),
                (
                    "accounts",
                    .map(of: account, atLeast: 1).namingKeys(.account, isDeclaration: true)
                        .described(as: "Several accounts by name.")
                ),
                (
                    "activity",
                    JSONSchema.reference(to: "activity").described(
                        as: "The frequency and the times of attestations in generated captures.")
                ),
                (
                    "backends",
                    BackendLoader.schema.described(as: "The certificates and token checks of backends, by domain.")
                ),
                ("devices", groups.described(as: "Groups of devices by name.")),
                (
                    "steps",
                    .list(of: .reference(to: "step")).described(as: "The steps, in the order of time.")
                ),
                ("expect", .oneOrMore(.reference(to: "end")).described(as: "The expectations at the end.")),
            ], required: ["scenario"]
        ).explained(by: sentences, under: "scenario")
    }

    private static var groups: JSONSchema {
        .map(
            of: .reference(to: "group"), keys: .text(matching: "(?!all$)[\\s\\S]*").naming(.group, isDeclaration: true))
    }
}

/// The kinds of names that scenarios alone have.
extension NameKind {
    package static let group = NameKind("group")
    /// An account of a scenario that has several.
    package static let account = NameKind("account")
    /// A device ID, or the group of a single device.
    package static let groupOrDevice = NameKind("group or device")
    /// A flag, or a filter behind `filter:`.
    package static let rejection = NameKind("rejection")
    /// A metric, which may name a filter.
    package static let metric = NameKind("metric")
}
