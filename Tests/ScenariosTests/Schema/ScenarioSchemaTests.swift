import Accounts
import Testing

@testable import Scenarios
@testable import TestSupport

/// The schema of scenarios, as a validator reads it.
@Suite struct ScenarioSchemaTests {
    private static let rows: [LoaderRow] =
        AttributeFormTests.carriers + DeviceChangeTests.refused + ResponseCodeExpectationTests.refused
        + ScenarioLoaderExpectationTests.forms + ScenarioLoaderExpectationTests.values
        + ScenarioLoaderExpectationTests.counts + ScenarioLoaderExpectationTests.finals
        + ScenarioLoaderGroupTests.groups + ScenarioLoaderGroupTests.fields + ScenarioLoaderGroupTests.attributes
        + ScenarioLoaderGroupTests.warnings + ScenarioLoaderHeadTests.heads + ScenarioLoaderHeadTests.accounts
        + ScenarioLoaderStepTests.forms + ScenarioLoaderStepTests.repetitions + ScenarioLoaderStepTests.groups
        + ScenarioLoaderStepTests.parts + ScenarioLoaderStepTests.commands + ScenarioLoaderTests.sound
        + ServiceGroupTests.warnings + ServiceGroupTests.silent + SharedHardwareTests.conflicts
        + SharedHardwareTests.agreements + TokenExpectationTests.mistakes + ActivityLoadingTests.rows
        + SpreadLaunchTests.refused + LoggableTests.refused

    /// A document, and the messages of its errors.
    private struct Document {
        let name, text: String
        let errors: [String]
        let isTaken: Bool

        init(_ row: LoaderRow) {
            (name, text) = (row.name, MarkedText(row.text).text)
            (errors, isTaken) = (row.problems.map { String($0.message) }, row.outcome.isLoaded)
        }

        init(_ example: CaseFile.Case) {
            (name, text) = (example.name, DocumentCase(example, .scenario).text)
            errors = example.body.compactMap { $0.firstMatch(of: /^! \S+ error: (.*)/).map { String($0.output.1) } }
            isTaken = errors.isEmpty
        }
    }

    private static let documents =
        rows.map(Document.init)
        + CaseFile.all(in: "Files/scenarios", ending: ".yaml").flatMap(\.cases).map(Document.init)

    /// The documents in which the right form depends on other values, which a schema does not look at.
    private static let beyond: Set = [
        "an outage that repeats", "none of several accounts", "R19.7 a verdict of plain HTTP", "R14.6 of a call",
        "R19.6 an outcome of a fetch", "R20 an account that is not cancelled", "R21.2 a result that it cannot have",
    ]

    @Test func valuesOfAWrongFormAreRefusedByTheSchema() async throws {
        let refused = Self.documents.filter { !$0.isTaken && $0.errors.contains(where: SchemaCheck.isOfForm) }
        let problems = try await SchemaCheck.problems(in: refused.map(\.text), by: ScenarioSchema.document)
        let accepted = zip(refused, problems).filter { $0.1 == nil }.map(\.0.name)
        #expect(Set(accepted) == Self.beyond)
        #expect(refused.count > 80, "\(refused.count)")
    }

    @Test func scenariosThatAreTakenAreTakenByTheSchema() async throws {
        let taken = Self.documents.filter(\.isTaken)
        let problems = try await SchemaCheck.problems(in: taken.map(\.text), by: ScenarioSchema.document)
        for (document, problem) in zip(taken, problems) { #expect(problem == nil, "\(document.name)") }
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
        let keys = FetchChecks.forms.map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys).isSuperset(of: StepKinds.expecting.flatMap { $0.checks }))
    }

    // A key that a loader takes and the schema lacks would be an error in an editor.
    @Test func everyKeyThatLoadersTakeIsInTheSchema() throws {
        let schema = ScenarioSchema.document
        var keys: Set<String> = []
        for file in try Repository.files(in: ["Sources/Scenarios/Script"], endings: [".swift"]) {
            for match in try Repository.text(of: file).matches(of: /\.(?:take|require)\("([a-z-]+)"/) {
                keys.insert(String(match.1))
            }
        }
        #expect(keys.count > 20)
        for key in keys { #expect(schema.contains("\"\(key)\": "), "\(key)") }
        for action in StepKinds.keys { #expect(!schema.contains("\"\(action)\": {}"), "\(action)") }
    }
}
