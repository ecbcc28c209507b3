import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The differences between an account before and after a change.
@Suite struct AccountChangeTests {
    private static func account() throws -> Account {
        try .sample(filters: [
            .exact("kept", "ip", "1"), .exact("gone", "ip", "2"), .exact("moved", "ip", "3", .reject),
        ])
    }

    @Test("R7 filters that one account lacks or has in another form, each with its account") func filters() throws {
        let before = try Self.account()
        let after = try before.changed { account in
            try account.removeFilter(named: "gone")
            try account.set(.exact("moved", "ip", "3", .ban))
            try account.append(.exact("new", "ip", "4"))
        }
        let change = AccountChange(from: before, to: after)
        expect(change.parts, equals: [.filters])
        expect(change.filters.map(\.filter.name), equals: ["gone", "moved", "moved", "new"])
        expect(change.filters.map(\.filter.options), equals: [[], .reject, .ban, []])
        expect(change.filters.map { $0.account == before }, equals: [true, true, false, false])
        #expect(AccountChange(from: before, to: before).filters.isEmpty)
    }

    @Test func partsThatDifferAreNamed() throws {
        let before = try Self.account()
        expect(AccountChange(from: before, to: before).parts, equals: [])
        let paused = before.changed { $0.propagation = 30 }
        expect(AccountChange(from: before, to: paused).parts, equals: [.propagation])
        let named = before.changed { $0.name = "é" }
        expect(AccountChange(from: before, to: named).parts, equals: [.name])
        expect(AccountChange(from: named, to: before.changed { $0.name = "e\u{301}" }).parts, equals: [.name])
        let both = try paused.changed { try $0.removeFilter(named: "gone") }
        expect(AccountChange(from: before, to: both).parts, equals: [.filters, .propagation])
    }

    @Test("every property of an account belongs to a part", arguments: AccountPart.allCases)
    func aChangeBelongsToItsPart(_ part: AccountPart) throws {
        let before = try Self.account()
        var after = before
        try Self.change(part, &after)
        expect(AccountChange(from: before, to: after).parts, equals: (part == .other ? [] : [part]))
        expect(AccountChange(from: after, to: before).parts, equals: (part == .other ? [] : [part]))
    }

    @Test("no property of an account is without a part") func noPropertyIsForgotten() throws {
        let before = try Self.account()
        var after = before
        for part in AccountPart.allCases { try Self.change(part, &after) }
        for (old, new) in zip(Mirror(reflecting: before).children, Mirror(reflecting: after).children) {
            #expect(String(reflecting: old.value) != String(reflecting: new.value), "\(old.label ?? "")")
        }
        var restored = after
        for part in AccountPart.allCases { restored.copy(part, from: before) }
        expect(restored, equals: before)
    }

    @Test("the filtered policy's entry is not an entry of a device, wherever it is") func entriesAreToldApart() throws {
        let id = try #require(DeviceID(DeviceID.filteredPolicyText))
        let other = try #require(DeviceID("AAAAAAAAAAAAAAAAAAAAAA=="))
        let first = try Self.account().changed { account in
            try account.append(DeviceEntry(id: id, policy: .initial))
            try account.append(DeviceEntry(id: other, label: "a"))
        }
        expect(AccountChange(from: first, to: first).parts, equals: [])
        let labelled = try first.changed { try $0.set(DeviceEntry(id: other, label: "b")) }
        expect(AccountChange(from: first, to: labelled).parts, equals: [.devices])
        let without = try first.changed { try $0.removeDevice(id) }
        expect(AccountChange(from: first, to: without).parts, equals: [.filteredPolicy])
    }

    // Every property that belongs to a part becomes another one.
    private static func change(_ part: AccountPart, _ account: inout Account) throws {
        switch part {
        case .name: account.name = "changed"
        case .flags: try account.catalogue.declare(FlagDeclaration(name: "changed"))
        case .rules: account.declaredRules.append("changed")
        case .policy: account.policy.rejection.makeCustom()
        case .filters:
            try account.removeFilter(named: "gone")
            account.knowsNewDevices = false
        case .devices: try account.append(DeviceEntry(id: try #require(DeviceID("AAAAAAAAAAAAAAAAAAAAAA=="))))
        case .filteredPolicy: account.samplingPercentage = .hundred
        case .deviceCheck: (account.deviceCheck, account.ownTeam) = (DeviceCheckSettings(teamID: "A"), "own")
        case .safetyNet: account.safetyNet = SafetyNetSettings(apiKey: "A")
        case .certificates: try account.append(AppSigningCertificate(fingerprint: "00:11:22:33:44:55:66:77"))
        case .registrations: account.registrations = [Registration(signature: "A")]
        case .removedRegistrations: account.removedRegistrations = [Registration(signature: "A")]
        case .domains: try account.append(APIDomain(name: "api.example.com"))
        case .secureStrings: account.secureStrings = ["a": "b"]
        case .features: account.features = []
        case .developmentKey: account.developmentKey = "a"
        case .pinningTestURL: account.pinningTestURL = "https://a.example.com"
        case .tokens:
            (account.keyFile, account.ipTracking) = ("a.keys", .full)
            (account.includesAudience, account.includesIssuer) = (true, true)
        case .keys: account.keys.keyID = "a"
        case .responseCodes: (account.isResponseCodeOn, account.responseCodeSecret) = (false, [1])
        case .propagation: account.propagation += 1
        case .grace: account.grace += 1
        case .billingDay: account.billingDay += 1
        case .users: (account.users, account.delegateAccounts) = ([], ["a.yaml"])
        case .monitoring: account.monitoring.emergencyContact = "a"
        case .other: break
        }
    }

    // MARK: Bytes

    // "é" in one character and in two; Swift takes them for equal.
    private static let texts = ("\u{E9}", "e\u{301}")

    private static let fields: [(name: String, set: @Sendable (inout Account, String) -> Void)] = [
        ("account", { $0.name = $1 }), ("keys", { $0.keyFile = $1 }), ("rules", { $0.declaredRules = [$1] }),
        ("pinning-test-url", { $0.pinningTestURL = $1 }), ("dev-key", { $0.developmentKey = $1 }),
        ("secure-strings", { $0.secureStrings = [ExactText($1): "a"] }),
        ("secure-strings: value", { $0.secureStrings = ["a": ExactText($1)] }),
        ("delegate-accounts", { $0.delegateAccounts = [$1] }), ("team", { $0.deviceCheck = .init(teamID: $1) }),
        ("devicecheck: key-id", { $0.deviceCheck = .init(keyID: $1) }),
        ("safetynet", { $0.safetyNet = .init(apiKey: $1) }), ("kid", { $0.keys.keyID = $1 }),
        ("app-sig", { $0.registrations = [Registration(signature: $1)] }),
        ("appid", { $0.registrations = [Registration(signature: "a", package: $1)] }),
        ("app-version", { $0.registrations = [Registration(signature: "a", version: $1)] }),
        ("version-name", { $0.registrations = [Registration(signature: "a", versionName: $1)] }),
        ("library-id", { $0.registrations = [Registration(signature: "a", libraryID: $1)] }),
        ("sdk", { $0.registrations = [Registration(signature: "a", sdk: $1)] }),
        ("label", { $0.registrations = [Registration(signature: "a", label: $1)] }),
        ("added-by", { $0.registrations = [Registration(signature: "a", addedBy: $1)] }),
        ("cloned-from", { $0.registrations = [Registration(Registration(signature: "a"), clonedFrom: $1)] }),
        ("device label", { $0.devices = [DeviceEntry(id: DeviceID(first: 0, second: 1), label: $1)] }),
        ("device user", { $0.devices = [DeviceEntry(id: DeviceID(first: 0, second: 1), user: $1)] }),
        ("probe-url", { $0.devices = [DeviceEntry(id: DeviceID(first: 0, second: 1), probeURL: $1)] }),
        ("apis: alg", { $0.apiDomains = [APIDomain(name: "a", algorithm: $1)] }),
        ("apis: kid", { $0.apiDomains = [APIDomain(name: "a", keyID: $1)] }),
        ("apis: pins", { $0.apiDomains = [APIDomain(name: "a", pins: [$1])] }),
        ("certificate", { $0.certificates = [AppSigningCertificate(fingerprint: "a", subject: $1)] }),
        ("emergency-contact", { $0.monitoring.emergencyContact = $1 }), ("emails", { $0.monitoring.recipients = [$1] }),
        ("policy", { $0.policy.rules = $1 }),
        (
            "flags",
            { try? $0.catalogue.declare(FlagDeclaration(name: "a", meaning: $1)) }
        ),
    ]

    @Test("R7.2 accounts whose texts look the same in other bytes are two", arguments: fields.indices)
    func bytesMakeADifference(_ index: Int) throws {
        let (name, set) = Self.fields[index]
        let before = try Self.account()
        var (one, other, same) = (before, before, before)
        set(&one, Self.texts.0)
        set(&other, Self.texts.1)
        set(&same, Self.texts.0)
        #expect(one != other, "\(name)")
        expect(one, equals: same, "\(name)")
        expect(AccountChange(from: one, to: other).parts.count, equals: 1, "\(name)")
    }

    @Test("R15.1 fields of a registration that decide which apps it stands for") func matchedFields() {
        let registration = Registration(
            signature: "s", package: "p", version: "1", versionName: "n", libraryID: "l", sdk: "iOS(2.5.0)",
            isBundle: true,
            label: "x", added: Instant(secondsSinceEpoch: 1), expiry: Instant(secondsSinceEpoch: 2), addedBy: "y")
        let matched = Registration(
            signature: "s", package: "p", version: "1", libraryID: "l", sdk: "iOS(2.5.0)", isBundle: true,
            expiry: Instant(secondsSinceEpoch: 2))
        expect(Registration(registration, clonedFrom: "z").asMatched, equals: matched)
    }
}

@Suite("R1.5 The history of an account") struct AccountHistoryTests {
    /// A label; the propagation, the seconds of changes, a second, and the revision that is in force then.
    struct Row: LabelledRow {
        let label: String
        private var numbers: [[Int]] {
            label.split(separator: " | ").dropFirst().map { $0.split(separator: " ").compactMap { Int($0) } }
        }
        var propagation: Int { numbers[0][0] }
        var changes: [Int] { numbers[1] }
        var second: Int { numbers[2][0] }
        var revision: Int { numbers[2][1] }
    }

    static let rows = TableRows.of("R1.5 the revision of an account that is in force").rows(12).map { Row(label: $0) }

    @Test("R1.5 which revision is in force", arguments: rows) func revisionInForce(_ row: Row) {
        var account = Account(catalogue: FlagCatalogue())
        account.propagation = row.propagation
        var history = AccountHistory(account)
        for (number, second) in row.changes.enumerated() {
            account.grace = number + 100
            history.change(to: account, at: Instant(secondsSinceEpoch: second))
        }
        let now = Instant(secondsSinceEpoch: row.second)
        expect(history.revision(inForceAt: now, from: 0), equals: row.revision)
        expect(history.revision(inForceAt: now, from: row.revision), equals: row.revision)
        expect(history.latest.grace, equals: (row.changes.isEmpty ? 10 : row.changes.count + 99))
        expect(history.revisions.count, equals: row.changes.count + 1)
        #expect(history.revisions[0].inForceFrom == nil)
    }
}

@Suite("What differs between two accounts") struct AccountChangeBearingTests {
    private static func account() throws -> Account {
        try Account.sample(
            filters: [.exact("a", "ip", "1"), .exact("b", "ip", "2", .risky), .conjunction("c", ["a", "b"])],
            devices: [DeviceEntry(id: first, banMode: .ban)])
    }

    private static let first = DeviceID(first: 1, second: 0)
    private static let second = DeviceID(first: 2, second: 0)

    private static func difference(_ change: (inout Account) throws -> Void) throws -> AccountChange {
        let account = try account()
        return AccountChange(from: account, to: try account.changed(change))
    }

    @Test("equal accounts differ in nothing") func nothing() throws {
        let difference = try Self.difference { _ in }
        #expect(!difference.bearsOnEveryDecision && difference.rejectFlags == .empty)
        #expect(difference.changedFilters.isEmpty && difference.entries == [])
    }

    @Test("R4.4 a flag that is added or removed is named") func flags() throws {
        // `default` rejects on `rooted` and not on `root-risk`.
        let difference = try Self.difference { account in
            account.policy.rejection.removeRejectFlag(try account.flag("rooted"))
            account.policy.rejection.addRejectFlag(try account.flag("root-risk"))
        }
        let catalogue = FlagCatalogue()
        let flags = try #require(difference.rejectFlags)
        expect(Set(catalogue.names(of: flags)), equals: ["rooted", "root-risk"])
        #expect(!difference.bearsOnEveryDecision && difference.changedFilters.isEmpty)
    }

    @Test("R4.3 so is one that loses its exception, or gets one") func exceptions() throws {
        var account = try Self.account()
        account.policy = try account.securityPolicy("default,allow-xposed,default")
        let edited = try account.changed { $0.policy.rejection.addRejectFlag(try $0.flag("rooted")) }
        for difference in [AccountChange(from: account, to: edited), AccountChange(from: edited, to: account)] {
            let flags = try #require(difference.rejectFlags)
            expect(FlagCatalogue().names(of: flags), equals: ["rooted"])
            #expect(!difference.bearsOnEveryDecision)
        }
    }

    @Test("R4.1 another preset is general, and so is any other setting") func general() throws {
        let preset = try Self.difference { $0.policy = try $0.securityPolicy("default,whitelist,default") }
        #expect(preset.bearsOnEveryDecision)
        let annotation = try Self.difference { $0.policy = try $0.securityPolicy("default,default,all") }
        #expect(annotation.bearsOnEveryDecision && annotation.rejectFlags == nil)
        #expect(try Self.difference { $0.grace += 1 }.bearsOnEveryDecision)
    }

    @Test("R7.5 a filter that is gone or has other options is named by its place") func filters() throws {
        let removed = try Self.difference { account in
            let kept = account.filters.dropFirst()
            account.filters = Array(kept)
        }
        #expect(Array(removed.changedFilters) == [0] && !removed.bearsOnEveryDecision)
        let risky = try Self.difference { $0.filters[1] = try .exact("b", "ip", "2", .reject) }
        #expect(Array(risky.changedFilters) == [1] && !risky.bearsOnEveryDecision && risky.entries == [])
    }

    @Test("R7.1 a new filter, another order or another test is general") func otherFilters() throws {
        #expect(try Self.difference { $0.filters.append(try .exact("d", "ip", "3")) }.bearsOnEveryDecision)
        #expect(try Self.difference { $0.filters.swapAt(0, 1) }.bearsOnEveryDecision)
        let tests = try Self.difference { $0.filters[0] = try .exact("a", "ip", "9") }
        #expect(tests.bearsOnEveryDecision && Array(tests.changedFilters) == [0])
    }

    @Test("R6.1 devices whose entries differ are named, those of either account") func devices() throws {
        let added = try Self.difference { try $0.append(DeviceEntry(id: Self.second, label: "x")) }
        #expect(added.entries.map(\.id) == [Self.second] && !added.bearsOnEveryDecision)
        let removed = try Self.difference { try $0.removeDevice(Self.first) }
        #expect(removed.entries.map(\.id) == [Self.first] && !removed.bearsOnEveryDecision)
        let changed = try Self.difference { $0.devices[0].banMode = .unban }
        expect(Set(changed.entries.map(\.id)), equals: [Self.first])
    }

    @Test("R1.2 the filtered policy is general") func filteredPolicy() throws {
        let difference = try Self.difference { try $0.append($0.entry(Sample.filteredPolicy, "other,default,default")) }
        #expect(difference.bearsOnEveryDecision && difference.entries == [])
    }
}
