import Testing

@testable import TestSupport

/// The drivers of cases: a case that expects nothing does not pass.
@Suite struct CaseDriverTests {
    private static func first(_ text: String) throws -> CaseFile.Case {
        try #require(CaseFile(path: "Tests/x", text: text).cases.first)
    }

    @Test func aTranscriptWithoutACommandFails() throws {
        #expect(throws: TestFailure.self) { try Transcript(Self.first("== a\nonly words\n")).rewritten() }
        #expect(throws: TestFailure.self) { try Transcript(Self.first("== a\n$ls\n$ ls\n? 0\n")).rewritten() }
    }

    @Test func everyCommandShowsAResult() throws {
        let example = try Self.first("== a\n$ ls\n-- b --\ntext\n$ ls\n")
        expect(try Transcript(example).rewritten(), equals: ["$ ls", "? 0", "-- b --", "text", "$ ls", "b"])
    }

    @Test func anyLinesAreNoExpectation() throws {
        let example = try Self.first("-- b --\ntext\n== a\n$ ls\n...\n$ cat b\nte...\n")
        expect(try Transcript(example).rewritten(), equals: ["$ ls", "b", "$ cat b", "te..."])
    }

    @Test func aDocumentSaysThatItIsAccepted() throws {
        expect(
            try DocumentCase(Self.first("== a\ndevices: {bob: {}}\n- {at: 0s, fetch: bob}\n"), .scenario).rewritten()
                .last,
            equals:
                "! 1:1 warning: the scenario expects nothing, so it cannot fail; hint: add `expect` to a step or at the end"
        )
        expect(
            try DocumentCase(Self.first("== a\naccount: x\n"), .account).rewritten(),
            equals: ["account: x", "! accepted"])
    }

    @Test func foldersOfCasesHavePathsOfOneLength() {
        let places = ["/tmp", "/dev/shm", "/tmp/twenty-four-letters", "/tmp/a-rather-long-name-for-a-folder/x"]
        let paths = places.map(TemporaryFolder.freshPath)
        expect(paths.map(\.utf8.count), equals: [50, 50, 50, 50])
        expect(paths[2].hasPrefix("/tmp/twenty-four-letters/scenario-"), equals: true)
        expect(paths[3].hasPrefix("/tmp/scenario-"), equals: true)
    }

    @Test func aFailureShowsTheLinesAroundIt() {
        let difference = LineDifference(["a", "b", "c", "d", "e"], ["a", "b", "c", "x", "e", "f"])
        expect(difference.lines(coloured: false), equals: ["  …", "  b", "  c", "- d", "+ x", "  e", "+ f"])
        expect(
            LineDifference(["a"], ["b"]).lines(coloured: true),
            equals: ["\u{1B}[31m- a\u{1B}[0m", "\u{1B}[32m+ b\u{1B}[0m"])
    }
}
