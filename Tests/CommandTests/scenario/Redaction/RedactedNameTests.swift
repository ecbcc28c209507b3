import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// The way back from the name of a device in a redacted report to the device.
@Suite struct RedactedNameTests {
    private static let scenario = """
        scenario: Shop
        account: {policy: "default,default,default"}
        devices: {bob: {id: \(Sample.bob), flags: [debug]}, crowd: {count: 3, os: ios, flags: [devicecheck-missing]}}
        steps: [{at: 0s, fetch: all}]

        """

    private static func folder() throws -> TemporaryFolder {
        try TemporaryFolder(
            DiffSample.files.merging([
                "s.yaml": scenario, "key": "sixteen bytes or more",
                "stricter.txt": "# why\npolicy -set default,strict,risk\n",
            ]) { $1 })
    }

    private static func names(in text: String) -> [String] {
        text.matches(of: /device-[a-z2-7]{12}/).map { String($0.output) }
    }

    // The command with which a report ends, and the words of it as the tool takes them in the folder of the test.
    private static func command(in report: String, _ folder: TemporaryFolder) throws -> [String] {
        let start = try #require(report.range(of: "scenario explain "))
        let line = report[start.lowerBound...].prefix { !["\n", "\"", "<"].contains($0) }
        let words = try CommandWords.split(String(line)).dropFirst()
        return words.map { folder[$0] == nil ? $0 : "@\($0)" }
    }

    /// Command lines whose reports name devices.
    static let reports: [Words] = [
        ["diff", "@three.jsonl", "--account=@plain.yaml", "--change", "policy -set default,allow-root,default"],
        ["diff", "@three.jsonl", "--account=@plain.yaml", "--policy", "default,allow-root,default"],
        "diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml",
        "diff @three.jsonl --account=@plain.yaml --changes=@allow.txt",
        "diff @three.jsonl @day.jsonl --account=@plain.yaml --candidate=@root.yaml --redact-key=@key --sort",
        "diff @s.yaml --changes=@stricter.txt --seed=7", "diff @s.yaml --policy=default,blacklist,default",
        "replay @day.txt --account=@plain.yaml --fetches=@fetches.txt",
    ]

    @Test(arguments: reports) func aReportEndsWithTheCommandThatExplains(_ report: Words) throws {
        let folder = try Self.folder()
        let forms = report.list[0] == "diff" ? ["text", "json", "markdown"] : ["text", "json"]
        for form in forms {
            for more in [[], ["--redact"]] where form == "json" || report.list[0] == "diff" || more.isEmpty {
                let run = ToolRun(report.list + ["--format", form] + more, in: folder).ending(.success)
                let isHidden = !Self.names(in: run.output).isEmpty
                expect(
                    isHidden, equals: (!more.isEmpty || form == "markdown" || report.list.contains("--redact-key=@key"))
                )
                let shown = form == "markdown" ? run.output.replacing("\\", with: "") : run.output
                let explained = ToolRun(try Self.command(in: shown, folder), in: folder)
                expect(explained.status, equals: .success, "\(form): \(explained.error)")
                #expect(explained.output.contains("fail") || explained.output.contains("pass"))
            }
        }
        let html = ToolRun(report.list + ["--format=html", "--redact"], in: folder).output
        let page = html.replacing(#/<[^>]*>/#, with: "")
        #expect(
            page.contains("To explain a device") && page.contains("scenario explain ")
                && page.contains("--device device-"))
    }

    @Test func aNameThatNobodyCanMakeAgainHasNoCommand() throws {
        let tool = try ToolProcess(
            ["diff", "/dev/stdin", "--account=new", "--policy=default,allow-root,default", "--redact"],
            in: try Self.folder())
        for line in DiffSample.capture(devices: 2, rooted: 1).split(separator: "\n") { tool.type(String(line)) }
        tool.endInput()
        var text = ""
        while case let part = tool.read(), !part.isEmpty { text += part }
        #expect(tool.end().status == 0 && text.contains("device-") && !text.contains("explain"))
    }
}
