import Testing

@testable import TestSupport

/// The transcripts of `Tests/Transcripts`.
@Suite struct TranscriptTests {
    private static let files = CaseFile.all(in: "Transcripts", ending: ".txt")

    @Test(arguments: files) func commandsWriteWhatTheTranscriptShows(_ file: CaseFile) throws {
        try file.expectActual { try Transcript($0).rewritten() }
    }
}
