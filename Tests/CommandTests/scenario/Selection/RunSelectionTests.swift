import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario run --watch`, as a process of its own.
@Suite struct RunWatchTests {
    private static let scenario = """
        scenario: Watched
        account: account.yaml
        devices: {phone: {os: android, flags: [rooted]}}
        steps: [{at: 0s, fetch: phone, expect: {verdict: pass}}]

        """

    // Reads until a report is whole.
    private static func report(of process: ToolProcess) -> String {
        var text = ""
        while !text.contains(#/\d (failed, \d|of \d scenario) passed\n/#) {
            let part = process.read()
            if part.isEmpty { break }
            text += part
        }
        return text
    }

    private static func start(_ folder: TemporaryFolder) throws -> ToolProcess {
        try ToolProcess(["run", "one.yaml", "--watch", "--no-progress"], in: folder, by: ["/usr/bin/env", "-u", "CI"])
    }

    @Test(.timeLimit(.minutes(5))) func aChangedFileIsRunAgain() throws {
        let folder = try TemporaryFolder([
            "one.yaml": Self.scenario, "account.yaml": "policy: default,allow-root,default\n",
        ])
        let process = try Self.start(folder)
        #expect(Self.report(of: process).contains("1 of 1 scenario passed"))
        // The account is named by the scenario alone.
        try folder.write("policy: default,default,default\n", to: "account.yaml")
        #expect(Self.report(of: process).contains("1 failed, 0 passed"))
        // A scenario with a mistake does not end the watch.
        try folder.write("scenario: [\n", to: "one.yaml")
        Self.wait(for: { folder.errors.contains("one.yaml:") })
        try folder.write(Self.scenario.replacing("verdict: pass", with: "verdict: fail"), to: "one.yaml")
        #expect(Self.report(of: process).contains("1 of 1 scenario passed"))
        try folder.write(Self.scenario, to: "one.yaml")
        #expect(Self.report(of: process).contains("1 failed, 0 passed"))
        Self.wait(for: { folder.errors.components(separatedBy: "Ctrl-C ends").count > 5 })
        process.send(SIGINT)
        let end = process.end()
        expect(end.status, equals: 1)
        #expect(end.error.contains("scenario: watching 2 files; Ctrl-C ends\n"))
    }

    @Test(.timeLimit(.minutes(5))) func theEndIsThatOfTheLastRun() throws {
        let folder = try TemporaryFolder([
            "one.yaml": Self.scenario, "account.yaml": "policy: default,allow-root,default\n",
        ])
        let process = try Self.start(folder)
        _ = Self.report(of: process)
        Self.wait(for: { folder.errors.contains("Ctrl-C ends") })
        process.send(SIGTERM)
        expect(process.end().status, equals: 0)
    }

    private static func wait(for condition: () -> Bool) {
        for _ in 0..<1000 where !condition() { usleep(10_000) }
    }
}

extension TemporaryFolder {
    /// The standard error of a running process so far.
    fileprivate var errors: String { names.filter { $0.hasPrefix(".stderr-") }.compactMap { self[$0] }.joined() }
}
