import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The user who added a device entry, and the URL that devices probe for pins (R6.1; manual, Listing Your Devices, Removing
/// Multiple Devices, Certificate Pins From a Device).
@Suite struct DeviceUserTests {
    private static let (bob, amy) = ("h4gubfCFzJu81j/U2BJsdg==", "VI2c+UugQ6L7v0wkovXOSg==")

    static let users: [(CommandRole, String?, String)] = [
        (.admin, nil, "admin"), (.dev, nil, "dev"), (.dev, "A N Other", "A N Other"), (.admin, "Me", "Me"),
    ]

    @Test("R6.1 an entry keeps the user who added it", arguments: users)
    func user(role: CommandRole, name: String?, listed: String) throws {
        var context = CommandContext(role: role)
        context.user = name
        let (account, effects) = try CommandBench.carryOut(
            ["device -add \(Self.bob) -policy default,whitelist,all -pinMode unpin", "device -list"], on: "{}",
            in: context)
        #expect(effects.last?.printed == ["1 device:", " \(Self.bob) default,whitelist,all  unpin  \(listed)"])
        #expect(account.devices.map(\.user) == [listed])
        let (left, removals) = try CommandBench.carryOut(
            ["device -add \(Self.bob)", "device -removeMatching '\(listed)'"],
            on: "devices: [{id: \(Self.amy), user: somebody}]", in: context)
        #expect(left.devices.map(\.id.description) == [Self.amy])
        #expect(removals.last?.reported == ["removed \(Self.bob)"])
    }

    @Test("R6.1 whoever changes an entry does not take it over") func keepsItsUser() throws {
        let (account, _) = try CommandBench.carryOut(
            ["device -add \(Self.bob) -label x", "device -add \(Self.amy) -label y"],
            on: "devices: [{id: \(Self.bob), user: Me}, {id: \(Self.amy)}]")
        #expect(account.devices.map(\.user) == ["Me", nil])
        #expect(account.devices.map(\.label) == ["x", "y"])
    }

    static let soundURLs = [
        "https://shapes.approov.io:443", "https://a", "HTTPS://a.b", "https://a.b:65535/", "https://a.b/c?d#e",
    ]
    static let unsoundURLs = [
        "http://a.b", "a.b", "ftp://a.b", "https://", "https:a.b", "https://a.b:", "https://a.b:0", "https://a.b:65536",
        "https://a.b:x", "https://me@a.b", "https://a b", "https://ä.b", "httpss://a.b", "https://:443",
    ]

    @Test("R6.1 a probe URL has https", arguments: soundURLs) func soundURL(url: String) throws {
        let (account, _) = try CommandBench.carryOut(["device -add \(Self.bob) -probeURL \(url)"], on: "{}")
        #expect(account.devices.map(\.probeURL) == [url])
        #expect(
            try AccountText.account("devices: [{id: \(Self.bob), probe-url: '\(url)'}]").devices == [
                DeviceEntry(id: account.devices[0].id, probeURL: url)
            ])
    }

    @Test("R6.1 another probe URL is refused, in files and commands alike", arguments: unsoundURLs)
    func unsoundURL(url: String) throws {
        let message = "`\(url)` is not a probe URL; it has `https`, such as `https://shapes.approov.io:443`"
        let error = #expect(throws: CommandError.self) {
            try ManagementCommand("device -add \(Self.bob) -probeURL '\(url)'")
        }
        #expect(error?.description == message)
        let marked = MarkedText("devices: [{id: \(Self.bob), probe-url: ①'\(url)'}]\n")
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(account == nil)
        #expect(MarkedText.found(diagnostics) == marked.expected(["① \(message)"]))
    }
}
