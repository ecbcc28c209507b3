import Testing

@testable import scenario

/// Reports as a whole, against files that were worked out and reviewed.
///
/// With `RECORD_GOLDEN=1` in the environment the files are written anew, and the run fails all the same.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all, ["text", "json"]) func theReportIsTheGoldenOne(
        _ golden: GoldenCase, form: String
    ) throws {
        if GoldenCase.isRecording {
            try golden.record(form)
            Issue.record(
                "recorded the \(form) report of \(golden.name); look at it, then run again without RECORD_GOLDEN")
        }
        #expect(try golden.report(form) == golden.expected(form))
    }
}
