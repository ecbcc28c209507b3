import Testing

@testable import Scenarios
@testable import TestSupport

/// Random scenarios, which the loader takes, by the schema of scenarios.
@Suite struct SweepSchemaTests {
    @Test("formats: random scenarios are taken by the schema") func randomScenariosAreTaken() throws {
        let texts = try (UInt64(1)...40).map { try SweepGenerator.scenario(seed: $0).yaml }
        for text in texts { _ = try ScenarioText.load(text) }
        let problems = try SchemaCheck.problems(in: texts, by: ScenarioSchema.document)
        for (text, problem) in zip(texts, problems) { #expect(problem == nil, "\(text)") }
    }
}
