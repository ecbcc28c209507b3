import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R21.5 Apps in development") struct DevelopmentTests {
    struct Row: LabelledRow {
        let label: String
        /// The key that the account has, and the one that the app gives.
        let known, said: String?
        let isDevelopment: Bool
    }

    static let rows = [
        Row(label: "the account's key", known: "caf\u{E9}", said: "caf\u{E9}", isDevelopment: true),
        Row(label: "another key", known: "key", said: "other", isDevelopment: false),
        Row(label: "the same letters in other bytes", known: "caf\u{E9}", said: "cafe\u{301}", isDevelopment: false),
        Row(label: "no key in the account", known: nil, said: "key", isDevelopment: false),
        Row(label: "no key in the app", known: "key", said: nil, isDevelopment: false),
        Row(label: "no key at all", known: nil, said: nil, isDevelopment: false),
    ]

    @Test("R21.5 emulators, simulators and missing registrations are overlooked, and nothing else", arguments: rows)
    func overlooked(_ row: Row) throws {
        var account = try Account.sample()
        account.developmentKey = row.known
        account.listRegistrations()
        var (service, platforms) = (SimulatedService(account), PlatformServices())
        var device = SimulatedDevice.android()
        device.flags = ["emulator", "ios-simulator", "rooted"]
        device.evidence.developmentKey = row.said
        let flags = Set(try service.attest(&device, with: &platforms).flags)
        #expect(flags.contains("rooted"))
        let overlooked: Set = ["emulator", "ios-simulator", "app-not-registered"]
        #expect(flags.intersection(overlooked) == (row.isDevelopment ? [] : overlooked))
    }
}
