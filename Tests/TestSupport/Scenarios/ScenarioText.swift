import Documents
import FoundationEssentials
import Scenarios
import Testing

/// Scenarios that tests write as text; one that does not begin with its name is called `s`.
enum ScenarioText {
    /// Reads a scenario that has no mistakes.
    static func load(_ text: String) throws -> Scenario {
        var diagnostics = Diagnostics()
        let named = text.hasPrefix("scenario:") ? text : "scenario: s\n\(text)\n"
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: named))
        let scenario = ScenarioLoader.load(document, diagnostics: &diagnostics)
        return try #require(scenario, "\(diagnostics.all.map(\.rendered))")
    }

    /// Runs a scenario that has no mistakes.
    static func run(_ text: String, seed: UInt64? = nil) throws -> ScenarioResult {
        let (result, diagnostics) = try attempt(text, seed: seed)
        try #require(diagnostics.isEmpty)
        return result
    }

    /// Runs a scenario, whatever its result.
    static func attempt(
        _ text: String, seed: UInt64? = nil
    ) throws -> (result: ScenarioResult, diagnostics: [String]) {
        var diagnostics = Diagnostics()
        var runner = ScenarioRunner(seed: seed)
        runner.isVerbose = true
        let results = runner.run([try load(text)], diagnostics: &diagnostics)
        return (try #require(results.first), MarkedText.found(diagnostics))
    }

    /// The expectations that failed, each as `message: expected …, actual …`.
    static func failures(_ text: String) throws -> [String] {
        try run(text).expectations.filter { !$0.passed }.map {
            "\($0.message): expected \($0.expected), actual \($0.actual)"
        }
    }
}

/// A decision as a scenario or a replay writes it.
struct WrittenDecision: Decodable, Equatable {
    let index: Int
    let time, device, verdict, policy: String
    let rejections, flags: [String]
    let annotations: [String]?
    let filters: [String]
    let lifetime: Int
    let expires: String
    let arc: String?

    /// Reads the lines of a file of decisions.
    static func read(_ bytes: [UInt8]) throws -> [WrittenDecision] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(WrittenDecision.self, from: Data(line))
        }
    }
}
