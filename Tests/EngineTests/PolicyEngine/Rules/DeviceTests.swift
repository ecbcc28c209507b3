import Testing

@testable import PolicyEngine
@testable import TestSupport

// Bans, entries and device state are shown by scenarios in Tests/Rules/R06, R6.2 (`latest`) with the commands, what a pin mode
// does (R6.6) with the clients.
@Suite("R6 Devices") struct DeviceTests {
    struct Adding: LabelledRow {
        let label: String
        let change: @Sendable (inout DeviceEntry, Account) throws -> Void
    }

    static let addings = [
        Adding(label: "nothing") { _, _ in },
        Adding(label: "policy") { $0.policy = try $1.securityPolicy("default,blacklist,default") },
        Adding(label: "label") { entry, _ in entry.label = "x" },
        Adding(label: "user") { entry, _ in entry.user = "Me" },
        Adding(label: "pin mode") { entry, _ in entry.pinMode = .block },
        Adding(label: "ban mode") { entry, _ in entry.banMode = .unban },
        Adding(label: "probe URL") { entry, _ in entry.probeURL = "https://b" },
    ]

    @Test("R6.1 adding an existing entry again changes only the options given", arguments: addings)
    func addingAgainChangesWhatIsGiven(_ row: Adding) throws {
        var account = try Account.sample()
        var entry = try account.entry(Sample.device, "default,whitelist,all", banMode: .ban)
        (entry.label, entry.user, entry.pinMode) = ("bobs-iPhone7", "A N Other", .unpin)
        entry.probeURL = "https://a"
        try account.set(entry)
        try account.set(account.entry(Sample.otherDevice))
        var change = try account.entry()
        try row.change(&change, account)
        try account.set(change)
        try row.change(&entry, account)
        expect(account.devices.map(\.id.description), equals: [Sample.device, Sample.otherDevice])
        expect(account.devices.first, equals: entry)
    }

    @Test("R6.6 pin modes, of which pin is the default", arguments: [PinMode?.none] + PinMode.allCases)
    func pinModes(mode: PinMode?) throws {
        let account = try Account.sample().changed { $0.propagation = 30 }
        var service = Service(account)
        var entry = try account.entry()
        entry.pinMode = mode
        service.change(to: try account.changed { try $0.append(entry) })
        service.change(to: account, at: Sample.time(after: 60))
        try expect(service.pinMode(at: Sample.time), equals: .pin)
        try expect(service.pinMode(at: Sample.time(after: 29)), equals: .pin)
        try expect(service.pinMode(at: Sample.time(after: 30)), equals: mode ?? .pin)
        try expect(service.pinMode(of: Sample.otherDevice, at: Sample.time(after: 30)), equals: .pin)
        try expect(service.pinMode(at: Sample.time(after: 89)), equals: mode ?? .pin)
        try expect(service.pinMode(at: Sample.time(after: 90)), equals: .pin)
    }

    @Test("R6.6 asking for a pin mode does not make a device known") func pinModeMakesNobodyKnown() throws {
        var account = try Account.sample()
        try account.append(account.entry(banMode: .ban))
        var service = Service(account)
        try expect(service.pinMode(at: Sample.time), equals: .pin)
        #expect(try service.state() == nil)
        try expect(service.attest().flags, equals: ["did-ban", "new-did"])
    }

    @Test("R6 copies of an engine remember devices apart") func copiesAreApart() throws {
        var service = Service(try .sample())
        let copy = service
        _ = try service.attest()
        var other = copy
        try expect(other.attest().flags, equals: ["new-did"])
        try expect(service.attest().flags, equals: [])
    }

    @Test("R6.4 banned devices are counted without those unbanned") func unbannedDoNotCount() throws {
        var account = try Account.sample()
        for number in 0..<4 { try account.append(account.entry(Sample.device(number), banMode: .ban)) }
        var service = Service(account)
        for number in 0..<4 { _ = try service.attest(by: Sample.device(number)) }
        expect(service.engine.bannedDeviceCount, equals: 4)
        service.change(to: try account.changed { try $0.set($0.entry(Sample.device(2), banMode: .unban)) })
        expect(service.engine.bannedDeviceCount, equals: 4)
        _ = try service.attest(by: Sample.device(2))
        expect(service.engine.bannedDeviceCount, equals: 3)
    }

    @Test("R2.4 what a simulated device observes of itself does not persist", arguments: FlagFacts.names)
    func observedDoesNotPersist(flag: String) throws {
        var phone = try Phone.iPhone(bits: nil)
        phone.device.flags = [flag]
        try phone.attest()
        phone.device.flags = []
        try expect(phone.attest().flags, equals: [])
        try expect(phone.state, equals: [])
    }
}
