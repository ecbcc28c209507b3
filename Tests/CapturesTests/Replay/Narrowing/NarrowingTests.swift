import Documents
import Foundation
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

    // The answer to a question such as `ip=10.0.0.2; flag:rooted from 11 to 13`.
    private static func left(_ question: String, jobs: Int = 1) throws -> (decisions: [String]?, [Diagnostic]) {
        let parts = try #require(question.firstMatch(of: /^(.*?) ?(?:from ([0-9]+))? ?(?:to ([0-9]+))?$/)).output
        let expressions = parts.1.components(separatedBy: "; ").filter { !$0.isEmpty }
        let narrowing = try Self.narrowing(
            expressions, from: parts.2.flatMap { Int($0) }, to: parts.3.flatMap { Int($0) })
        var diagnostics: [Diagnostic] = []
        let replayed = try ReplayBench.replay(Self.capture) { request in
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

    @Test("All records of the devices that stay count, and no others", arguments: [1, 3]) func leaves(jobs: Int) throws
    {
        for file in CaseFile.all(in: "Tables/captures", ending: "narrowing.txt") {
            try file.expectActual { example in
                try TextCase.lines(example) { question in
                    let (decisions, diagnostics) = try Self.left(question, jobs: jobs)
                    #expect(diagnostics.isEmpty)
                    let left = try #require(decisions).map { decision in
                        Self.records.firstIndex { record in
                            decision.contains("T\(record.hour):") && decision.contains(Sample.device(record.device))
                        } ?? -1
                    }
                    return left.isEmpty ? "none" : left.map { "\($0)" }.joined(separator: " ")
                }
            }
        }
    }

    @Test("A flag that no record has is an error, and an attribute is warned about") func unknownNames() throws {
        func messages(_ question: String) throws -> [String] {
            try Self.left(question).1.map {
                "\($0.severity.rawValue): \($0.message)"
            }
        }
        expect(
            try messages("not flag:rotted"), equals: ["error: neither the account nor a record has the flag `rotted`"])
        expect(
            try messages("flag:odd from 12"), equals: ["error: neither the account nor a record has the flag `odd`"])
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
