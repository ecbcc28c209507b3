import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// Requests that make no sense: the status, and the field that is wrong.
@Suite struct RefusalTests {
    // As many members, with nothing else that were wrong at once.
    private static func many(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":true" }.joined(separator: ",") + "}"
    }

    private static let bodies = [
        Array(repeating: UInt8(ascii: "["), count: 60_000), Array(#"{"device-id":""#.utf8) + [0xFF, 0x22, 0x7D],
        [UInt8](repeating: 0, count: 1000), Array("{\(String(repeating: ",", count: 2000))}".utf8),
    ]

    @Test("R23.6 a body that is no JSON is refused", arguments: bodies) func noJSON(_ body: [UInt8]) throws {
        var bench = try ServiceBench()
        let answer = bench.service.answer(bench.request("POST /attest", body, headers: [:]), at: bench.time)
        #expect(answer.status == 400 && answer.member("error")?.isEmpty == false)
        expect(answer.member("field"), equals: "body")
    }

    @Test("R23.6 a body has at most a thousand members") func aBodyHasAtMostAThousandMembers() throws {
        for path in ["PUT /outage", "PUT /backends", "POST /clock", "POST /attest"] {
            var bench = try ServiceBench(clock: .virtual(Instant(secondsSinceEpoch: 0)))
            expect(bench.send(path, Self.many(1001)).member("error"), equals: "the body has more than 1000 members")
            #expect(bench.send(path, Self.many(1000)).member("error") != "the body has more than 1000 members")
            // Commas of a text part no members.
            let text = #"{"\",,"# + String(repeating: ",", count: 2000) + #"":true}"#
            #expect(bench.send(path, text).member("error") != "the body has more than 1000 members")
            expect(bench.send("POST /approov", "[\(Self.many(1001))]").member("field"), equals: "body")
        }
    }
}
