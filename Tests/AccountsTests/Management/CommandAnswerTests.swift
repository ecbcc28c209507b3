import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The output of commands: answers, reports and confirmations.
@Suite struct CommandAnswerTests {
    private static func effect(_ line: String, on text: String, at time: Instant? = nil) throws -> CommandEffect {
        var account = try AccountText.account(text)
        return try ManagementCommand(line).apply(to: &account, in: CommandContext(time: time))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        var account = "{}"
        let lines: [String]
        var testDescription: String { "\(line) on \(account)" }
    }

    @Test("R4.5 policy -get marks every flag under blacklist, and under a custom policy made from it")
    func blacklistMarksEverything() throws {
        for account in ["policy: default,blacklist,default", "{policy: 'default,blacklist,default', reject-flags: {}}"]
        {
            let (_, effects) = try CommandBench.carryOut(["policy -get"], on: account)
            let flags = effects.flatMap(\.printed).dropFirst(5)
            #expect(flags.count == 37)
            #expect(flags.allSatisfy { $0.hasPrefix("  reject ") })
        }
    }

    static let answers = [
        Row(line: "policy -getARC", account: "arc: off", lines: ["ARC policy is off"]),
        Row(line: "policy -getIPTracking", lines: ["IP tracking policy is token"]),
        Row(line: "policy -getAudience", lines: ["audience policy is off"]),
        Row(line: "policy -getIssuer", lines: ["issuer policy is off"]),
        Row(line: "policy -getPinningTestURL", lines: ["pinning test URL has not been set"]),
        Row(line: "policy -getPinningTestURL", account: "pinning-test-url: https://a.b", lines: ["https://a.b"]),
        Row(line: "device -list", lines: ["0 devices:"]), Row(line: "filter -list", lines: ["0 filters:"]),
        Row(line: "filter -getSamplingPercentage", lines: ["sampling percentage is 0.00%"]),
        Row(line: "devicecheck -get", lines: ["device check information has not been set"]),
        Row(line: "devicecheck -get", account: "team: T", lines: ["device check information has not been set"]),
        Row(line: "safetynet -get", lines: ["safetynet API key has not been set"]),
        Row(line: "safetynet -get", account: "safetynet: {}", lines: ["safetynet API key has not been set"]),
        Row(line: "appsigncert -list", lines: ["0 app signing certificates:"]),
        Row(
            line: "appsigncert -list",
            account: "app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1', '00:11:22:33:44:55:66:77']",
            lines: ["2 app signing certificates:", " C0:F3:15:9B:A5:6C:A8:E1", " 00:11:22:33:44:55:66:77"]),
        Row(line: "registration -list", lines: ["0 app registrations:"]),
        Row(
            line: "registration -list", account: "registrations: [{app-sig: A=, appid: c}]",
            lines: ["1 app registration:", " A=c-*"]),
        Row(line: "api -list", lines: ["0 API domains:"]),
        Row(
            line: "api -list",
            account:
                "apis: [{domain: a.com, type: keyset, alg: RS256, kid: k, monitor-port: 8443}, {domain: b.com, type: "
                + "pinOnly}, {domain: long.com, alg: A256GCMKW}]",
            lines: [
                "3 API domains:", " a.com     type:keyset, alg:RS256, kid:k, monitorPort:8443",
                " b.com     type:pinOnly", " long.com  type:account, alg:A256GCMKW",
            ]),
        Row(
            line: "device -list",
            account: "policy: default,strict,risk\ndevices: [{id: ExampleApproovTokenDID==, label: bobs-iPhone7}, "
                + "{id: h4gubfCFzJu81j/U2BJsdg==, user: Me, label: x, pin-mode: blockAll, policy: 'default,whitelist,all'}]",
            lines: [
                "2 devices:", " ExampleApproovTokenDID== default,strict,risk  pin  bobs-iPhone7",
                " h4gubfCFzJu81j/U2BJsdg== default,whitelist,all  blockAll  Me  x",
            ]),
        Row(
            line: "filter -list",
            account: "filters: [{name: a, key: ip, regex: '^1'}, {name: b, key: ip, match: x, risky: true, ban: true, "
                + "reject: true, new-did-only: true, capture-device-info: true, exec-filtered-sec-policy: true}, "
                + "{name: c, conjunction: [b, a], ban: true}]",
            lines: [
                "3 filters:", " a  ip: ^1  regex",
                " b  ip: x  newDIDOnly, captureDeviceInfo, reject, ban, risky, execFilteredSecPolicy",
                " c  conjunction: b+a  ban",
            ]),
    ]

    @Test(arguments: answers) func isAnswered(_ row: Row) throws {
        let effect = try Self.effect(row.line, on: row.account)
        var expected = CommandEffect()
        expected.printed = row.lines
        #expect(effect == expected)
    }

    @Test func registrationsThatEndedAreNotListed() throws {
        let text = "registrations: [{app-sig: A=, appid: c, expiry: 2020-07-23T00:00:00Z}, {app-sig: B=, appid: c}]"
        let time = try #require(Instant(rfc3339: "2020-07-23T00:00:00Z"))
        #expect(try Self.effect("registration -list", on: text).printed.count == 3)
        #expect(try Self.effect("registration -list", on: text, at: time).printed == ["1 app registration:", " B=c-*"])
    }

    private static let impact = "will have an immediate impact on your apps in production"

    static let deeds = [
        ("policy -set default,strict,default", "updating the security policy", "security policy was set successfully"),
        ("policy -addRejectFlag rooted", "updating the security policy", "security policy was set successfully"),
        ("policy -removeRejectFlag rooted", "updating the security policy", "security policy was set successfully"),
        ("policy -setARC on", "updating the arc policy", "arc policy was set successfully"),
        ("policy -setIPTracking full", "updating the IP tracking policy", "IP tracking policy was set successfully"),
        ("policy -setAudience on", "updating the audience policy", "audience policy was set successfully"),
        ("policy -setIssuer on", "updating the issuer policy", "issuer policy was set successfully"),
        (
            "policy -setPinningTestURL https://a.b", "updating the pinning test URL",
            "pinning test URL was updated successfully"
        ),
        ("policy -removePinningTestURL", "updating the pinning test URL", "pinning test URL was updated successfully"),
        (
            "filter -add b -conjunction a -reject -ban", "using the ban or reject option", "successfully set filter b"
        ),
        ("devicecheck -addAuthKey AuthKey_X.p8", "this", "device check information added"),
        ("devicecheck -remove", "this", "device check information removed"),
        ("safetynet -set X", "this", "safetynet API key set"),
        ("safetynet -remove", "this", "safetynet information removed"),
        (
            "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1:00", "removing an app signing certificate",
            "successfully removed app signing certificate with fingerprint C0:F3:15:9B:A5:6C:A8:E1"
        ),
        ("registration -remove 'A=c-*'", "removing app registration", "app registration A=c-* has been removed"),
        (
            "api -add b.com -pinType none", "adding the API",
            "added new API domain b.com with type:account, alg:HS256, unpinned"
        ),
        ("api -remove a.com", "removing the API", "removed API domain a.com"),
    ]

    private static let account = """
        filters: [{name: a, key: k, match: v}]
        devicecheck: {team-id: T, key-id: K}
        safetynet: {api-key: S}
        app-signing-certs: ["C0:F3:15:9B:A5:6C:A8:E1"]
        registrations: [{app-sig: A=, appid: c}, {app-sig: B=, appid: c, expiry: 2030-01-01T00:00:00Z}]
        apis: [{domain: a.com}, {domain: c.com}]
        """

    @Test(arguments: deeds) func isConfirmedAndReported(line: String, deed: String, report: String) throws {
        let effect = try Self.effect(line, on: Self.account)
        #expect(effect.confirmation == CommandConfirmation("\(deed) \(Self.impact)"))
        #expect(
            effect.confirmation?.question
                == "WARNING: \(deed) \(Self.impact). If you wish to continue then please enter YES and return: ")
        #expect(effect.reported == [report])
        #expect(effect.printed == [])
    }

    static let unconfirmed = [
        ("device -add h4gubfCFzJu81j/U2BJsdg== -banMode ban", "successfully set device h4gubfCFzJu81j/U2BJsdg=="),
        ("filter -add b -key k -matchValue v -risky", "successfully set filter b"),
        ("filter -remove a", "successfully removed filter a"),
        ("filter -setSamplingPercentage 1", "successfully set sampling percentage"),
        ("appsigncert -add 00:11:22:33:44:55:66:77:88", "successfully added 00:11:22:33:44:55:66:77"),
        ("registration -remove 'B=c-*'", "app registration B=c-* has been removed"),
    ]

    @Test(arguments: unconfirmed) func isCarriedOutAtOnce(line: String, report: String) throws {
        let effect = try Self.effect(line, on: Self.account)
        #expect(effect.confirmation == nil)
        #expect(effect.reported == [report])
    }

    // Manual, Getting Current Security Policy: every flag, with a tag where it rejects.
    @Test func thePolicyIsToldFlagByFlag() throws {
        let text = """
            policy: default,allow-xposed,xposed+rooted
            reject-flags: {add: [automated], remove: [debug]}
            flags: [{name: a-new-detection-with-a-long-name, description: Something new}, {name: bare}]
            """
        let lines = try Self.effect("policy -get", on: text).printed
        #expect(
            lines.prefix(5) == [
                "security policy is \"default,custom,xposed+rooted\" meaning:",
                "  rules: default (Default security rules)",
                "  rejection: custom (Flags chosen by hand, starting from allow-xposed)",
                "  annotation: xposed+rooted (rooted, xposed in Approov token)", "flag level rejection policy:",
            ])
        #expect(lines.count == 5 + FlagFacts.all.count + 2)
        #expect(lines.contains("  reject automated                        App is driven by an automation tool"))
        #expect(
            lines.contains("         debug                            A debugger or a debug environment is present"))
        #expect(
            lines.contains(
                "  reject safetynet-fail-integrity         SafetyNet basic integrity is false (rejected unless xposed is "
                    + "set too)"))
        #expect(lines.suffix(2) == ["         a-new-detection-with-a-long-name Something new", "         bare"])
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func presetsAreToldAsTheTableHasThem() throws {
        for preset in RejectionPreset.allCases {
            let lines = try Self.effect("policy -get", on: "policy: 'default,\(preset.rawValue),default'").printed
            let policy = RejectionPolicy(preset: preset)
            let tagged = lines.filter { $0.hasPrefix("  reject ") }.map { $0.split(separator: " ")[1] }
            let flags = policy.rejecting.union(policy.rejectingUnlessXposed)
            let names = preset == .blacklist ? FlagCatalogue().declaredNames : FlagCatalogue().names(of: flags)
            #expect(tagged.map(String.init) == names)
            #expect(lines[2] == "  rejection: \(preset.rawValue) (\(preset.summary))")
        }
    }
}

/// Filters as the commands that add them.
@Suite struct FilterCommandTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let value: String
        let command: String
        var testDescription: String { command }

        init(_ key: String, _ value: String, _ command: String) {
            (self.key, self.value, self.command) = (key, value, command)
        }
    }

    static let rows = [
        Row("ip", "1.2.3.4", "filter -add f -key ip -matchValue 1.2.3.4 -reject"),
        Row("ip", "", "filter -add f -key ip -matchValue '' -reject"),
        Row("ip", "a b", "filter -add f -key ip -matchValue 'a b' -reject"),
        Row("ip", "it's", #"filter -add f -key ip -matchValue 'it'\''s' -reject"#),
        Row("ip", "-", "filter -add f -key ip -matchValue=- -reject"),
        Row("ip", "-reject", "filter -add f -key ip -matchValue=-reject -reject"),
        Row("ip", "--", "filter -add f -key ip -matchValue=-- -reject"),
        Row("-key", "-a b", "filter -add f -key=-key '-matchValue=-a b' -reject"),
    ]

    @Test(arguments: rows) func isWrittenAsItIsTyped(_ row: Row) throws {
        let filter = try Filter(name: "f", test: .exact(key: row.key, value: row.value), options: .reject)
        #expect(ManagementCommand.addition(of: filter)?.text == row.command)
    }

    @Test func aNameMayBeginWithADash() throws {
        let filter = try Filter(name: "-f", test: .conjunction(["-a", "b"]))
        #expect(ManagementCommand.addition(of: filter)?.text == "filter -add=-f -conjunction=-a+b")
    }

    // Quotes, marks that a reader sees as one with the character before, characters that split words, and options.
    private static let letters = [
        "a", "'", "\"", "\\", " ", "\n", "\r", "\t", "\u{0}", "-", "--", "=", "+", "$", "`", "é", "\u{301}",
        "\u{1F3FD}",
        "\u{D4E}", "\u{FF9E}", "\u{200D}", "\u{A0}", "\u{2028}", "🇩", "-reject",
    ]

    @Test(arguments: Exhaustive.seeds(1...400)) func everyFilterCanBeTyped(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        func text(_ lengths: ClosedRange<Int>) -> String {
            (0..<chance.pick(Array(lengths))).map { _ in chance.pick(Self.letters) }.joined()
        }
        let (key, value) = (text(1...3), text(0...5))
        let filter = try Filter(name: "f", test: .exact(key: key, value: value), options: .ban)
        let line = try #require(
            ManagementCommand.addition(of: filter)?.text, "\(key.debugDescription) \(value.debugDescription)")
        #expect(try ManagementCommand(line).value as? FilterTopic == .add(filter))
    }
}
