import Documents
import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Every key of an account is read (formats: Account).
@Suite struct AccountKeyTests {
    @Test("R1.5 R11.2 a day is the longest") func aDayIsTheLongest() throws {
        let account = try AccountText.account("propagation: 1d\ngrace: 24h\n")
        #expect((account.propagation, account.grace) == (86_400, 86_400))
        let other = try AccountText.account("propagation: 1m30s\ngrace: 0s\nbilling-day: 28\n")
        #expect((other.propagation, other.grace, other.billingDay) == (90, 0, 28))
    }

    @Test("R2.2 a declared flag has its meaning and may be a risk") func flags() throws {
        let account = try AccountText.account("flags: [{name: a, description: Something new, risk: true}, {name: b}]")
        let flags = ["a", "b"].compactMap(account.catalogue.namedFlag).map { account.catalogue[$0] }
        #expect(flags.map(\.meaning) == ["Something new", ""] && flags.map(\.isRisk) == [true, false])
    }

    // R3.1, R16.
    @Test(arguments: ["{}", "account: account\n"]) func aNewAccountHasItsDefaults(text: String) throws {
        let account = try AccountText.account(text)
        expect(account.name, equals: "account")
        expect(account.policy.description, equals: "default,default,default")
        #expect((account.isResponseCodeOn, account.ipTracking) == (true, .token))
        #expect((account.includesAudience, account.includesIssuer) == (false, false))
        #expect((account.propagation, account.grace, account.billingDay) == (30, 10, 1))
        expect(account.samplingPercentage, equals: .zero)
        #expect(account.filters.isEmpty && account.devices.isEmpty && account.apiDomains.isEmpty)
        #expect(account.deviceCheck == nil && account.safetyNet == nil)
        #expect(account.registrations == nil)
    }

    @Test func theTeamIsAShorthand() throws {
        let account = try AccountText.account("team: ABC\n")
        expect(account.deviceCheck, equals: DeviceCheckSettings(teamID: "ABC"))
        expect(account.deviceCheck?.expiry, equals: 12)
        try expect(AccountText.account("devicecheck: {bits: none}\n").deviceCheck, equals: DeviceCheckSettings())
    }

    @Test func anEmptyListOfRegistrationsIsAList() throws {
        try expect(AccountText.account("registrations: []\n").registrations, equals: [])
        try expect(AccountText.account("safetynet: {api-key: x}\n").safetyNet?.dailyQuota, equals: 10_000)
    }

    // The lists of the manual hold 25 (R6.1, R7.1).
    @Test func limitsCanBeReached() throws {
        let filters = (1...25).map { "  - {name: f\($0), key: ip, match: x}\n" }.joined()
        let devices = (1...25).map { "  - id: \(DeviceID(first: 0, second: UInt64($0) << 4))\n" }.joined()
        let flags = (1...FlagFacts.room).map { "  - name: flag\($0)\n" }.joined()
        let account = try AccountText.account("flags:\n\(flags)filters:\n\(filters)devices:\n\(devices)")
        #expect((account.filters.count, account.devices.count) == (25, 25))
        expect(account.catalogue.flags.count, equals: 128)
    }

    @Test func theLastRegistrationIsOneTooMany() {
        let entries = Array(repeating: "{app-sig: a, appid: b}, ", count: 250).joined()
        let marked = MarkedText(
            "registrations: [\(entries)①{app-sig: c, appid: d, app-version: 2.0(3), sdk: 2974}]\n")
        expect(
            MarkedText.found(AccountText.read(marked.text).diagnostics),
            equals: marked.expected([
                "① registration `cd-2.0[3]-2974` is one too many; an account has at most 250"
            ]))
    }
}

/// The table of the keys of an account file agrees with what is read and with `docs/FORMATS.md`.
@Suite struct AccountKeyTableTests {
    // The rows of the table of accounts there: the keys of the first column, and the values of the second.
    private static func rows(
        from title: String = "## Account\n", to next: String = "\n## Scenario"
    ) throws -> [(keys: [String], values: String)] {
        let text = try Repository.text(of: "docs/FORMATS.md")
        let start = try #require(text.range(of: title))
        let end = try #require(text.range(of: next, range: start.upperBound..<text.endIndex))
        let section = text[start.upperBound..<end.lowerBound]
        let table = section.components(separatedBy: "\n\n").first { $0.contains("| --- |") } ?? ""
        return table.split(separator: "\n").dropFirst(2).map { line in
            let cells = line.replacing(#"\|"#, with: " ").split(separator: "|", omittingEmptySubsequences: false)
            let keys = cells[1].split(separator: ",").map { $0.filter { !" `".contains($0) } }
            return (keys, String(cells[2]))
        }
    }

    private static let entries = [
        "flags", "filters", "devices", "devicecheck", "safetynet", "app-signing-certs", "registrations", "apis",
        "user-roles", "monitoring",
    ]

    // The keys of the mappings that a form allows, also in lists and as alternatives.
    private static func keys(_ value: JSONSchema.Value) -> [String] {
        switch value {
        case .map(let members):
            members.flatMap { member in
                if member.name == "properties", case .map(let fields) = member.value {
                    fields.map(\.name)
                } else {
                    keys(member.value)
                }
            }
        case .list(let items): items.flatMap(keys)
        case .text, .number, .truth: []
        }
    }

    private static func names(in key: String) -> [String] {
        AccountFields.all.filter { $0.key == key }.flatMap { keys($0.schema.value) }
    }

    private static func unknownKeys(in text: String) -> [String] {
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(YAMLParser.parse(bytes: Array(text.utf8), path: "a.yaml"), diagnostics: &diagnostics)
        return diagnostics.all.map(\.message).filter { $0.contains("unknown key") }
    }

    @Test func referenceListsEveryKeyInOrder() throws {
        try expect(Self.rows().flatMap(\.keys), equals: AccountFields.keys)
    }

    @Test func referenceListsEveryKeyOfAKeyFileInOrder() throws {
        try expect(Self.rows(from: "### Key file\n").flatMap(\.keys), equals: KeyFields.all.map(\.key))
    }

    @Test func referenceNamesTheKeysOfEveryEntry() throws {
        let rows = try Self.rows()
        for key in Self.entries {
            let names = Self.names(in: key)
            let row = try #require(rows.first { $0.keys.contains(key) })
            let words = Set(row.values.split { !$0.isLetter && $0 != "-" }.map(String.init))
            #expect(words.isSuperset(of: names), "\(key)")
        }
    }

    @Test func everyKeyIsRead() {
        expect(AccountFields.readingOrder.map(\.key).sorted(), equals: AccountFields.keys.sorted())
        for key in AccountFields.keys { #expect(Self.unknownKeys(in: "\(key): x\n").isEmpty) }
        expect(Self.unknownKeys(in: "key-of-nobody: x\n"), equals: ["unknown key `key-of-nobody` in the account"])
    }

    @Test func everyKeyOfAnEntryIsRead() {
        for key in Self.entries {
            let names = Self.names(in: key)
            let isMapping = ["devicecheck", "safetynet", "monitoring"].contains(key)
            for name in names {
                #expect(
                    Self.unknownKeys(in: "\(key):\n  \(isMapping ? "" : "- ")\(name): x\n").isEmpty, "\(name)")
            }
            expect(Self.unknownKeys(in: "\(key):\n  \(isMapping ? "" : "- ")of-nobody: x\n").count, equals: 1)
        }
    }
}
