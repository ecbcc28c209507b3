import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A list that is absent says nothing, and an empty one says that there is none (R14.2a).
@Suite struct ListedTests {
    @Test("R14.2a without `apis` any domain is served, with an empty list none") func domains() throws {
        #expect(try AccountText.account("account: a").tokenDomain(named: "a.com") != nil)
        let empty = try AccountText.account("apis: []")
        #expect(empty.listsAPIDomains && empty.apiDomains.isEmpty)
        #expect(empty.tokenDomain(named: "a.com") == nil)
        #expect(empty != (try AccountText.account("{}")))
    }

    @Test("R14.2a a file without domains makes a list without any") func allDomainsGo() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("{}".utf8, to: "none.json")
        var context = CommandContext()
        context.folder = folder.path("") + "/"
        let text = "account: a\n"
        let (account, effects) = try CommandBench.carryOut(["api -setAll none.json"], on: text, in: context)
        #expect(account.listsAPIDomains)
        #expect(effects.flatMap(\.warnings) == ["the account lists no API domain any more, so none is served"])
        var diagnostics = Diagnostics()
        let file = try #require(AccountFile(bytes: Array(text.utf8), path: "a.yaml", diagnostics: &diagnostics))
        let bytes = try #require(try file.bytes(saying: account))
        #expect(String(decoding: bytes, as: UTF8.self) == "account: a\napis: []\n")
    }

    @Test("R14.2a an app of an empty list of registrations is not registered, and one of none may be")
    func registrations() throws {
        for (account, verdict) in [("{}", "pass"), ("{registrations: []}", "fail")] {
            let failures = try ScenarioText.failures(
                """
                scenario: s
                account: \(account)
                devices: {bob: {}}
                steps: [{at: 0s, fetch: bob, expect: {verdict: \(verdict)}}]

                """)
            #expect(failures == [])
        }
    }

    @Test("R14.2a a key set of which nothing is said has any key, and an empty one has none") func keySets() throws {
        let line = "api -add b.com -keySetKID mykey"
        let (account, effects) = try CommandBench.carryOut([line], on: "{}")
        #expect(account.apiDomains.map(\.keyID) == ["mykey"])
        #expect(
            effects.flatMap(\.warnings).first == "nothing is said of a key set, so key `mykey` is taken to be there")
        var listed = try AccountText.account("{}")
        listed.keys.keySet.list()
        #expect(throws: CommandError.self) { try ManagementCommand(line).apply(to: &listed, in: CommandContext()) }
        #expect(listed.apiDomains.isEmpty)
        #expect(KeyText.text(of: listed).hasSuffix("\nkey-set: []\n"))
        #expect(!KeyText.text(of: account).contains("key-set"))
    }
}
