import Testing

@testable import TestSupport
@testable import scenario

/// Attestations by hour in pages.
@Suite struct HourTests {
    // The figures of each row of the table that follows a title.
    private static func rows(below title: String, in page: String) -> [[String]] {
        guard let section = page.split(separator: ">\(title)</h2>").dropFirst().first,
            let body = section.split(separator: "<tbody>").dropFirst().first?.split(separator: "</tbody>").first
        else { return [] }
        return body.split(separator: "<tr>").map { row in
            row.replacing(/<[^>]*>/, with: "|").split(separator: "|").map(String.init).filter { $0 != "\n" }
        }
    }

    // Bob is rooted and attests at 10:00 and 11:00, Amy at 10:00.
    @Test func aReplayHasThemWithoutAskingForMinutes() throws {
        let run = try ToolRun(["replay", "@day.jsonl", "--format=html"], files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-07-23 10:00", "2", "1", "50.0 %"], ["2020-07-23 11:00", "1", "1", "100.0 %"],
            ])
        // Each device attests once an hour, so that devices by hour would say the same.
        #expect(!run.output.contains("devices by hour"))
    }

    @Test func aDiffHasThemBeforeAndAfter() throws {
        let run = try ToolRun(
            ["diff", "@day.jsonl", "--account=new", "--policy=default,allow-root,default", "--format=html"],
            files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-07-23 10:00", "2", "1", "50.0 %", "0", "0.0 %"],
                ["2020-07-23 11:00", "1", "1", "100.0 %", "0", "0.0 %"],
            ])
    }

    private static let change = [
        "diff", "@good.yaml", "--change=policy -addRejectFlag ios-simulator", "--format=html",
    ]

    @Test func aScenarioHasThemToo() throws {
        let run = try ToolRun(Self.change, files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-01-01 00:00", "1", "0", "0.0 %", "0", "0.0 %"]
            ])
    }
}
