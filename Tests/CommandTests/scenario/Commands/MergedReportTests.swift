import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// With the account of the benchmarks, the merged report of any number of parts is that of one machine, byte for byte.
@Suite struct MergedReportTests {
    /// The way in which a part gets at its records: it reads all captures, or its split files, at once or by ranges of
    /// bytes.
    enum Way: CaseIterable { case whole, split, ranges }

    typealias Division = (way: Way, count: Int)

    /// A command over captures of a form.
    struct Sample: Sendable, CustomTestStringConvertible {
        let number: Int
        var command: [String] { number < 2 ? ["replay"] : ["diff", "--change=policy -set default,strict,risk"] }
        var isText: Bool { number % 2 == 1 }
        var testDescription: String { "\(command[0]), \(isText ? "text" : "JSON Lines")" }

        private static let all = [1, 2, 7, 64].flatMap { count in Way.allCases.map { (way: $0, count: count) } }

        /// The divisions that are tried; in a quick run each with one of the samples, and 64 parts once.
        var divisions: [Division] {
            let some = Self.all.enumerated().filter { position, division in
                position % 4 == number && (division.count < 64 || division.way == .split)
            }
            return Exhaustive.choice(some.map(\.element), whole: Self.all)
        }
    }

    private static let options = ["--account=@account.yaml", "--fetches=@fetches", "--skip-malformed"]
    private static let captures = ["@day", "@evening"]

    private static func folder(isText: Bool) throws -> TemporaryFolder {
        let sample = BenchmarkSample(isText: isText)
        return try TemporaryFolder([
            "account.yaml": BenchmarkSample.account, "day": sample.day, "evening": sample.evening,
            "fetches": sample.fetches,
        ])
    }

    private static func output(_ arguments: [String], in folder: TemporaryFolder) -> String {
        let run = ToolRun(arguments, in: folder).ending(.success)
        return run.output
    }

    /// The folders with the files of the parts; none if these read the captures.
    private static func folders(_ division: Division, in folder: TemporaryFolder) throws -> [String] {
        switch division.way {
        case .whole: return []
        case .split:
            _ = output(["split"] + captures + ["--shards=\(division.count)", "--output=@parts"], in: folder)
            return ["@parts"]
        case .ranges:
            var folders: [String] = []
            for capture in captures {
                let length = try #require(folder.bytes(of: String(capture.dropFirst()))).count
                for start in stride(from: 0, to: length, by: 25_000) {
                    let range = "--range=\(start)-\(min(start + 25_000, length))"
                    let parts = "@parts-\(folders.count)"
                    _ = output(
                        ["split", capture, range, "--shards=\(division.count)", "--output=\(parts)"], in: folder)
                    folders.append(parts)
                }
            }
            #expect(folders.count > 3)
            return folders
        }
    }

    @Test("the bytes of a part do not depend on workers", arguments: (0..<4).map(Sample.init)) func samePart(
        _ sample: Sample
    ) throws {
        let folder = try Self.folder(isText: sample.isText)
        let parts = [1, 2, 7, 2].enumerated().map { number, jobs in
            let part = ["--shard=2/2", "--partial=@p\(number)", "--jobs=\(jobs)"]
            _ = Self.output(sample.command + Self.captures + Self.options + part, in: folder)
            return folder.bytes(of: "p\(number)")
        }
        #expect(parts[0] != nil)
        #expect(parts.allSatisfy { $0 == parts[0] })
    }

    @Test("the bytes are those of one machine", arguments: (0..<4).map(Sample.init)) func sameBytes(
        _ sample: Sample
    ) throws {
        let folder = try Self.folder(isText: sample.isText)
        let all = Self.forms[sample.command[0]] ?? []
        let outputs = all.map { Self.output(sample.command + Self.captures + Self.options + $0, in: folder) }
        for (number, division) in sample.divisions.enumerated() {
            // In a quick run each form with one of three divisions.
            let chosen = Exhaustive.choice(all.indices.filter { $0 % 3 == number % 3 }, whole: Array(all.indices))
            let (forms, wholes) = (chosen.map { all[$0] }, chosen.map { outputs[$0] })
            let parts = try Self.parts(sample.command, division, in: try Self.folder(isText: sample.isText), forms)
            expect(parts, equals: wholes, "\(division)")
        }
    }

    // The merged report of the parts in each form.
    private static func parts(
        _ command: [String], _ division: Division, in folder: TemporaryFolder, _ forms: [[String]]
    ) throws -> [String] {
        let folders = try folders(division, in: folder)
        let parts = (1...division.count).map { number in
            let part = ["--shard=\(number)/\(division.count)", "--partial=@p\(number)", "--jobs=\(1 + number % 2)"]
            let inputs = folders.isEmpty ? captures : folders.map { "\($0)/shard-\(number).arrow" }
            #expect(output(command + inputs + options + part, in: folder).isEmpty)
            return "@p\(number)"
        }
        return forms.map { output(["merge"] + parts.reversed() + $0, in: folder) }
    }

    // Every form that parts have without `--series`, with short names and without.
    private static let forms = [
        "replay": [
            ["--format=json"], ["--format=text"], ["--format=html"], ["--format=html", "--digests"],
            ["--format=html", "--redact"], ["--format=json", "--redact"], ["--format=text", "--redact-key=@day"],
        ],
        "diff": [
            ["--format=json"], ["--format=text"], ["--format=csv"], ["--format=junit", "--max-newly-accepted=100%"],
            ["--format=markdown"], ["--format=markdown", "--no-redact"], ["--format=sarif"],
            ["--format=sarif", "--redact-key=@day"], ["--format=html"], ["--format=html", "--no-redact"],
            ["--format=json", "--redact"], ["--format=json", "--digests"],
        ],
    ]

    // Forms with names of strangers and without, in turn.
    private static let formsByMinute = [
        ["--format=csv"], ["--format=openmetrics", "--redact"], ["--format=html"], ["--format=json", "--redact"],
    ]

    @Test("forms by minute, too") func formsByMinute() throws {
        let folder = try Self.folder(isText: false)
        // Three hours in place of twelve: each minute is a line.
        for capture in ["day", "evening"] {
            let lines = try #require(folder[capture]).split(separator: "\n")
            let part = capture == "day" ? lines.suffix(20) : lines.prefix(20)
            try folder.write(part.joined(separator: "\n") + "\n", to: capture)
        }
        let replay = ["replay"] + Self.captures + Self.options + ["--series"]
        let parts = (1...3).map { number in
            _ = Self.output(replay + ["--shard=\(number)/3", "--partial=@p\(number)"], in: folder)
            return "@p\(number)"
        }
        for form in Self.formsByMinute {
            expect(
                Self.output(["merge"] + parts + form, in: folder), equals: Self.output(replay + form, in: folder),
                "\(form)")
        }
    }

    // Else equal bytes would say little.
    @Test("the captures reach all that is merged", arguments: [false, true]) func reach(isText: Bool) throws {
        let folder = try Self.folder(isText: isText)
        let output = Self.output(["replay"] + Self.captures + Self.options + ["--format=json"], in: folder)
        let report = try JSONText(output)
        let filters = try #require(report["filters"] as? [[String: Any]])
        #expect(filters.count == 25 && filters.allSatisfy { $0["matched"] as? Int != 0 })
        let unknown = try #require(report["unknown-flags"] as? [String: Any])
        expect(unknown.keys.sorted(), equals: ["aa-late", "allow-debug", "bad-app-id-sig", "first-fetch", "zz-late"])
        func count(_ part: String, _ key: String) throws -> Int { try #require(report.integer(part, key)) }
        try expect(count("summary", "attestations") + count("summary", "malformed"), equals: 180)
        #expect(try count("summary", "malformed") > 0 && count("reproduced", "agreed") > 0)
        #expect(try count("reproduced", "compared") > count("reproduced", "agreed"))
        #expect(try count("fetches", "devices") > 10 && count("fetches", "malformed") > 0)
    }
}
