import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The rest of a small capture, worked out by hand.
@Suite struct NarrowingTests {
    // Device, hour, flags and other members. Device 1 attests at 10 and 12, 2 at 11 and 13, 3 at 12 alone.
    private static let records: [(device: Int, hour: Int, flags: String, more: String)] = [
        (1, 10, "rooted", #","ip":"10.0.0.1","rejection-flags":"rooted""#),
        (2, 11, "frida,odd", #","ip":"10.0.0.2","device":"iOS, 13.5, iPhone12,1, en_GB""#),
        (1, 12, "", #","ip":"10.1.0.1","rejection-flags":"""#),
        (3, 12, "rooted", #","ip":"10.0.0.2""#),
        (2, 13, "", #","ip":"192.0.2.1","device":"iOS, 14.0, iPhone12,1, en_GB""#),
    ]

    private static let capture = records.map { record in
        #"{"time":"2020-07-23T\#(record.hour):00:00Z","device-id":"\#(Sample.device(record.device))","#
            + #""public-flags":"\#(record.flags)"\#(record.more)}"# + "\n"
    }.joined()

    /// A question: the hours, the expressions, and the records that are left by their numbers, from 0.
    struct Row: LabelledRow {
        let name: String
        let expressions: [String]
        let hours: (from: Int?, to: Int?)
        let left: [Int]

        init(_ expressions: String..., from: Int? = nil, to: Int? = nil, leaves left: [Int]) {
            name = expressions.joined(separator: ", ") + " from \(from ?? 0) to \(to ?? 24)"
            (self.expressions, hours, self.left) = (expressions, (from, to), left)
        }
    }

    static let rows = [
        Row("flag:rooted", leaves: [0, 2, 3]), Row("flag:odd", leaves: [1, 4]),
        Row("did:\(Sample.device(3))", leaves: [3]),
        Row("ip=10.0.0.2", leaves: [1, 3, 4]), Row("ip~^10[.]0", leaves: [0, 1, 2, 3, 4]),
        Row("ip/16=10.1.0.0/16", leaves: [0, 2]), Row("os=iOS", leaves: [1, 4]), Row("os-version=14", leaves: []),
        Row(#"os-version~major="iOS 14""#, leaves: [1, 4]), Row("verdict:fail", leaves: [0, 2]),
        Row("time/hour=2020-07-23T12Z", leaves: [0, 2, 3]),
        // Every device but the third has a record without a flag.
        Row("not flag:rooted and not flag:frida", leaves: [0, 1, 2, 4]),
        // One record has both, or two records have one each.
        Row("flag:rooted and ip=10.1.0.1", leaves: []), Row("flag:rooted", "ip=10.1.0.1", leaves: [0, 2]),
        Row("flag:rooted or flag:frida", "ip=10.0.0.2", leaves: [1, 3, 4]),
        Row("flag:rooted", "flag:frida", leaves: []),
        Row(from: 12, leaves: [2, 3, 4]), Row(to: 12, leaves: [0, 1]), Row(from: 11, to: 13, leaves: [1, 2, 3]),
        Row(from: 14, leaves: []),
        // A record before the span selects nothing.
        Row("flag:rooted", from: 11, leaves: [3]), Row("flag:rooted", to: 11, leaves: [0]),
        Row("verdict:pass", from: 11, to: 13, leaves: [2]),
    ]

    private static func left(_ row: Row, _ capture: String, jobs: Int = 1) throws -> (
        decisions: [String]?, [Diagnostic]
    ) {
        let narrowing = try Self.narrowing(row.expressions, from: row.hours.from, to: row.hours.to)
        var diagnostics: [Diagnostic] = []
        let replayed = try ReplayBench.replay(capture) { request in
            request.jobs = jobs
            let (choice, found) = narrowing.choice(for: request, labels: nil)
            diagnostics = found.all
            if let choice { request.choice = choice }
        }
        return (replayed.decisions, diagnostics)
    }

    static func narrowing(_ expressions: [String], from: Int? = nil, to: Int? = nil) throws -> CaptureNarrowing {
        func time(_ hour: Int) throws -> Instant { try #require(Instant(rfc3339: "2020-07-23T\(hour):00:00Z")) }
        return CaptureNarrowing(
            from: try from.map(time), to: try to.map(time),
            expressions: try expressions.map { try RecordExpression($0) { _ in [] } }, option: "--only")
    }

    @Test("All records of the devices that stay count, and no others", arguments: rows) func leaves(_ row: Row) throws {
        for jobs in [1, 3] {
            let (decisions, diagnostics) = try Self.left(row, Self.capture, jobs: jobs)
            let beginnings = row.left.enumerated().map { number, index in
                let record = Self.records[index]
                return #"{"index":\#(number),"time":"2020-07-23T\#(record.hour):00:00Z","#
                    + #""device":"\#(Sample.device(record.device))","verdict":"#
            }
            expect(decisions?.map { String($0.prefix(beginnings.first?.count ?? 0)) }, equals: beginnings)
            #expect(diagnostics.isEmpty)
        }
    }

    @Test("A flag that no record has is an error, and an attribute is warned about") func unknownNames() throws {
        func messages(_ text: String, from: Int? = nil) throws -> [String] {
            try Self.left(Row(text, from: from, leaves: []), Self.capture).1.map {
                "\($0.severity.rawValue): \($0.message)"
            }
        }
        expect(
            try messages("not flag:rotted"), equals: ["error: neither the account nor a record has the flag `rotted`"])
        expect(
            try messages("flag:odd", from: 12), equals: ["error: neither the account nor a record has the flag `odd`"])
        expect(try messages("colour=red"), equals: ["warning: no record has a value for `colour`"])
    }

    @Test("A regex that is given up leaves nothing open") func givenUp() throws {
        let capture = Self.capture.replacing("192.0.2.1", with: UnsearchedValue.value)
        let narrowing = try Self.narrowing(["ip~\(UnsearchedValue.pattern)"])
        _ = try ReplayBench.replay(capture) { request in
            let (choice, diagnostics) = narrowing.choice(for: request, labels: nil)
            #expect(choice == nil)
            expect(
                diagnostics.all.map(\.message),
                equals: ["a regex hit its match limit, so that it is not known which devices it selects"])
        }
    }

    @Test("Labels are those of the records in the span") func labels() throws {
        let folder = try TemporaryFolder([
            "day.jsonl": Self.capture, "labels.csv": "ip,label\n10.0.0.1,bad\n10.0.0.2,good\n",
        ])
        var diagnostics = Diagnostics()
        let labels = Labels.read(path: folder.path("labels.csv"), isSecret: false, diagnostics: &diagnostics)
        func devices(_ text: String, from: Int? = nil) throws -> [Int] {
            let request = ReplayRequest(captures: [folder.path("day.jsonl")], account: Account())
            let choice = try Self.narrowing([text], from: from).choice(for: request, labels: labels).choice
            return (1...3).filter { number in
                DeviceID(Sample.device(number)).map { choice?.devices?.contains($0) ?? false } ?? false
            }
        }
        expect(try devices("label:bad"), equals: [1])
        expect(try devices("label:good"), equals: [2, 3])
        expect(try devices("label:good and flag:rooted"), equals: [3])
        expect(try devices("label:bad", from: 11), equals: [])
        expect(try devices("label:unknown", from: 11), equals: [1])
        expect(try devices("label:unknown", from: 13), equals: [2])
    }

    @Test("Values that say something of people are hidden in an expression") func redacted() throws {
        let redactor = Redactor(PseudonymKey(from: Array("a key of sixteen bytes".utf8)))
        let text = #"flag:rooted and not (user-property="Jo Doe" or ip~^10[.]0) and os=iOS and did:\#(Sample.device)"#
        let shown = RedactedExpression.text(text, by: redactor)
        for word in ["Jo", "10[.]0", Sample.device] { #expect(!shown.contains(word), "\(shown)") }
        for word in [
            "flag:rooted and not ( \"user-property=property-", " or ip~address-", ") and os=iOS and did:device-",
        ] {
            #expect(shown.contains(word), "\(shown)")
        }
    }
}
