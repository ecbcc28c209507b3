import Foundation
import PolicyEngine
import Testing

@testable import TestSupport
@testable import scenario

/// The decided rules that reports name: for every rule a command line whose report names it, and one whose report does not.
@Suite("reports name the decided rules on which they rest") struct ProvenanceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: DecidedRule
        /// The command whose report names the rule.
        let naming: Words
        /// One that differs from it as little as possible, whose report does not name it.
        let silent: Words
        var testDescription: String { "\(rule.number): \(naming.list.joined(separator: " "))" }

        init(_ rule: DecidedRule, _ naming: Words, _ silent: Words) {
            (self.rule, self.naming, self.silent) = (rule, naming, silent)
        }
    }

    private static let (bob, amy) = (Sample.bob, Sample.amy)

    /// Captures and scenarios, and accounts for them.
    private static let files = [
        // Bob's address is the one that filters look for, and amy's is not.
        "day.jsonl": record("10:00:00", bob, "1.2.3.4") + record("10:01:00", amy, "9.9.9.9"),
        "amy.jsonl": record("10:01:00", amy, "9.9.9.9"),
        "whitelist.yaml": "account: a\npolicy: default,whitelist,default\n\(filter("reject"))",
        "strict.yaml": "account: a\npolicy: default,strict,default\n\(filter("reject"))",
        "blacklist.yaml": "account: a\npolicy: default,blacklist,default\n",
        "entry.yaml": "account: a\ndevices: [{id: \(bob), label: tester}]\n",
        "policy.yaml": "account: a\ndevices: [{id: \(bob), label: tester, policy: \"default,default,default\"}]\n",
        "half.yaml": sampled("a", 50), "all.yaml": sampled("a", 100), "other.yaml": sampled("b", 50),
        "own.yaml": """
        account: a
        rules: [t]
        \(filter("exec-filtered-sec-policy"))devices:
          - {id: ++FilteredSecPolicy++w==, policy: "t,strict,default"}
          - {id: \(bob), policy: "default,allow-root,default"}
          - {id: \(amy), policy: "default,allow-root,default"}

        """,
        "pins.yaml": "account: a\napis: [{domain: api.example.com, pins: ['key:OTHER']}]\n",
        "features.yaml": "account: a\nfeatures: []\n", "strings.yaml": "account: a\nfeatures: [secure-strings]\n",
        "sampled-entry.yaml": sampled("a", 100).replacing("devices: [", with: "devices: [{id: \(bob)}, "),
        "probed.yaml": scenario(account: "\(probing), \(reading("probe-result"))"),
        "unread.yaml": scenario(account: "\(probing), \(reading("ip"))"),
        "property.yaml": scenario(devices: "attributes: {user-property: a/b}"),
        "plain-property.yaml": scenario(devices: "attributes: {user-property: a b}"),
        "running.yaml": scenario(devices: "safetynet: pass", safetyNet),
        "launched.yaml": scenario(devices: "safetynet: pass", safetyNet, "{at: 9m, launch: g}"),
        "reason.yaml": scenario(account: attestReason, "{at: 1m, set: {group: g, flags: [automated]}}", fetch("2m")),
        "expired.yaml": scenario(account: attestReason, fetch("10m")),
        "failover.yaml": scenario("{at: 30s, outage: primary, until: 1h}", fetch("10m")),
        "outage.yaml": scenario("{at: 30s, outage: all, until: 1h}", fetch("10m")),
        "spread.yaml": scenario("{at: 1h, launch: {group: g, over: 1h}}"),
        "at-once.yaml": scenario("{at: 1h, launch: g}"),
        "failing.yaml": scenario(
            account: pinned, devices: "flags: [rooted]", "{at: 1m, approov: 'api -add b.example.com'}", fetch("10m")),
        "passing.yaml": scenario(account: pinned, "{at: 1m, approov: 'api -add b.example.com'}", fetch("10m")),
        "failing-unchanged.yaml": scenario(account: pinned, devices: "flags: [rooted]", fetch("10m")),
        "roots.yaml": scenario(account: "apis: [{domain: '*', pins: [key:CA]}, {domain: api.example.com}]", request),
        "own-pins.yaml": scenario(account: pinned, request),
        "rotated.yaml": scenario(
            account: pinned, request, "{at: 1h, serve: {api.example.com: [OTHER]}}",
            "{at: 2h, request: g, to: api.example.com}"),
        "launched-between.yaml": scenario(
            account: pinned, request, "{at: 1h, serve: {api.example.com: [OTHER]}}", "{at: 1h, launch: g}",
            "{at: 2h, request: g, to: api.example.com}"),
        "changing.yaml": scenario("{at: 0s, binding: {group: g, every: 3m}}", fetch("10m")),
        "bound.yaml": scenario("{at: 0s, bind: {group: g, data: x}}", fetch("10m")),
        "plain.yaml": scenario("{at: 0s, request: g, to: 'http://api.example.com'}"),
        "grace.yaml": scenario(account: pinned, request, "{at: 305s, request: h, to: api.example.com, as: g}"),
        "foreign.yaml": scenario(account: pinned, request, "{at: 290s, request: h, to: api.example.com, as: g}"),
        "kept.yaml": scenario(account: secrets, string("0s"), string("1m")),
        "calls.yaml": """
        scenario: s
        account: {account: a, \(secrets)}
        devices: {g: {os: android}}
        steps: [\(string("0s"))]

        """,
        "custom.yaml": scenario(account: secrets, "{at: 0s, custom-jwt: {group: g, payload: '{}'}}"),
        "bad-payload.yaml": scenario(account: secrets, "{at: 0s, custom-jwt: {group: g, payload: x}}"),
    ]

    private static func record(_ time: String, _ device: String, _ address: String) -> String {
        #"{"time":"2020-07-23T\#(time)Z","device-id":"\#(device)","public-flags":"rooted","ip":"\#(address)"}"# + "\n"
    }

    private static func filter(_ action: String) -> String {
        "filters: [{name: f, key: ip, match: 1.2.3.4, \(action): true}]\n"
    }

    private static func sampled(_ name: String, _ percentage: Int) -> String {
        """
        account: \(name)
        rules: [t]
        sampling-percentage: \(percentage)
        devices: [{id: ++FilteredSecPolicy++w==, policy: "t,strict,default"}]

        """
    }

    private static let safetyNet = "{at: 1m, approov: 'safetynet -set \(String(repeating: "X", count: 39))'}"
    private static let attestReason = reading("attest-reason")
    private static func reading(_ key: String) -> String {
        "filters: [{name: f, key: \(key), match: change, risky: true}]"
    }
    private static let probing =
        "sampling-percentage: 100, devices: [{id: ++FilteredSecPolicy++w==, probe-url: 'https://api.example.com'}]"
    private static let pinned = "apis: [{domain: api.example.com, pins: ['key:LEAF']}]"
    private static let secrets = "features: [secure-strings, custom-jwt], secure-strings: {k: v}"
    private static let request = "{at: 0s, request: g, to: api.example.com}"
    private static func fetch(_ time: String) -> String { "{at: \(time), fetch: [g, h]}" }
    private static func string(_ time: String) -> String { "{at: \(time), secure-string: {group: g, key: k}}" }

    // Two devices, of which g does more than h; both fetch at the start and at the end.
    private static func scenario(
        account: String = "arc: on", devices: String = "count: 1", _ steps: String...
    ) -> String {
        """
        scenario: s
        account: {account: a, \(account)}
        backends: {api.example.com: {chain: [LEAF, CA]}, shapes.approov.io: {chain: [LEAF, CA]}}
        devices: {g: {os: android, \(devices)}, h: {os: android}}
        steps: [\(([fetch("0s")] + steps + [fetch("9h")]).joined(separator: ", "))]

        """
    }

    private static let addition = "--change=device -add \(amy) -policy default,strict,default"

    static let rows: [Row] = [
        Row(
            .bansUnderWhitelist, "explain @day.jsonl -a @whitelist.yaml --device \(bob)",
            "explain @day.jsonl -a @whitelist.yaml --device \(amy)"),
        Row(
            .bansUnderWhitelist, "diff @day.jsonl -a @whitelist.yaml --candidate @strict.yaml",
            "diff @amy.jsonl -a @whitelist.yaml --candidate @strict.yaml"),
        Row(
            .bansUnderWhitelist, "prove -a @whitelist.yaml --policy default,whitelist,risk --timeout 5m",
            "prove -a @strict.yaml --policy default,strict,risk --timeout 5m"),
        Row(
            .joinedAnnotations, "diff @day.jsonl -a new --policy default,default,xposed+rooted",
            "diff @day.jsonl -a new --policy default,default,rooted"),
        Row(
            .deviceEntries, "explain @day.jsonl -a @entry.yaml --device \(bob)",
            "explain @day.jsonl -a @policy.yaml --device \(bob)"),
        // The label of the entry that is there stays.
        Row(
            .deviceEntries,
            ["diff", "@day.jsonl", "-a", "@policy.yaml", "--change=device -add \(bob) -policy default,strict,default"],
            ["diff", "@day.jsonl", "-a", "@policy.yaml", addition]),
        // A copy of the policy would keep the filtered one from the device.
        Row(
            .deviceEntries, ["diff", "@day.jsonl", "-a", "@sampled-entry.yaml", "--change=device -remove \(bob)"],
            ["diff", "@day.jsonl", "-a", "@entry.yaml", "--change=device -remove \(bob)"]),
        Row(
            .deviceEntries,
            ["prove", "-a", "@sampled-entry.yaml", "--change=device -remove \(bob)", "--timeout=5m"],
            ["prove", "-a", "@entry.yaml", "--change=device -remove \(bob)", "--timeout=5m"]),
        Row(
            .deviceEntries, "prove -a @entry.yaml --policy default,strict,default --newly accepted --timeout 5m",
            "prove -a @policy.yaml --policy default,strict,default --newly accepted --timeout 5m"),
        Row(
            .samplingHash, "explain @day.jsonl -a @half.yaml --device \(bob)",
            "explain @day.jsonl -a @all.yaml --device \(bob)"),
        // If one account samples all devices, it does not matter whom the other one samples.
        Row(
            .samplingHash, "prove -a @half.yaml --policy default,default,risk --timeout 5m",
            "prove -a @half.yaml --candidate @all.yaml --newly accepted --timeout 5m"),
        // Under two names, the device that is found is sampled by one hash and not by the other.
        Row(
            .samplingHash, "prove -a @half.yaml --candidate @other.yaml --newly accepted --timeout 5m",
            "prove -a @all.yaml --candidate @all.yaml --newly accepted --timeout 5m"),
        Row(.replacedCharacters, "explain @property.yaml", "explain @plain-property.yaml"),
        Row(.safetyNetOfRunningApps, "explain @running.yaml", "explain @launched.yaml"),
        Row(
            .orderOfPolicies, "explain @day.jsonl -a @own.yaml --device \(bob)",
            "explain @day.jsonl -a @own.yaml --device \(amy)"),
        Row(
            .orderOfPolicies, "diff @day.jsonl -a @own.yaml --policy default,strict,default",
            "diff @amy.jsonl -a @own.yaml --policy default,strict,default"),
        Row(.usualGrace, "explain @grace.yaml", "explain @foreign.yaml"),
        Row(.reasonOfChange, "explain @reason.yaml", "explain @expired.yaml"),
        Row(.failoverDetection, "explain @failover.yaml", "explain @outage.yaml"),
        Row(
            .failoverDetection, "prove -a new --policy default,default,risk --timeout 5m",
            "prove -a @blacklist.yaml --policy default,blacklist,risk --timeout 5m"),
        Row(.spreadLaunches, "explain @spread.yaml", "explain @at-once.yaml"),
        Row(.configurationAfterFailure, "explain @failing.yaml --device g", "explain @failing.yaml --device h"),
        Row(.configurationAfterFailure, "explain @failing.yaml", "explain @passing.yaml"),
        Row(.configurationAfterFailure, "explain @failing.yaml", "explain @failing-unchanged.yaml"),
        Row(.emptyPins, "explain @roots.yaml", "explain @own-pins.yaml"),
        Row(.filteredProbe, "explain @probed.yaml", "explain @unread.yaml"),
        Row(.newConnections, "explain @rotated.yaml", "explain @launched-between.yaml"),
        Row(.changingBinding, "explain @changing.yaml", "explain @bound.yaml"),
        Row(.plainRequests, "explain @plain.yaml", "explain @own-pins.yaml"),
        Row(.foreignTokens, "explain @foreign.yaml", "explain @own-pins.yaml"),
        Row(.foreignTokens, "explain @foreign.yaml --device h", "explain @foreign.yaml --device g"),
        Row(
            .unlimitedChanges, "diff @own-pins.yaml --candidate @pins.yaml --max-newly-rejected 0",
            "diff @own-pins.yaml --candidate @pins.yaml"),
        Row(
            .unlimitedChanges, "diff @own-pins.yaml --candidate @pins.yaml --max-newly-rejected 0",
            "diff @own-pins.yaml --candidate @pins.yaml --max-newly-rejected 0 --max-newly-blocked 1"),
        Row(
            .reachingChange, "diff @calls.yaml --candidate @features.yaml",
            "diff @calls.yaml --candidate @strings.yaml"),
        Row(.lifetimeOfStrings, "explain @kept.yaml", "explain @calls.yaml"),
        Row(.keysOfCustomTokens, "explain @custom.yaml", "explain @bad-payload.yaml"),
    ]

    @Test(arguments: rows) func namesTheRule(_ row: Row) throws {
        #expect(try Self.rules(row.naming).contains(row.rule.number))
        #expect(try !Self.rules(row.silent).contains(row.rule.number))
    }

    // The line of the text, the members of the JSON, and the sentences of the catalogue are the same.
    private static func rules(_ words: Words) throws -> [String] {
        let folder = try TemporaryFolder(files)
        let (text, json) = (ToolRun(words.list, in: folder), ToolRun(words.list + ["--format=json"], in: folder))
        #expect([.success, .limitExceeded].contains(text.status), "\(text.error)")
        let document = try JSONText(json.output)
        let list = (document["decided-rules"] ?? document["changes", "decided-rules"]) as? [[String: String]]
        let found = try #require(list)
        let numbers = found.compactMap { $0["rule"] }
        for member in found {
            let rule = try #require(DecidedRule.allCases.first { $0.number == member["rule"] })
            #expect(member == ["rule": rule.number, "sentence": rule.sentence])
        }
        let line = text.output.split(separator: "\n").filter { $0.contains("this answer rests on") }
        let listed = numbers.count > 1 ? numbers.dropLast().joined(separator: ", ") + " and " : ""
        let expected = numbers.last.map { ["  this answer rests on \(listed)\($0), which the manual leaves open"] }
        #expect(line.map(String.init) == expected ?? [])
        return numbers
    }

    @Test func aReportNamesAppsThatAreCountedTogether() throws {
        for (count, isNamed) in [(10_000, false), (10_001, true)] {
            let lines = (0..<count).map { number in
                #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Self.bob)","public-flags":"","appid":"a\#(number)"}"#
                    + "\n"
            }
            let run = try ToolRun("diff @apps.jsonl -a new --policy strict", files: ["apps.jsonl": lines.joined()])
            #expect(run.status == .success, "\(run.error)")
            #expect(run.output.contains("this answer rests on R13.1, which the manual leaves open") == isNamed)
        }
    }

    // Bob is in the second part, and a device with an entry in the first.
    @Test func partsAddTheirRules() throws {
        let device = "AAAAAAAAAAAAAAAAAAAAAQ=="
        let folder = try TemporaryFolder([
            "two.jsonl": Self.record("10:00:00", Self.bob, "1.2.3.4") + Self.record("10:01:00", device, "9.9.9.9"),
            "both.yaml": """
            account: a
            policy: default,whitelist,default
            \(Self.filter("reject"))devices: [{id: \(device)}]

            """,
        ])
        let diff = ["diff", "@two.jsonl", "-a", "@both.yaml", "--policy=default,strict,default"]
        let whole = ToolRun(diff, in: folder)
        for (number, rule) in [(1, "R6.1"), (2, "R4.6")] {
            ToolRun(diff + ["--shard=\(number)/2", "--partial=@p\(number)"], in: folder).ending(.success)
            let text = try String(contentsOfFile: "\(folder.path)/p\(number)", encoding: .utf8)
            #expect(text.contains(#""decided-rules":["\#(rule)"]"#))
        }
        let merged = ToolRun(["merge", "@p1", "@p2"], in: folder)
        #expect(merged.output == whole.output)
        #expect(merged.output.contains("\n  this answer rests on R4.6 and R6.1, which the manual leaves open\n"))
    }

    @Test(arguments: ["html", "markdown"]) func otherFormsNameThemToo(format: String) throws {
        let run = try ToolRun(
            "diff @day.jsonl -a @whitelist.yaml --candidate @strict.yaml --format \(format)", files: Self.files)
        #expect(run.output.contains("his answer rests on R4.6, which the manual leaves open"))
    }

    // MARK: The catalogue

    // A rule is marked once or more; R10 numbers steps rather than rules.
    private static var marked: Set<String> {
        var (numbers, current, heading) = (Set<String>(), "", "")
        for line in RulesDocument.text.split(separator: "\n").drop(while: { !$0.hasPrefix("## R1 ") }) {
            if let match = line.firstMatch(of: /^## (R[0-9]+a?)/) { (heading, current) = (String(match.1), "") }
            if let match = line.firstMatch(of: /^- (R[0-9]+a?\.[0-9]+[a-z]?)/) { current = String(match.1) }
            if let match = line.firstMatch(of: /^([0-9]+)\.\s/) { current = "\(heading).\(match.1)" }
            if line.contains(/\*\*[Dd]ecided\*\*/) { numbers.insert(current) }
        }
        return numbers
    }

    @Test func theCatalogueHasTheRulesThatAreMarkedAsDecided() {
        let numbers = DecidedRule.allCases.map(\.number)
        #expect(Set(numbers) == Self.marked)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.count == 29)
    }

    @Test func everyRuleHasACaseOrAReasonForNone() {
        // R13.1 needs a capture of its own.
        let tested = DecidedRules(Self.rows.map(\.rule) + [DecidedRule.otherApps])
        for rule in DecidedRule.allCases {
            #expect(tested.contains(rule) == (rule.silence == nil), "\(rule.number)")
            let sentences = [rule.sentence] + [rule.silence].compactMap(\.self)
            for sentence in sentences { #expect(!sentence.isEmpty && sentence.last != ".", "\(rule.number)") }
        }
    }
}
