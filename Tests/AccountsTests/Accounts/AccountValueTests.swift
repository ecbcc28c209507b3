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

    // Manual, Keyset Key API Addition: "if you have added one or more keyset keys then you can add an API domain".
    @Test("a domain whose key is not there is refused with its `kid`, whether there is a key set or not") func keySets()
        throws
    {
        let line = "api -add b.com -keySetKID mykey"
        var empty = try AccountText.account("{}")
        #expect(
            try CommandBench.refusal(of: [line], on: "{}")
                == "there is no key `mykey` in the key set; hint: the account has no key set; "
                + "`keyset -kid NAME -add ALG` makes one")
        empty.keys.keySet.list()
        #expect(throws: CommandError("there is no key `mykey` in the key set")) {
            try ManagementCommand(line).apply(to: &empty, in: CommandContext())
        }
        #expect(empty.apiDomains.isEmpty)
        #expect(KeyText.text(of: empty).hasSuffix("\nkey-set: []\n"))
        let (added, _) = try CommandBench.carryOut(["keyset -kid mykey -add ES256", line], on: "{}")
        #expect(added.apiDomains.map(\.keyID) == ["mykey"] && added.apiDomains.map(\.algorithm) == ["ES256"])
    }

    static let keySetDomains: [(attributes: String, message: String)] = [
        (
            #""secretType": "keyset", "kid": "mykey""#,
            "the key set has no key `mykey` to make tokens for API domain `b.com` with; hint: the account has no key "
                + "set; `keyset -kid NAME -add ALG` makes one"
        ),
        (
            #""secretType": "keyset""#,
            "`apis.json`, domain `b.com`: `kid` is missing, which names the key"
        ),
    ]

    @Test("api -setAll refuses a domain whose key is not there, too", arguments: keySetDomains)
    func keySetFiles(row: (attributes: String, message: String)) throws {
        let folder = try TemporaryFolder(["apis.json": "{\"b.com\": {\(row.attributes)}}"])
        let refusal = try CommandBench.refusal(of: ["api -setAll \(folder.path("apis.json"))"], on: "{}")
        #expect(refusal.map(folder.relative) == row.message)
    }
}

/// The keys that a filter may look at (R7.2).
@Suite struct InformationKeyTests {
    // A sample that is added to the table and not to the manual's, or the other way round, is reported here.
    @Test func theTableOfKeysHasNoneTwice() {
        #expect(Set(InformationKeys.all).count == InformationKeys.all.count)
        #expect(Set(InformationKeys.filterable).isSuperset(of: InformationKeys.given))
        #expect(InformationKeys.all.contains("flags-all") && !InformationKeys.given.contains("device-id"))
    }
}
