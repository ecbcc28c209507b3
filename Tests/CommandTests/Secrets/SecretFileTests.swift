import Foundation
import Testing

@testable import Documents
@testable import TestSupport
@testable import scenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files with secrets that scenarios print: nobody but the owner reads them, also where the file was there before.
@Suite struct SecretFileTests {
    private static let scenario = """
        scenario: s
        devices: {d: {os: ios}}
        steps:
          - {at: 0s, approov: secret -get base64}
          - {at: 1s, fetch: d, expect: {verdict: pass}}

        """

    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        let mode: mode_t
        let hasSecret: Bool
    }

    static let rows = [
        Row(name: "what commands print", arguments: ["--printed=@out"], mode: 0o600, hasSecret: true),
        Row(name: "all steps as text", arguments: ["--verbose", "--output=@out"], mode: 0o600, hasSecret: true),
        Row(
            name: "all steps as a page", arguments: ["--verbose", "--format=html", "--output=@out"], mode: 0o600,
            hasSecret: true),
        // JSON has no steps, and others do not read the file all the same.
        Row(
            name: "all steps as JSON", arguments: ["--verbose", "--format=json", "--output=@out"], mode: 0o600,
            hasSecret: false),
        // Nothing of the secret is in it.
        Row(name: "a report", arguments: ["--format=html", "--output=@out"], mode: 0o644, hasSecret: false),
    ]

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    // The secret that the command prints.
    private static func secret() throws -> String {
        let folder = try TemporaryFolder(["s.yaml": scenario])
        _ = ToolRun(["run", "@s.yaml", "--no-progress", "--printed=@out"], in: folder)
        let printed = try #require(folder["out"])
        // A note on its form goes before it, as in the manual.
        let line = try #require(printed.split(separator: "\n").last)
        // 64 bytes as base64.
        try #require(line.utf8.count == 88)
        return String(line)
    }

    @Test(arguments: rows, [false, true]) func othersReadNoSecret(_ row: Row, isThere: Bool) throws {
        let folder = try TemporaryFolder(["s.yaml": Self.scenario])
        if isThere {
            try folder.write("", to: "out")
            #expect(unsafe chmod(folder.path("out"), 0o644) == 0)
        }
        let run = ToolRun(["run", "@s.yaml", "--no-progress"] + row.arguments, in: folder)
        #expect(run.status == .success, "\(run.error)")
        #expect(Self.mode(of: folder.path("out")) == row.mode)
        let hasSecret = folder["out"]?.contains(try Self.secret())
        #expect(hasSecret == row.hasSecret)
    }
}
