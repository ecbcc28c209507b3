import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// `PUT /backends`: what API domains present.
@Suite struct BackendTests {
    @Test("R23.4a what a domain presents is kept") func whatADomainPresentsIsKept() throws {
        let folder = try TemporaryFolder()
        func begin() throws -> ServiceBench {
            var bench = try ServiceBench()
            let state = try StateFile(path: folder.path("state"), origin: "a")
            bench.service = try StandIn(bench.service.settings, clock: .system, at: bench.time, state: state)
            return bench
        }
        let both = "{\"api.io\":[\"NEW\",\"CA\"],\"b.io\":[\"B\"]}\n"
        do {
            var bench = try begin()
            #expect(bench.send("GET /backends").text == "{}\n")
            #expect(
                bench.send("PUT /backends", #"{"api.io":["LEAF","CA"]}"#).text == "{\"api.io\":[\"LEAF\",\"CA\"]}\n")
            #expect(bench.send("PUT /backends", #"{"https://B.io/v1":["B"],"API.io":["NEW","CA"]}"#).text == both)
        }
        var bench = try begin()
        #expect(bench.send("GET /backends").text == both)
        #expect(
            bench.service.account.chains.map(\.chain) == [["NEW", "CA"], ["B"]])
    }

    static let refused: [(body: String, field: String)] = [
        ("{}", "body"), ("[]", "body"), (#"{"a b":["X"]}"#, "a b"), (#"{"http://a.io":["X"]}"#, "http://a.io"),
        (#"{"a.io":[]}"#, "a.io"), (#"{"a.io":"X"}"#, "a.io"), (#"{"a.io":[""]}"#, "a.io"), (#"{"a.io":[1]}"#, "a.io"),
        (#"{"a.io":["X"],"A.io":["Y"]}"#, "A.io"), (#"{"a.io":["X"],"b.io":{}}"#, "b.io"),
    ]

    @Test("R23.4a what is no chain of a domain changes nothing", arguments: refused)
    func whatIsNoChainChangesNothing(row: (body: String, field: String)) throws {
        var bench = try ServiceBench()
        let answer = bench.send("PUT /backends", row.body)
        #expect(answer.status == 400)
        #expect(answer.member("field") == row.field, "\(answer.text)")
        #expect(bench.send("GET /backends").text == "{}\n")
    }
}
