import Testing

@testable import PolicyEngine
@testable import TestSupport

// Stories of phones, and what a DeviceCheck finds, are in Tests/Rules/R08, every short story of one iPhone in Walks. What only
// Apple sees is here.
@Suite("R8 DeviceCheck") struct DeviceCheckTests {
    /// Apple's bits at the start and afterwards, in words such as `1 of 2020-07`.
    @Suite("R8.4–R8.6, R8.8 Apple's bits") struct Bits {
        // Bits, and Apple's setting when a device ID is banned or unbanned, after a ban, and after an unban. Twelve months
        // back it counts, thirteen months back it is not found (R8.3).
        static let changes = TableRows.of("R8.4–R8.6 Apple's bits").rows(19).map { Row(label: $0) }

        @Test("R8.4, R8.5 a ban by entry changes Apple's bits, and those of others stay", arguments: changes)
        func entryBans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.ban)
            expect(phone.bits, equals: row.cells[1])
            try expect(phone.attest().flags, equals: ["did-ban", "devicecheck-completed"])
            expect(phone.bits, equals: row.cells[2])
            // R8.4: a ban that exists writes nothing again, so the month stays.
            phone.wait(seconds: 62 * Instant.secondsPerDay)
            try expect(phone.attest().rejections, equals: ["did-ban"])
            expect(phone.bits, equals: row.cells[2])
        }

        @Test("R8.4, R8.5 a ban by filter does so too", arguments: changes) func filterBans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
            try expect(phone.attest().rejections, equals: ["did-ban"])
            expect(phone.bits, equals: row.cells[2])
        }

        @Test("R8.6 an unban writes 0 or clears the bit", arguments: changes) func entryUnbans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.unban)
            try expect(phone.attest().flags, equals: ["did-unban", "devicecheck-completed"])
            expect(phone.bits, equals: row.cells[3])
        }

        @Test("R8.5 a check that does not complete counts nothing", arguments: DeviceCheckSettings.Bits.allCases)
        func answers(bits: DeviceCheckSettings.Bits) throws {
            for capability in [DeviceCheckCapability.unavailable, .invalid] {
                var phone = try Phone.iPhone(bits: bits, answering: capability)
                try phone.attest()
                expect(phone.bits, equals: "nothing")
            }
        }

        struct Row: LabelledRow {
            let label: String
            var cells: [String] { label.split(separator: " | ").map(String.init) }
        }

        // The bits are put there after the DeviceCheck, so that it does not see them.
        private static func completedPhone(_ row: Row) throws -> Phone {
            var phone = try Phone.iPhone(bits: Phone.value(row.cells[0]))
            #expect(try phone.attest().passed)
            phone.platforms = PlatformServices()
            try set(row.cells[1], for: &phone)
            return phone
        }

        private static func set(_ setting: String, for phone: inout Phone) throws {
            let words = setting.split(separator: " of ")
            guard words.count == 2 else { return }
            phone.platforms.deviceCheck.update(
                phone.device.evidence.physical, team: Phone.team, bits: try #require(UInt8(words[0])),
                in: try #require(CalendarMonth(String(words[1]))))
        }
    }
}

@Suite("R8.3 Apple's side of DeviceCheck") struct DeviceCheckServiceTests {
    private let july = CalendarMonth(of: Sample.time)

    @Test("R8.3 a device that was never set is not found") func notFound() {
        let apple = DeviceCheckService()
        #expect(apple.query(PhysicalDevice(number: 1), team: "TEAM") == nil)
    }

    @Test("R8.3 there are two bits, and no more") func twoBits() {
        expect(DeviceCheckSetting(bits: 4, changed: july).bits, equals: 3)
        expect(DeviceCheckSetting(bits: 255, changed: july).bits, equals: 3)
    }
}
