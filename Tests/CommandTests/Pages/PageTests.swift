import Foundation
import Testing

@testable import Reports
@testable import TestSupport
@testable import scenario

/// `--format html` as a command writes it, and names of strangers in every form of a report.
@Suite struct PageTests {
    private static func page(_ arguments: [String], in folder: TemporaryFolder) -> String {
        ToolRun(arguments + ["--format=html"], in: folder).output
    }

    @Test func aPageSaysWhatItWasMadeFrom() throws {
        let folder = try TemporaryFolder(Sample.files)
        let page = Self.page(
            ["replay", "@day.jsonl", "--policy", "default,allow-root,default", "--jobs=2"], in: folder)
        let digest = SHA256.digest(Sample.day).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(page.replacing("<wbr>", with: "").contains("<code>\(digest)</code>"))
        #expect(
            page.contains("<code>scenario replay day.jsonl --policy default,allow-root,default --format html</code>"))
        #expect(page.contains(">\(Sample.day.utf8.count)</td>"))
    }

    @Test func largeInputsAreReadAgainOnlyAsFarAsTheyMay() throws {
        let folder = try TemporaryFolder(["large": "abcdef", "small": "abc", "empty": ""])
        let paths = ["large", "small", "empty"].map { folder.path($0) } + ["-", folder.path("missing")]
        func known(_ budget: Int) -> [Bool] {
            ReportOrigins.inputs(paths, budget: budget).map { $0.digest != nil }
        }
        #expect(known(.max) == [true, true, true, false, false])
        #expect(known(8) == [false, true, true, false, false])
        #expect(known(2) == [false, false, true, false, false])
        let inputs = ReportOrigins.inputs(paths, budget: 8)
        #expect(inputs.map(\.size) == [6, 3, 0, nil, nil])
        #expect(inputs[1].digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func aPageSaysHowToGetADigest() throws {
        var origin = ReportOrigin()
        origin.command = "scenario replay large"
        origin.inputs = [ReportOrigin.Input(path: "large", size: 50_331_964, digest: nil)]
        let page = String(
            decoding: HTMLWriter.bytes(of: ReportPage(title: "x", sections: origin.sections, origin: origin)),
            as: UTF8.self)
        #expect(page.contains(">by --digests</td>") && page.contains(">50,331,964</td>"))
    }

    @Test(arguments: ["text", "json", "html", "csv", "openmetrics"]) func theReportDoesNotDependOnTheThreads(
        _ form: String
    ) throws {
        let folder = try TemporaryFolder(["day.jsonl": DiffSample.capture(devices: 2000, rooted: 70)])
        for more in [[], ["--count=device-id,public-flags"], ["--redact", "--count=device-id"]]
        where more.isEmpty || form != "openmetrics" {
            let reports = ["1", "2", "7"].map {
                ToolRun(["replay", "@day.jsonl", "--format", form, "--jobs", $0] + more, in: folder)
            }
            #expect(Set(reports.map(\.output)).count == 1 && reports[0].output.utf8.count > 200)
        }
    }

    @Test func aCaptureOfManyAppsStaysBelowTheLimit() throws {
        let records = (0..<500).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","flags":"","#
                + #""appid":"\#(String(repeating: "<", count: 2000))\#(number)"}"# + "\n"
        }.joined()
        let folder = try TemporaryFolder(["day.jsonl": records])
        let page = Self.page(["replay", "@day.jsonl"], in: folder)
        #expect(page.utf8.count < HTMLWriter.limit)
        #expect(page.contains("And 480 more; the same report as JSON has them all"))
        #expect(page.hasSuffix("</main></body></html>\n"))
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let command: [String]
        let form: String
        // True if it has names in it at all.
        var hasNames = true
        var testDescription: String { "\(command[0]) as \(form)" }
    }

    private static let change = ["diff", "@hostile.jsonl", "--account=new", "--policy=default,allow-root,default"]

    static let forms =
        ["html", "csv", "openmetrics", "summary-mail"].map { Form(command: ["replay", "@hostile.jsonl"], form: $0) }
        + ["html", "csv"].map { Form(command: change, form: $0) }
        + ["junit", "sarif"].map { Form(command: change, form: $0, hasNames: $0 == "junit") }
        + [Form(command: ["run", "@hostile.yaml"], form: "html")]
        + ["html", "csv", "text"].map {
            Form(command: ["replay", "@hostile.jsonl", "--count=appid,app-version", "--top=100"], form: $0)
        }

    // A scenario whose name and devices are those of strangers.
    private static func scenario() -> String {
        let names = Attack.all.map { attack in
            attack.text.unicodeScalars.map { scalar in
                let digits = String(scalar.value, radix: 16)
                return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }.joined()
        }
        return "scenario: \"\(names.joined(separator: " "))\"\n"
            + "devices: {bob: {os: android, attributes: {appid: \"\(names[0])\"}}}\n"
            + "steps: [{at: 0s, fetch: bob, expect: {verdict: fail}}]\n"
    }

    @Test(arguments: forms) func noNameActsOnWhoeverReads(_ form: Form) throws {
        let folder = try TemporaryFolder(["hostile.yaml": Self.scenario()])
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        let output = ToolRun(form.command + ["--format", form.form], in: folder).output
        #expect(output.utf8.count > 500)
        #expect(!form.hasNames || output.contains("alert(1)"))
        #expect(!output.unicodeScalars.contains { $0 != "\r" && Attack.forbidden.contains($0) })
        // No line begins with a workflow command.
        #expect(!output.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("::") })
        if ["html", "junit"].contains(form.form) {
            #expect(!output.contains("<script") && !output.contains("<img") && !output.contains("]]>"))
        }
        if form.form == "csv" { #expect(!output.contains(",=") && !output.contains(",@")) }
    }
}
