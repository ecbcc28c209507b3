import Documents
import Testing

@testable import TestSupport

@Suite struct DurationTextTests {
    struct Row: LabelledRow {
        let text: String
        let seconds: Int
        var canonical: String?
    }

    static let rows = [
        Row(text: "0s", seconds: 0), Row(text: "45s", seconds: 45), Row(text: "5m", seconds: 300),
        Row(text: "1h30m", seconds: 5400), Row(text: "2d", seconds: 172_800), Row(text: "1y", seconds: 31_536_000),
        Row(text: "1y2d3h4m5s", seconds: 31_719_845), Row(text: "100y", seconds: 3_153_600_000),
        Row(text: "40m40s", seconds: 2440), Row(text: "1d1s", seconds: 86_401),
        Row(text: "300s", seconds: 300, canonical: "5m"), Row(text: "90m", seconds: 5400, canonical: "1h30m"),
        Row(text: "365d", seconds: 31_536_000, canonical: "1y"), Row(text: "007s", seconds: 7, canonical: "7s"),
        Row(text: "0h0s", seconds: 0, canonical: "0s"),
        Row(text: "3153600000s", seconds: 3_153_600_000, canonical: "100y"),
    ]

    @Test(arguments: rows) func readsAndWrites(_ row: Row) throws {
        #expect(try DurationText.parse(row.text) == row.seconds)
        #expect(DurationText.text(row.seconds) == row.canonical ?? row.text)
        #expect(try DurationText.parse(DurationText.text(row.seconds)) == row.seconds)
    }

    struct Refusal: LabelledRow {
        let text: String
        let error: DurationError
    }

    static let refusals = [
        Refusal(text: "", error: .malformed), Refusal(text: "s", error: .malformed),
        Refusal(text: "-5s", error: .malformed), Refusal(text: "+5s", error: .malformed),
        Refusal(text: "1.5h", error: .malformed), Refusal(text: "5 m", error: .malformed),
        Refusal(text: "1h 30m", error: .malformed), Refusal(text: "٣s", error: .malformed),
        Refusal(text: "0", error: .missingUnit(number: "0")), Refusal(text: "30", error: .missingUnit(number: "30")),
        Refusal(text: "1h30", error: .missingUnit(number: "30")), Refusal(text: "5M", error: .unknownUnit("M")),
        Refusal(text: "5min", error: .unknownUnit("min")), Refusal(text: "2w", error: .unknownUnit("w")),
        Refusal(text: "30m1h", error: .unitOutOfOrder("h")), Refusal(text: "1h1h", error: .unitOutOfOrder("h")),
        Refusal(text: "101y", error: .tooLong), Refusal(text: "100y1s", error: .tooLong),
        Refusal(text: "3153600001s", error: .tooLong),
        Refusal(text: "9223372036854775807y", error: .tooLong),
        Refusal(text: "99999999999999999999999s", error: .tooLong),
    ]

    @Test(arguments: refusals) func refuses(_ row: Refusal) {
        #expect(throws: row.error) { try DurationText.parse(row.text) }
    }

    @Test(arguments: [(-60, "-1m"), (Int.min, "-292471208677y195d15h30m8s"), (Int.max, "292471208677y195d15h30m7s")])
    func writesAnyNumber(seconds: Int, text: String) {
        #expect(DurationText.text(seconds) == text)
    }
}
