import Testing

@testable import TestSupport
@testable import scenario

/// `minimise`: what is left still fails, or flips, and nothing more can go.
@Suite struct MinimiseCommandTests {
    // The scenario to which `minimise` shortens a longer one.
    private static let small = """
        scenario: A long story
        devices:
          eve: {flags: [rooted]}
        steps:
          - at: 4m
            fetch: [eve]
            expect:
              - {group: eve, verdict: pass}

        """

    /// No step of what is left can go: without any of its lines it no longer fails so.
    @Test func nothingMoreCanGo() throws {
        let again = try ToolRun("minimise @small.yaml", files: ["small.yaml": Self.small])
        expect(again.output, equals: Self.small)
        let lines = Self.small.split(separator: "\n")
        for index in lines.indices {
            let rest = lines.indices.filter { $0 != index }.map { "\(lines[$0])\n" }.joined()
            let run = try ToolRun("run @rest.yaml --no-progress", files: ["rest.yaml": rest])
            #expect(
                run.status != .expectationFailed || !run.output.contains("expected: pass"), "without \(lines[index])")
        }
    }
}

/// `record`: a scenario that pins what a capture shows, and passes.
@Suite struct RecordCommandTests {
    /// Random captures of random devices: what is recorded always passes.
    @Test(arguments: 1...UInt64(Exhaustive.count(5, whole: 50))) func whatIsRecordedPasses(seed: UInt64) throws {
        var accounts = RandomAccount(seed: seed, flags: [])
        var captures = RandomCapture(seed: seed << 16, flags: ["rooted", "cloned"])
        let folder = try TemporaryFolder([
            "account.yaml": accounts.text(), "day.jsonl": captures.records(30).map(\.line).joined(),
        ])
        let recorded = ToolRun("record @day.jsonl --account=@account.yaml --output=@s.yaml", in: folder)
        guard recorded.status == .success else {
            expect(recorded.status, equals: .nothingRan, "\(recorded.error)")
            return
        }
        let run = ToolRun("run @s.yaml --no-progress", in: folder)
        expect(run.status, equals: .success, "seed \(seed): \(run.output)\(run.error)")
    }
}
