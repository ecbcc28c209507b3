import Documents
import Testing

@testable import TestSupport

@Suite struct DurationTextTests {
    private static let files = CaseFile.all(in: "Tables/words", ending: "durations.txt")

    // The seconds and the form in which they are written, or why it is no duration.
    @Test(arguments: files) func readsAndWrites(_ file: CaseFile) throws {
        try file.expectActual { example in
            TextCase.lines(example) { line in
                do throws(DurationError) {
                    let seconds = try DurationText.parse(line)
                    let text = DurationText.text(seconds)
                    let again = try DurationText.parse(text)
                    expect(again, equals: seconds)
                    return "\(seconds) seconds, \(text)"
                } catch {
                    return "\(error)"
                }
            }
        }
    }

    @Test func nothingIsNoDuration() {
        #expect(throws: DurationError.malformed) { try DurationText.parse("") }
    }

    @Test(arguments: [(-60, "-1m"), (Int.min, "-292471208677y195d15h30m8s"), (Int.max, "292471208677y195d15h30m7s")])
    func writesAnyNumber(seconds: Int, text: String) {
        expect(DurationText.text(seconds), equals: text)
    }
}
