import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A capture that was generated from a scenario written as text.
struct GeneratedCapture {
    let scenario: Scenario
    let bytes: [UInt8]

    /// Generates a capture.
    ///
    /// - Parameters:
    ///   - text: The scenario; it has no mistakes, and need not expect anything.
    ///   - count: How many attestations.
    ///   - edit: Changes what is asked for.
    init(_ text: String, count: Int, _ edit: (inout GenerationRequest) -> Void = { _ in }) throws {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        let loaded = ScenarioLoader.load(document, isChecked: false, diagnostics: &diagnostics)
        try #require(diagnostics.isEmpty, "\(MarkedText.found(diagnostics))")
        scenario = try #require(loaded)
        let folder = try TemporaryFolder()
        var request = GenerationRequest(count: count)
        request.path = folder.path("capture")
        edit(&request)
        try Generation(scenario, request).run()
        bytes = try #require(folder.bytes(of: "capture"))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Replays it through the account of the scenario.
    func replay() throws -> Replayed {
        try ReplayBench.replay([bytes], account: try #require(scenario.onlyAccount))
    }

    /// The records, with those attributes.
    func records(_ keys: String...) throws -> [ReadRecord] {
        try ReadRecord.read(bytes, keys: Set(keys.map { Array($0.utf8) }))
    }
}
