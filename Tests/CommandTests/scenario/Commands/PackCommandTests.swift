import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario pack`, as a user types it.
@Suite struct PackCommandTests {
    private static let day = """
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted,xposed","ip":"1.2.3.4"}
        {"time":"2020-07-23T13:10:44+02:00","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","public-flags":"","ip":null,"n":5,"b":true}

        {"time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["rooted","frida"],"é":"\\u00e9\\n"}

        """

    @Test("a file and a stream of Arrow begin as such") func beginnings() throws {
        let folder = try TemporaryFolder(["day.jsonl": Self.day])
        ToolRun("pack @day.jsonl --output @x.arrow", in: folder).ending(.success)
        expect(folder.bytes(of: "x.arrow")?.starts(with: Array("ARROW1".utf8)), equals: true)
        ToolRun("pack @day.jsonl --output @x.arrows", in: folder).ending(.success)
        try folder.write("", to: "piped")
        let piped = try ToolProcess(["pack", "day.jsonl", "--output", "-"], in: folder, output: folder.path("piped"))
        expect(piped.end().status, equals: 0)
        // A stream has the path of its capture in it, so that both have the same bytes only from the same folder.
        for name in ["x.arrows", "piped"] {
            expect(folder.bytes(of: name)?.starts(with: [255, 255, 255, 255]), equals: true)
        }
    }

    @Test(
        "pyarrow, polars, pandas and DuckDB read the values that Python reads in the lines",
        arguments: ["--level 1", "--level 19", "--plain"])
    func othersReadIt(_ option: String) async throws {
        var chance = Chance(seed: 7)
        let drawn = (0..<3000).map { number in
            let second = number / 60
            let words = (0..<chance.below(4)).map { _ in "w\(chance.below(3000))" }.joined(separator: ",")
            let optional = chance.happens(20) ? #","n":\#(chance.below(400))"# : ""
            return #"{"time":"2020-07-23T\#(10 + second / 60 % 10):\#(10 + second % 50):00Z","device-id":""#
                + "\(TestSupport.Sample.device(chance.below(700)))"
                + #"","flags":"rooted","note":"\#(words)"\#(optional)}"# + "\n"
        }
        let folder = try TemporaryFolder(["day.jsonl": Self.day, "drawn.jsonl": drawn.joined()])
        for (name, ending) in [("day", "arrow"), ("drawn", "arrow"), ("day", "arrows"), ("drawn", "arrows")] {
            let (capture, packed) = ("@\(name).jsonl", "@\(name).\(ending)")
            let run = ToolRun(
                ["pack", capture, "--output", packed] + option.split(separator: " ").map(String.init), in: folder)
            expect(run.status, equals: .success, "\(run.error)")
            let work = ["packed": folder.path("\(name).\(ending)"), "lines": folder.path("\(name).jsonl")]
            let answer = try await Tooling.answer(of: "packed.py", to: work, in: .columns)
            expect(answer["differences"] as? [String], equals: [], "\(packed)")
        }
    }

    @Test("a signal leaves nothing behind", arguments: [SIGINT, SIGTERM, SIGKILL]) func signalled(signal: Int32) throws
    {
        let folder = try TemporaryFolder(["out": "earlier"])
        let run = try ToolProcess(["pack", "-", "--output", "out"], in: folder)
        run.type(Self.day)
        // The spool has a name for a moment, and the output until it is finished.
        var partials = 0
        for _ in 0..<60_000 where partials != 1 {
            usleep(1_000)
            partials = folder.names.count { $0.hasSuffix(".partial") }
        }
        expect(partials, equals: 1)
        run.send(signal)
        expect(run.end().status, equals: -signal)
        if signal == SIGKILL {
            let again = try ToolProcess(["pack", "-", "--output", "out"], in: folder)
            again.type(Self.day)
            again.endInput()
            expect(again.end().status, equals: 0)
        } else {
            expect(folder["out"], equals: "earlier")
        }
        expect(ToolProcess.names(in: folder), equals: ["out"])
    }
}
