import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Service

/// A service that keeps what happens in a file.
enum StateBench {
    private static let account = """
        account: a
        arc: on
        propagation: 0s
        apis: [{domain: my.api.io}]
        filters: [{name: blocked, key: ip, match: 6.6.6.6, ban: true}]

        """

    /// A service that continues from a file.
    static func bench(
        _ path: String, origin: String = "as it is", clock: ServiceClock = .system,
        at time: String = "2020-12-09T15:31:02Z"
    ) throws -> ServiceBench {
        var bench = try ServiceBench(account, at: time)
        let state = try StateFile(path: path, origin: origin)
        bench.service = try StandIn(bench.service.settings, clock: clock, at: bench.time, state: state)
        return bench
    }

    /// Lets a ban by a filter, a new flag, an entry, an outage, a chain and a report happen.
    static func happen(_ bench: inout ServiceBench) throws {
        let banned = #"{"device-id":"\#(ServiceBench.device)","ip":"6.6.6.6"}"#
        #expect(bench.send("POST /attest", banned).status == 200)
        let token = try bench.attest("a-flag-of-nobody", device: "h4gubfCFzJu81j/U2BJsdg==").token
        let headers = ["Approov-Token": token, "Report-Message": "odd"]
        #expect(bench.send("PUT /token-info/", headers: headers).status == 200)
        let entry = #"["device","-add","AAAAAAAAAAAAAAAAAAAAAA==","-label","x"]"#
        #expect(bench.send("POST /approov", entry).status == 200)
        #expect(bench.send("PUT /backends", #"{"my.api.io":["LEAF","CA"]}"#).status == 200)
        bench.time = bench.time + 1
        #expect(bench.send("PUT /outage", #"{"primary":true}"#).status == 200)
        bench.time = bench.time + 60
        _ = try bench.attest(device: "DoYouReadThisText01234==")
        #expect(bench.send("PUT /outage", #"{"primary":false}"#).status == 200)
    }

    /// The answers to questions that everybody can ask.
    static func seen(_ bench: inout ServiceBench) -> [String] {
        [
            bench.send("GET /metrics").text, bench.send("GET /outage").text, bench.send("GET /backends").text,
            bench.send("POST /approov", #"["device","-getInfo","new-did"]"#).text,
            bench.send("POST /approov", #"["device","-list"]"#).text,
            bench.send("POST /approov", #"["device","-getFetches","timed"]"#).text,
            bench.send("POST /approov", #"["token","-reports"]"#).text,
            bench.send("POST /approov", #"["device","-getDeviceState","\#(ServiceBench.device)"]"#).text,
            bench.send("GET /.well-known/jwks.json").text,
        ]
    }
}

/// SQLite as another program has it.
enum SQLiteProgram {
    /// Carries out statements on a file, which is for its owner alone then.
    static func run(_ statements: String, on path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program =
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])"
        process.arguments = ["-c", program, path, statements]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
