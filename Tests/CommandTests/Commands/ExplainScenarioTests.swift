import Testing

@testable import scenario

/// `explain` of a scenario: everything that a device meets.
@Suite struct ExplainScenarioTests {
    private static let bob = Sample.bob

    private static func run(_ arguments: [String]) throws -> ToolRun {
        try ToolRun(
            ["explain", "@s.yaml"] + arguments, files: ["s.yaml": GoldenCase(name: "explain-scenario").read("s.yaml")])
    }

    // The report itself, of every kind of step, is a golden one.
    @Test("R14.4, R19.1a, R19.7, R19.8, R20–R22 by its group it is the same device") func explains() throws {
        let golden = try GoldenCase(name: "explain-scenario").expected("text")
        #expect(try "exit status 0\n\n" + Self.run(["--device", "bob"]).output == golden)
    }

    @Test("a group is explained by its first device") func groups() throws {
        let run = try Self.run(["--device", "stock"])
        #expect(run.status == .success)
        let lines = run.output.split(separator: "\n").map(String.init)
        let headings = lines.filter { !$0.hasPrefix(" ") }.map { $0.replacing(/[A-Za-z0-9+\/]{22}==/, with: "ID") }
        let day = "2020-01-01T00:00"
        #expect(
            headings == [
                "ID \(day):09Z  stock launch", "\(day):15Z  outage primary", "\(day):16Z  approov",
                "ID \(day):18Z  stock factory-reset", "\(day):19Z  serve", "\(day):21Z  account cancelled",
            ])
        // The device that is reset has another ID.
        let ids = run.output.matches(of: /[A-Za-z0-9+\/]{22}==/).map { String($0.output) }
        #expect(Set(ids).count == 2)
        #expect(ids.first != ids.last)
    }

    @Test("without a device every group is explained, and what concerns everybody once") func everybody() throws {
        let run = try Self.run([])
        #expect(run.status == .success)
        let count = { (text: String) in run.output.split(separator: text, omittingEmptySubsequences: false).count - 1 }
        #expect(count("stock launch") == 1)
        #expect(count("bob launch") == 1)
        #expect(count("outage primary") == 1)
    }

    @Test("requests and events as JSON") func json() throws {
        let output = try Self.run(["--device", "bob", "--format", "json"]).output
        #expect(
            output.hasPrefix(
                """
                {"version":1,"requests":[{"device":"\(Self.bob)","first":"2020-01-01T00:00:12Z","group":"bob",\
                "last":"2020-01-01T00:00:12Z","outcome":"refused","requests":1,"steps":[{"line":"plain HTTP carries \
                none, and no pins apply to it","name":"token","rule":"R19.7"},
                """))
        #expect(
            output.contains(
                """
                {"device":"\(Self.bob)","event":"launch","first":"2020-01-01T00:00:08Z","group":"bob",\
                "last":"2020-01-01T00:00:08Z","steps":[{"line":"the app starts again: the token in memory is gone, and the \
                app loads the configuration that it stored","name":"app","rule":"R14.1"}],"times":1}
                """))
        #expect(
            output.contains(
                """
                {"event":"outage","first":"2020-01-01T00:00:15Z","last":"2020-01-01T00:00:15Z","steps":[
                """))
    }
}
