import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `diff --count`: the devices that change sides by the values of keys. The figures are worked out by hand: ten devices, six of one
/// model and three of another, one without `device`. Three of the six are rooted, and one of the three; the rooted ones of the
/// first model speak German.
@Suite struct DiffCountTests {
    private static let devices: [(words: String?, flags: String)] = [
        ("Android 10, Pixel 4, google, flame, de_DE", "rooted"),
        ("Android 10, Pixel 4, google, flame, de_DE", "rooted"),
        ("Android 11, Pixel 4, google, flame, de_AT", "rooted"), ("Android 10, Pixel 4, google, flame, en", ""),
        ("Android 10, Pixel 4, google, flame, en", ""), ("Android 10, Pixel 4, google, flame, en", ""),
        ("iOS, 13.5.1, iPhone11,8, en_GB", "rooted"), ("iOS, 13.5.1, iPhone11,8, en_GB", ""),
        ("iOS, 13.5.1, iPhone11,8, en_GB", ""), (nil, ""),
    ]
    private static let capture = devices.enumerated().map { number, device in
        #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"\#(DiffSample.device(number))","flags":"\#(device.flags)""#
            + (device.words.map { #","device":"\#($0)""# } ?? "") + "}\n"
    }.joined()
    private static let files = [
        "day.jsonl": capture, "loose.yaml": "account: shop\npolicy: default,allow-root,default\n",
    ]

    private static func diff(_ arguments: String...) throws -> ToolRun {
        try ToolRun(
            ["diff", "@day.jsonl", "--account=@loose.yaml", "--change=policy -set default,default,default"] + arguments,
            files: files)
    }

    @Test func ratesAreThoseWithinTheGroups() throws {
        let run = try Self.diff("--count=model,locale,os-version").ending(.success)
        #expect(
            run.output.contains(
                """
                Newly rejected, by model
                  the rate is the part of the devices with the value that are newly rejected
                              devices   share  of    rate
                  Pixel 4           3  75.0 %   6  50.0 %
                  iPhone11,8        1  25.0 %   3  33.3 %

                Newly rejected, by locale
                         devices   share  of     rate
                  de_DE        2  50.0 %   2  100.0 %
                  de_AT        1  25.0 %   1  100.0 %
                  en_GB        1  25.0 %   3   33.3 %

                Newly rejected, by os-version
                              devices   share  of     rate
                  Android 10        2  50.0 %   5   40.0 %
                  Android 11        1  25.0 %   1  100.0 %
                  iOS 13.5.1        1  25.0 %   3   33.3 %

                """), "\(run.output)")
    }

    // The same change the other way round: what was newly rejected is newly accepted.
    @Test func newlyAcceptedDevicesAreCountedToo() throws {
        func diff(_ form: String) throws -> ToolRun {
            try ToolRun(
                [
                    "diff", "@day.jsonl", "--account=new", "--policy=allow-root", "--count=model", "--format", form,
                    "--no-redact",
                ], files: Self.files)
        }
        let text = try diff("text")
        #expect(
            text.output.contains(
                """
                Newly accepted, by model
                  the rate is the part of the devices with the value that are newly accepted
                              devices   share  of    rate
                  Pixel 4           3  75.0 %   6  50.0 %
                  iPhone11,8        1  25.0 %   3  33.3 %

                """), "\(text.output)\(text.error)")
        #expect(!text.output.contains("Newly rejected"))
        let json = try diff("json").output
        #expect(
            json.contains(
                #""accepted-values":[{"different":2,"key":"model","values":[{"devices":6,"newly-accepted":3,"#
                    + #""value":"Pixel 4"},{"devices":3,"newly-accepted":1,"value":"iPhone11,8"}]}]"#))
        #expect(json.contains(#""values":[{"different":0,"key":"model","values":[]}]"#))
        #expect(
            try diff("csv").output.hasSuffix(
                "newly-accepted,model,\"Pixel 4\",3,,,\r\nnewly-accepted,model,\"iPhone11,8\",1,,,\r\n"))
        let page = try diff("html").output
        let groups = try #require(page.firstRange(of: ">Newly accepted, by system<"))
        let values = try #require(page.firstRange(of: ">Newly accepted, by model</h3>"))
        #expect(groups.lowerBound < values.lowerBound)
    }

    @Test func theCommonestAreShown() throws {
        let run = try Self.diff("--count=locale", "--top=1")
        #expect(run.output.contains("  de_DE        2  50.0 %   2  100.0 %\n  and 2 more\n"))
    }

    @Test func everyFormHasThem() throws {
        let json = try Self.diff("--count=model", "--format=json")
        #expect(
            json.output.contains(
                #""values":[{"different":2,"key":"model","values":[{"devices":6,"newly-rejected":3,"value":"Pixel 4"},"#
                    + #"{"devices":3,"newly-rejected":1,"value":"iPhone11,8"}]}]"#))
        let csv = try Self.diff("--count=model", "--format=csv")
        #expect(
            csv.output.contains("newly-rejected,model,\"Pixel 4\",3,,,\r\nnewly-rejected,model,\"iPhone11,8\",1,,,\r\n")
        )
        #expect(try Self.diff("--count=model", "--format=html").output.contains(">Newly rejected, by model</h3>"))
        #expect(
            try Self.diff("--count=model", "--format=markdown").output.contains("| Pixel 4 | 3 | 75.0 % | 6 | 50.0 % |")
        )
        #expect(try !Self.diff("--format=json").output.contains("\"values\":"))
    }

    /// Against a plain count: a device counts at each value that it showed at some time, and is newly rejected if it was rooted at
    /// some time.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func randomCapturesAgree(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (shown, hit) = ([String: Set<Int>](), [String: Set<Int>]())
        let records = (0..<120).map { number in
            let device = random.below(40)
            let version = "5.\(random.below(5))"
            let isRooted = random.below(12) == 0
            return (number: number, device: device, version: version, isRooted: isRooted)
        }
        let rooted = Set(records.filter(\.isRooted).map(\.device))
        for record in records {
            shown[record.version, default: []].insert(record.device)
            if rooted.contains(record.device) { hit[record.version, default: []].insert(record.device) }
        }
        let expected = hit.sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }.map { version, devices in
            #"{"devices":\#(shown[version]?.count ?? 0),"newly-rejected":\#(devices.count),"value":"\#(version)"}"#
        }
        let capture = records.map { record in
            let time =
                "10:\(record.number < 60 ? "00" : "01"):\(record.number % 60 < 10 ? "0" : "")\(record.number % 60)"
            return #"{"time":"2020-07-23T\#(time)Z","device-id":"\#(DiffSample.device(record.device))","#
                + #""flags":"\#(record.isRooted ? "rooted" : "")","app-version":"\#(record.version)"}"# + "\n"
        }.joined()
        let run = try ToolRun(
            "diff @day.jsonl --account=@loose.yaml --change='policy -set default,default,default' "
                + "--count=app-version --format=json", files: Self.files.merging(["day.jsonl": capture]) { $1 })
        #expect(
            run.output.contains(#""key":"app-version","values":[\#(expected.joined(separator: ","))]"#), "\(run.error)")
        let back = try ToolRun(
            ["diff", "@day.jsonl", "--account=new", "--policy=allow-root", "--count=app-version", "--format=json"],
            files: Self.files.merging(["day.jsonl": capture]) { $1 })
        let accepted = expected.joined(separator: ",").replacing("newly-rejected", with: "newly-accepted")
        #expect(back.output.contains(#""key":"app-version","values":[\#(accepted)]"#), "\(back.error)")
    }

    @Test func threadsDoNotMatter() throws {
        let all = try ["1", "2", "7"].map { try Self.diff("--count=model,locale", "--jobs=\($0)").output }
        #expect(Set(all).count == 1)
    }

    static let refused: [ToolRow] = [
        .usage(
            "beside groups", "diff @day.jsonl --account=new --policy=strict --count=model --who=model",
            "`--who` cannot be combined with `--count`; a comparison groups devices in one way"),
        .usage(
            "a part", "diff @day.jsonl --account=new --policy=strict --count=model --shard=1/2",
            "`--shard` cannot be combined with `--count`"),
        .usage("only the number", "diff @day.jsonl --account=new --policy=strict --top=2", "`--top` needs `--count`"),
        .usage(
            "a scenario", "diff @good.yaml --policy=default,strict,default --count=model",
            "`--count` needs a capture; `scenario generate` writes that of a scenario"),
    ]

    @Test(arguments: refused) func wrongUseIsRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(files: DiffSample.files.merging(Self.files) { $1 })
    }
}
