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

    // printf LEAF | openssl dgst -sha256 -binary | base64
    private static let leaf = "IbBPqzGfV8mraNXyRqW2oHFFuWCQe9Mn0tx3U0OVvmk="

    @Test("R18.2a, R23.4a an added domain gets the pin of the leaf that it is said to present") func addedDomain()
        throws
    {
        var bench = try ServiceBench("account: a\npropagation: 0s\napis: []\n")
        _ = bench.send("PUT /backends", #"{"api.io":["LEAF","CA"]}"#)
        let leaf = bench.send("POST /approov", #"["pin","-api","API.io","-getLeafPin","matching"]"#)
        #expect(leaf.text.contains("matching leaf pin for domain API.io:443 is \(Self.leaf)"), "\(leaf.text)")
        let known = bench.send("POST /approov?confirm=YES", #"["api","-add","api.io"]"#)
        #expect(known.text.contains("with type:account, alg:HS256, pin:\(Self.leaf)"), "\(known.text)")
        let unknown = bench.send("POST /approov?confirm=YES", #"["api","-add","b.io"]"#)
        #expect(unknown.text.contains("with type:account, alg:HS256, unpinned"), "\(unknown.text)")
        #expect(unknown.text.contains("nothing is known of what `b.io` presents"))
        let domains = bench.service.account.latest.apiDomains
        #expect(domains.map(\.pins) == [[Self.leaf], []] && domains.map(\.monitorPort) == [443, nil])
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
