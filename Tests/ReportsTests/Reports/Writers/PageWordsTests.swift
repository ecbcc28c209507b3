import Testing

@testable import PolicyEngine
@testable import Reports
@testable import TestSupport

/// Words of pages that follow from data: spans of time, days of a week, and names of apps.
@Suite struct PageWordsTests {
    struct Span: Sendable, CustomTestStringConvertible {
        let first, last, words: String
        var testDescription: String { words }
    }

    static let spans = [
        Span(first: "2020-07-23T07:00:00Z", last: "2020-07-23T11:00:00Z", words: "23 July 2020, 07–12 UTC"),
        Span(first: "2020-07-23T22:00:00Z", last: "2020-07-23T23:00:00Z", words: "23 July 2020, 22–24 UTC"),
        Span(first: "2020-07-20T22:00:00Z", last: "2020-07-26T01:00:00Z", words: "20–26 July 2020"),
        Span(first: "2020-06-28T00:00:00Z", last: "2020-07-03T00:00:00Z", words: "28 June – 3 July 2020"),
        Span(first: "2019-12-30T00:00:00Z", last: "2020-01-02T00:00:00Z", words: "30 December 2019 – 2 January 2020"),
        Span(first: "2019-07-23T00:00:00Z", last: "2020-07-24T00:00:00Z", words: "23 July 2019 – 24 July 2020"),
    ]

    @Test(arguments: spans) func aSpanIsSaidInWords(_ span: Span) throws {
        let (first, last) = (try #require(Instant(rfc3339: span.first)), try #require(Instant(rfc3339: span.last)))
        expect(SpanWords.text(from: first, to: last), equals: span.words)
    }

    // A Thursday, as any calendar says; the day before 1970 was a Wednesday.
    @Test(arguments: [("2020-07-23", "Thu 23"), ("2024-02-29", "Thu 29"), ("1969-12-31", "Wed 31")])
    func aDayHasItsWeekday(_ day: String, words: String) throws {
        try expect(#require(Instant(rfc3339: day + "T12:00:00Z")).date.weekdayAndDay, equals: words)
    }

    @Test(arguments: [
        ("and", "Android"), ("ios", "iOS"), ("and-com.example-1.0", "Android · com.example-1.0"),
        ("ios-a-b", "iOS · a-b"), ("android", "android"), ("other", "other"), ("unknown", "Unknown system"),
    ]) func anAppIsSaidWithItsSystem(_ name: String, words: String) {
        expect(SpokenName.text(of: name), equals: words)
    }
}
