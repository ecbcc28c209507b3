import Testing

@testable import Replay
@testable import TestSupport

/// Captures of fetches keep the bytes of malformed lines (formats: Captures, 2); all else of them are transcripts.
@Suite struct FetchTests {
    // formats: "`--malformed FILE` keeps them".
    @Test(arguments: [false, true]) func malformedLinesAreKept(skips: Bool) throws {
        let bob = SampleDevice.bob
        let replayed = try ReplayBench.replay("\(bob)\nx\n\(bob) noon\r\n") { $0.skipsMalformed = skips }
        expect(replayed.kept.map { String(decoding: $0, as: UTF8.self) }, equals: "x\n\(bob) noon\r\n")
    }
}
