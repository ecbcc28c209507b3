import Analysis
import Testing

@testable import TestSupport

/// Changes that can turn no verdict, by the settings on which a verdict depends (R10).
@Suite struct IdleChangeTests {
    static let idle: [(before: String, after: String)] = [
        ("policy: default,strict,risk", "policy: default,strict,all"),
        ("policy: default,default,default", "reject-flags: {add: [rooted]}"),
        ("arc: on", "arc: off"),
        ("filters: [{name: a, key: ip, match: 1.2.3.4}]", "filters: []"),
        (
            "filters: [{name: a, key: ip, match: 1.2.3.4, capture-device-info: true}]",
            "filters: [{name: a, key: ip, match: 1.2.3.5, capture-device-info: true}]"
        ),
        ("devices: [{id: 'qZka0yfv+ExvOq3PRh6pGw==', label: phone}]", "devices: []"),
    ]

    @Test(arguments: idle) func turnNoVerdict(_ before: String, _ after: String) throws {
        let accounts = (try AccountText.account(before + "\n"), try AccountText.account(after + "\n"))
        #expect(IdleChange.isKnown(from: accounts.0, to: accounts.1))
    }

    static let turning: [(before: String, after: String)] = [
        ("policy: default,strict,risk", "policy: default,default,risk"),
        ("policy: default,default,default", "reject-flags: {add: [new-did]}"),
        ("sampling-percentage: 1", "sampling-percentage: 2"),
        ("account: a\nsampling-percentage: 1", "account: b\nsampling-percentage: 1"),
        ("filters: [{name: a, key: ip, match: 1.2.3.4, ban: true}]", "filters: []"),
        (
            "filters: [{name: a, key: ip, match: 1.2.3.4}, {name: b, conjunction: [a], reject: true}]",
            "filters: [{name: a, key: ip, match: 1.2.3.5}, {name: b, conjunction: [a], reject: true}]"
        ),
        ("devices: [{id: 'qZka0yfv+ExvOq3PRh6pGw==', ban-mode: ban}]", "devices: []"),
        ("devices: [{id: 'qZka0yfv+ExvOq3PRh6pGw==', policy: 'default,whitelist,default'}]", "devices: []"),
    ]

    @Test(arguments: turning) func mayTurnVerdicts(_ before: String, _ after: String) throws {
        let accounts = (try AccountText.account(before + "\n"), try AccountText.account(after + "\n"))
        #expect(!IdleChange.isKnown(from: accounts.0, to: accounts.1))
    }
}
