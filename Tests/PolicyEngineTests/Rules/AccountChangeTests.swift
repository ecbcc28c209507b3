import Testing

@testable import PolicyEngine
@testable import TestSupport

/// What is different in an account after a change.
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
        #expect(change.parts == [.filters])
        #expect(change.filters.map(\.filter.name) == ["gone", "moved", "moved", "new"])
        #expect(change.filters.map(\.filter.options) == [[], .reject, .ban, []])
        #expect(change.filters.map { $0.account == before } == [true, true, false, false])
        #expect(AccountChange(from: before, to: before).filters.isEmpty)
    }

    @Test func partsThatDifferAreNamed() throws {
        let before = try Self.account()
        #expect(AccountChange(from: before, to: before).parts == [])
        let paused = before.changed { $0.propagation = 30 }
        #expect(AccountChange(from: before, to: paused).parts == [.propagation])
        // The name is no part, and bears on everything; so do its bytes, also where they look the same.
        let named = before.changed { $0.name = "é" }
        #expect(AccountChange(from: before, to: named).parts == [.other])
        #expect(AccountChange(from: named, to: before.changed { $0.name = "e\u{301}" }).parts == [.other])
        let both = try paused.changed { try $0.removeFilter(named: "gone") }
        #expect(AccountChange(from: before, to: both).parts == [.filters, .propagation])
    }
}
