import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("What differs between two accounts") struct AccountDifferenceTests {
    private static func account() throws -> Account {
        try Account.sample(
            filters: [.exact("a", "ip", "1"), .exact("b", "ip", "2", .risky), .conjunction("c", ["a", "b"])],
            devices: [DeviceEntry(id: first, banMode: .ban)])
    }

    private static let first = DeviceID(first: 1, second: 0)
    private static let second = DeviceID(first: 2, second: 0)

    private static func difference(_ change: (inout Account) throws -> Void) throws -> AccountDifference {
        let account = try account()
        return AccountDifference(account, try account.changed(change))
    }

    @Test("equal accounts differ in nothing") func nothing() throws {
        let difference = try Self.difference { _ in }
        #expect(!difference.isGeneral && difference.flags.isEmpty && difference.filters.isEmpty)
        #expect(difference.devices == [])
    }

    @Test("R4.4 a flag that is added or removed is named") func flags() throws {
        // `default` rejects on `rooted` and not on `root-risk`.
        let difference = try Self.difference { account in
            account.policy.rejection.removeRejectFlag(try account.flag("rooted"))
            account.policy.rejection.addRejectFlag(try account.flag("root-risk"))
        }
        let catalogue = FlagCatalogue()
        #expect(Set(catalogue.names(of: difference.flags)) == ["rooted", "root-risk"])
        #expect(!difference.isGeneral && difference.filters.isEmpty)
    }

    @Test("R4.3 so is one that loses its exception") func exceptions() throws {
        var account = try Self.account()
        account.policy = try account.securityPolicy("default,allow-xposed,default")
        let edited = try account.changed { $0.policy.rejection.addRejectFlag(try $0.flag("rooted")) }
        let difference = AccountDifference(account, edited)
        #expect(FlagCatalogue().names(of: difference.flags) == ["rooted"])
        #expect(!difference.isGeneral)
    }

    @Test("R4.1 another preset is general, and so is any other setting") func general() throws {
        let preset = try Self.difference { $0.policy = try $0.securityPolicy("default,whitelist,default") }
        #expect(preset.isGeneral)
        let annotation = try Self.difference { $0.policy = try $0.securityPolicy("default,default,all") }
        #expect(annotation.isGeneral && annotation.flags.isEmpty)
        #expect(try Self.difference { $0.grace += 1 }.isGeneral)
    }

    @Test("R7.5 a filter that is gone or has other options is named by its place") func filters() throws {
        let removed = try Self.difference { account in
            let kept = account.filters.dropFirst()
            account.filters = Array(kept)
        }
        #expect(Array(removed.filters) == [0] && !removed.isGeneral)
        let risky = try Self.difference { $0.filters[1] = try .exact("b", "ip", "2", .reject) }
        #expect(Array(risky.filters) == [1] && !risky.isGeneral && risky.devices == [])
    }

    @Test("R7.1 a new filter, another order or another test is general") func otherFilters() throws {
        #expect(try Self.difference { $0.filters.append(try .exact("d", "ip", "3")) }.isGeneral)
        #expect(try Self.difference { $0.filters.swapAt(0, 1) }.isGeneral)
        let tests = try Self.difference { $0.filters[0] = try .exact("a", "ip", "9") }
        #expect(tests.isGeneral && Array(tests.filters) == [0])
    }

    @Test("R6.1 devices whose entries differ are named, those of either account") func devices() throws {
        let added = try Self.difference { try $0.append(DeviceEntry(id: Self.second, label: "x")) }
        #expect(added.devices == [Self.second] && !added.isGeneral)
        let removed = try Self.difference { try $0.removeDevice(Self.first) }
        #expect(removed.devices == [Self.first] && !removed.isGeneral)
        let changed = try Self.difference { $0.devices[0].banMode = .unban }
        #expect(Set(changed.devices) == [Self.first])
    }

    @Test("R1.2 the filtered policy is general") func filteredPolicy() throws {
        let difference = try Self.difference { try $0.append($0.entry(Sample.filteredPolicy, "other,default,default")) }
        #expect(difference.isGeneral && difference.devices == [])
    }
}
