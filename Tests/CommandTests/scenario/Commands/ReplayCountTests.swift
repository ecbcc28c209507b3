import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `replay --count`: values of attributes by their frequency.
@Suite struct ReplayCountTests {
    private static let captures = "Scenarios/captures"
    private static let text = "\(captures)/new-devices-2020-07-23.txt"

    // The lines that the shell gives, without the spaces in front.
    private static func shell(_ line: String) throws -> [String] {
        try ShellRun(line, in: Repository.root).output.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }

    private static func counted(_ key: String, _ arguments: [String] = []) throws -> [String] {
        let folder = try TemporaryFolder(["capture.txt": Repository.text(of: text)])
        let run = ToolRun(
            ["replay", "@capture.txt", "--count", key, "--top=1000000", "--format=json"] + arguments, in: folder)
        #expect(run.status == .success && run.error == "")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let found = try #require((report["values"] as? [[String: Any]])?.first)
        #expect(found["exact"] as? Bool == true && found["attribute"] as? String == key)
        let values = try #require(found["values"] as? [[String: Any]])
        return try values.map { value in
            "\(try #require(value["attestations"] as? Int)) \(try #require(value["value"] as? String))"
        }
    }

    @Test(arguments: ["ip", "app-version", "device", "sdk-version", "user-property", "device-props", "device-id"])
    func theShellCountsTheSame(_ key: String) throws {
        let lines = try Self.shell(
            "sed -n 's/^\(key): //p' \(Self.text) | LC_ALL=C sort | uniq -c | LC_ALL=C sort -s -k1,1nr")
        #expect(lines.count > 1)
        for jobs in ["1", "3"] { try expect(Self.counted(key, ["--jobs", jobs]), equals: lines) }
    }

    @Test func itReadsBothFormsAndStandardInput() throws {
        let both = try Self.shell(
            """
            { sed -n 's/^app-version: //p' \(Self.text); \
            sed 's/.*"app-version":"\\([^"]*\\)".*/\\1/' \(Self.captures)/afternoon-2020-07-23.jsonl; } \
            | LC_ALL=C sort | uniq -c | LC_ALL=C sort -s -k1,1nr | sed 's/^ *\\([0-9]*\\) \\(.*\\)/app-version,\\2,\\1/'
            """)
        let tool = try Self.shell(
            """
            cat \(Self.captures)/afternoon-2020-07-23.jsonl | \(ToolProcess.path) replay \(Self.text) - \
            --count app-version --format csv | tr -d '\\r' | tail -n +2 | cut -d , -f 1-3
            """)
        #expect(both.count == 6 && tool == both)
    }
}

/// `replay --tokens`: the file with the tokens that a replay would issue.
@Suite struct ReplayTokensTests {
    @Test func nobodyButTheOwnerReadsTokens() throws {
        let folder = try TemporaryFolder([
            "day.jsonl": Sample.day, "prod.yaml": "apis: [{domain: a.com}]\n", "old.txt": "x",
        ])
        for name in ["new.txt", "old.txt"] {
            ToolRun(["replay", "@day.jsonl", "--account=@prod.yaml", "--tokens=@\(name)"], in: folder).ending(.success)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            expect((attributes[.posixPermissions] as? NSNumber)?.intValue, equals: 0o600)
        }
    }
}
