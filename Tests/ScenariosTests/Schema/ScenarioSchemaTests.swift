import Accounts
import Testing

@testable import Scenarios
@testable import TestSupport

/// The schema of scenarios, as a validator reads it.
@Suite struct ScenarioSchemaTests {
    /// A scenario of `Tests/Files` or `Tests/Rules`.
    private struct Row {
        let name, text: String
        /// The messages of its errors.
        let errors: [Substring]
    }

    private static let rows = ["Files/scenarios", "Rules"].flatMap { folder in
        CaseFile.all(in: folder, ending: ".yaml").flatMap(\.cases).map { example in
            let document = DocumentCase(example, .scenario)
            let errors = document.expected.compactMap { $0.firstMatch(of: /^! \S+ error: (.*?)(?:; hint: .*)?$/)?.1 }
            return Row(name: example.name, text: document.text, errors: errors)
        }
    }

    /// The documents in which the right form depends on other values, which a schema does not look at.
    private static let beyond: Set = [
        "an outage that repeats", "none of several accounts", "R19.7 a verdict of plain HTTP", "R14.6 of a call",
        "mistakes in `token`: an unknown claim", "R19.6 an outcome of a fetch", "R20 an account that is not cancelled",
        "R21.2 a result that it cannot have",
    ]

    @Test func valuesOfAWrongFormAreRefusedByTheSchema() async throws {
        let refused = Self.rows.filter { $0.errors.contains(where: SchemaCheck.isOfForm) }
        let problems = try await SchemaCheck.problems(in: refused.map(\.text), by: ScenarioSchema.document)
        let accepted = zip(refused, problems).filter { $0.1 == nil }.map(\.0.name)
        expect(Set(accepted), equals: Self.beyond.intersection(Self.rows.map(\.name)))
        #expect(refused.count > 80, "\(refused.count)")
    }

    @Test func scenariosThatAreTakenAreTakenByTheSchema() async throws {
        let taken = Self.rows.filter(\.errors.isEmpty)
        let problems = try await SchemaCheck.problems(in: taken.map(\.text), by: ScenarioSchema.document)
        for (row, problem) in zip(taken, problems) { #expect(problem == nil, "\(row.name)") }
        #expect(taken.count > 200, "\(taken.count)")
    }

    @Test(arguments: [true, false]) func everyExampleIsTakenByItsSchema(isAccount: Bool) async throws {
        let files = try Repository.files(in: ["Scenarios"], endings: [".yaml"])
            .filter { $0.contains("/accounts/") == isAccount }
        #expect(!files.isEmpty)
        let problems = try await SchemaCheck.problems(
            in: files.map(Repository.text), by: isAccount ? AccountSchema.document : ScenarioSchema.document)
        for (file, problem) in zip(files, problems) { #expect(problem == nil, "\(file)") }
    }

    @Test func everyKeyOfAnExpectationNamesOneCheck() {
        let keys = Check.all.map(\.key)
        expect(Set(keys).count, equals: keys.count)
        #expect(Set(keys).isSuperset(of: StepKinds.expecting.flatMap { $0.checks }))
    }

    // Most keys are declared once, for loaders and the schema. One that a loader takes and the schema lacks would be an error in an
    // editor.
    @Test func everyKeyThatLoadersTakeIsInTheSchema() throws {
        let schema = ScenarioSchema.document
        var keys: Set<String> = []
        for file in try Repository.files(in: ["Sources/Scenarios/Script"], endings: [".swift"]) {
            for match in try Repository.text(of: file).matches(of: /\.(?:take|require)\("([a-z-]+)"/) {
                keys.insert(String(match.1))
            }
        }
        #expect(keys.count > 10)
        for key in keys { #expect(schema.contains("\"\(key)\": "), "\(key)") }
        for action in StepKinds.keys { #expect(!schema.contains("\"\(action)\": {}"), "\(action)") }
    }
}
