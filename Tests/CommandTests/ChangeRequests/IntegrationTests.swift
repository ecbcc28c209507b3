import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// The example action and the example job, beside stand-ins for GitHub and GitLab.
@Suite struct IntegrationTests {
    private static let stricter = "policy: default,strict,risk\n"
    private static let looser = "policy: default,allow-root,default\n"

    struct Host: LabelledRow {
        let name, creation, change: String
    }

    static let hosts = [
        Host(
            name: "github", creation: "POST /repos/owner/name/issues/7/comments",
            change: "PATCH /repos/owner/name/issues/comments/100"),
        Host(
            name: "gitlab", creation: "POST /projects/12/merge_requests/7/notes",
            change: "PUT /projects/12/merge_requests/7/notes/100"),
    ]

    private static func runs(_ host: Host, _ runs: [[String: Any]]) throws -> [[String: Any]] {
        let root = Repository.root.standardizedFileURL.path(percentEncoded: false)
        let answer = try Tooling.answer(
            of: "change_requests.py",
            to: [
                "host": host.name, "root": String(root.dropLast()), "tool": ToolProcess.path, "runs": runs,
            ])
        return try #require(answer["runs"] as? [[String: Any]])
    }

    private static func run(
        _ account: String, _ more: [String: String] = [:], isRequest: Bool = true
    ) -> [String: Any] {
        let inputs = [
            "account": "accounts/prod.yaml", "captures": "day.jsonl\n", "max-newly-accepted": "0",
        ].merging(more) { $1 }
        return ["account": account, "inputs": inputs, "request": isRequest]
    }

    @Test(arguments: hosts) func oneCommentIsKeptUpToDate(_ host: Host) throws {
        let runs = try Self.runs(
            host,
            [
                Self.run(Self.stricter), Self.run(Self.stricter), Self.run(Self.looser),
                Self.run(Self.looser, ["allow": "agreed: the test phones"]), Self.run("polcy: x\n"),
            ])
        #expect(runs.map { $0["status"] as? Int } == [0, 0, 4, 0, 2], "\(runs.map { $0["error"] ?? "" })")
        // Nothing is written where nothing changed.
        let calls = [[host.creation], [], [host.change], [host.change], [host.change]]
        #expect(runs.map { $0["calls"] as? [String] } == calls)
        let bodies = try runs.map { try #require($0["comments"] as? [String]) }
        #expect(bodies.allSatisfy { $0.count == 1 && $0[0].hasPrefix("<!-- scenario diff -->\n") })
        #expect(bodies[0] == bodies[1])
        #expect(bodies[0][0].contains("no device of 3 would stop getting valid tokens"))
        #expect(bodies[2][0].contains("1 would start") && bodies[2][0].hasSuffix("**A limit is exceeded.**"))
        #expect(bodies[3][0].contains("agreed: the test phones") && !bodies[3][0].contains("A limit is exceeded"))
        #expect(bodies[4][0].contains("**The comparison failed** (exit status 2)"))
    }

    @Test(arguments: hosts) func withoutAChangeRequestThereIsNoComment(_ host: Host) throws {
        let runs = try Self.runs(host, [Self.run(Self.looser, isRequest: false)])
        #expect(runs[0]["status"] as? Int == 4)
        #expect(runs[0]["calls"] as? [String] == [])
    }
}
