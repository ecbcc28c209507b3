import Foundation
import Testing

@testable import Explore
@testable import HTTP
@testable import TestSupport
@testable import scenario

/// Answers of an exploration for which there is no command: the account as switches, devices a page at a time, matches, and the
/// changes in a form that is kept.
@Suite struct ExploreViewTests {
    private static func device(_ number: Int) -> String { DiffSample.device(number) }

    // Five devices: 0 to 2 are rooted, 1 attests twice, addresses are 10.0.0.N.
    private static let capture = [(0, "rooted"), (1, "rooted"), (1, ""), (2, "rooted,frida"), (3, ""), (4, "frida")]
        .map { number, flags in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device(number))","ip":"10.0.0.\#(number)","public-flags":"\#(flags)"}"#
                + "\n"
        }.joined()

    private static let account = """
        account: shop
        policy: default,allow-root,default
        filters:
          - {name: farm, key: ip, match: 10.0.0.1}
        devices:
          - {id: \(device(4)), label: tester, policy: "default,whitelist,default"}

        """

    private static func bench(_ more: [String] = []) throws -> ExploreBench {
        let folder = try TemporaryFolder(["day.jsonl": capture, "account.yaml": account])
        return try ExploreBench(["@day.jsonl", "--account", "@account.yaml"] + more, in: folder)
    }

    private static func read(_ path: String, from bench: ExploreBench) throws -> [String: Any]? {
        var request = HTTPRequest(method: "GET", path: bench.server.path + path)
        request.headers = [.init("Host", "127.0.0.1:1")]
        return try JSONSerialization.jsonObject(with: Data(bench.server.answer(request).body)) as? [String: Any]
    }

    @Test("The session says what was read") func captures() throws {
        let bench = try Self.bench(["--confidence", "95%"])
        let answer = try Self.read("captures", from: bench)
        #expect(answer?["account"] as? String == "shop")
        #expect(answer?["attestations"] as? Int == 6)
        #expect(answer?["devices"] as? Int == 5)
        #expect(answer?["confidence"] as? String == "95%")
        #expect(answer?["first"] as? String == "2020-07-23T10:00:00Z")
    }

    @Test("The keys are those of the captures, which are read once more for them") func keys() throws {
        let bench = try Self.bench()
        #expect(try Self.read("keys", from: bench)?["keys"] as? [String] == ["flags", "ip"])
    }

    @Test("Each switch has the command that turns it, and the devices that it is about") func switches() throws {
        let bench = try Self.bench()
        let answer = try bench.members("account")
        #expect(answer["policy"] as? String == "default,allow-root,default")
        let flags = try #require(answer["flags"] as? [[String: Any]])
        let (rooted, frida) = (
            flags.first { $0["name"] as? String == "rooted" }, flags.first { $0["name"] as? String == "frida" }
        )
        #expect(rooted?["devices"] as? Int == 3)
        #expect(rooted?["rejects"] as? Bool == false)
        #expect(rooted?["command"] as? String == "policy -addRejectFlag rooted")
        #expect(frida?["devices"] as? Int == 2)
        #expect(frida?["command"] as? String == "policy -removeRejectFlag frida")
        let names = try #require(answer["names"] as? [[String: Any]])
        #expect(names.compactMap { $0["value"] as? String } == ["default", "allow-root", "default"])
        let filter = try #require((answer["filters"] as? [[String: Any]])?.first)
        #expect(filter["devices"] as? Int == 1)
        #expect(filter["remove"] as? String == "filter -remove farm")
        let options = try #require(filter["options"] as? [[String: Any]])
        let ban = options.first { $0["name"] as? String == "ban" }
        #expect(ban?["command"] as? String == "filter -add farm -key ip -matchValue 10.0.0.1 -ban")
        let entry = try #require((answer["entries"] as? [[String: Any]])?.first)
        #expect(entry["remove"] as? String == "device -remove \(Self.device(4))")
    }

    @Test("Every command of a switch is one that the account accepts") func everyCommand() throws {
        let bench = try Self.bench()
        let text = bench.text("account")
        let commands = text.matches(of: /"(?:command|remove)":"((?:policy|filter|device) [^"]*)"/).map {
            String($0.output.1)
        }
        .filter { !$0.contains("{percentage}") }
        #expect(commands.count > 50)
        for command in commands {
            #expect(try bench.members("check", #"{"line":"\#(command)"}"#)["changes"] as? Bool == true, "\(command)")
        }
    }

    @Test("Devices come a page at a time, in the order of their IDs") func devices() throws {
        let bench = try Self.bench()
        let change = #""changes":["policy -set default,strict,default"]"#
        let all = try bench.members("devices", "{\(change)}")
        #expect(all["total"] as? Int == 2)
        let rows = try #require(all["devices"] as? [[String: Any]])
        // 2 was rejected for Frida before, too.
        #expect(rows.compactMap { $0["device"] as? String } == [Self.device(0), Self.device(1)])
        #expect(rows.first?["rejections"] as? [String] == ["rooted"])
        #expect(rows.first?["time"] as? String == "2020-07-23T10:00:00Z")
        let second = try bench.members("devices", #"{\#(change),"offset":1,"count":1}"#)
        #expect(
            (second["devices"] as? [[String: Any]])?.compactMap { $0["device"] as? String } == [Self.device(1)])
        let accepted = #"{"changes":["policy -removeRejectFlag frida"],"kind":"newly-accepted"}"#
        let others = try bench.members("devices", accepted)
        #expect((others["devices"] as? [[String: Any]])?.compactMap { $0["device"] as? String } == [Self.device(2)])
        #expect(bench.ask("devices", #"{"kind":"odd"}"#).status == 400)
    }

    @Test("The values that a pattern matches are counted by device") func matches() throws {
        let bench = try Self.bench()
        let found = try bench.members("matches", #"{"key":"ip","value":"[12]$","regex":true}"#)
        #expect(found["devices"] as? Int == 2)
        #expect(found["values"] as? Int == 2)
        #expect(
            (found["examples"] as? [[String: Any]])?.compactMap { $0["value"] as? String } == ["10.0.0.1", "10.0.0.2"])
        #expect(try bench.members("matches", #"{"key":"ip","value":"10.0.0."}"#)["devices"] as? Int == 0)
        #expect(try bench.members("matches", #"{"key":"ip","value":"10.0.0.3"}"#)["devices"] as? Int == 1)
        let wrong = bench.ask("matches", #"{"key":"ip","value":"1(","regex":true}"#)
        #expect(wrong.status == 422)
        #expect(String(decoding: wrong.body, as: UTF8.self).contains(#""field":"value","column":3"#))
    }

    @Test("The changes are taken away as commands, as a line of diff, and as an account file") func take() throws {
        let bench = try Self.bench()
        let changes = #""changes":["policy -set default,strict,default","filter -remove farm"]"#
        #expect(
            bench.text("take", #"{\#(changes),"form":"commands"}"#)
                == "policy -set default,strict,default\nfilter -remove farm\n")
        #expect(
            bench.text("take", #"{\#(changes),"form":"diff"}"#)
                == "scenario diff day.jsonl --account account.yaml --change 'policy -set default,strict,default' "
                + "--change 'filter -remove farm'\n")
        let account = bench.text("take", #"{\#(changes),"form":"account"}"#)
        try bench.folder.write(account, to: "after.yaml")
        let words = [
            "diff", "@day.jsonl", "--account", "@after.yaml", "--candidate", "@after.yaml", "--format", "json",
        ]
        let run = ToolRun(words, in: bench.folder)
        #expect(run.output.contains(#""policies":{"after":"default,strict,default""#))
        #expect(!account.contains("farm"))
        #expect(account.contains("tester"))
        #expect(bench.text("take", #"{\#(changes),"form":"html"}"#).contains("<!DOCTYPE html>"))
        #expect(bench.folder["account.yaml"] == Self.account)
    }

    @Test("A scenario that is taken away is the one that record writes, and passes") func scenario() throws {
        let bench = try Self.bench()
        for changes in [[], ["policy -set default,strict,default", "filter -remove farm"]] {
            let list = String(decoding: try JSONSerialization.data(withJSONObject: changes), as: UTF8.self)
            let text = bench.text("take", #"{"changes":\#(list),"form":"scenario"}"#)
            let words = ["record", "@day.jsonl", "--account", "@account.yaml"] + changes.flatMap { ["--change", $0] }
            let run = ToolRun(words, in: bench.folder)
            #expect(run.status == .success && text == run.output)
            // Device 4 has another policy, and 2 fails under both.
            #expect(text.contains("verdict: fail, rejections: [frida]") == changes.isEmpty)
            #expect(text.contains("policy: default,strict,default") == !changes.isEmpty)
            try bench.folder.write(text, to: "taken.yaml")
            #expect(ToolRun(["run", "@taken.yaml"], in: bench.folder).status == .success)
        }
        let hidden = try Self.bench(["--redact"]).ask("take", #"{"form":"scenario"}"#)
        #expect(hidden.status == 422)
    }
}
