import Testing

@testable import PolicyEngine
@testable import TestSupport

// Stories of phones are in Tests/Rules/R08, every short story of one iPhone in Walks. What only Apple sees is here.
@Suite("R8 DeviceCheck") struct DeviceCheckTests {
    @Test("R8.1 the key's name, team, bits and expiry are kept") func settingsAreKept() throws {
        var account = try Account.sample()
        #expect(account.deviceCheck == nil)
        account.addAuthKey("XXXXXXXXXX", teamID: "YYYYYYYYY", bits: .bit0, expiry: 3)
        #expect(
            account.deviceCheck
                == DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .bit0, expiry: 3))
        account.addAuthKey("ZZZZZZZZZZ", teamID: nil, bits: .both, expiry: 12)
        #expect(
            account.deviceCheck
                == DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "ZZZZZZZZZZ", bits: .both, expiry: 12))
        account.removeAuthKey()
        #expect(account.deviceCheck?.keyID == nil)
    }

    /// Apple's bits at the start and afterwards, in words such as `1 of 2020-07`.
    @Suite("R8.3–R8.6, R8.8 Apple's bits") struct Bits {
        // Bits and expiry, Apple's setting, the result of the first attestation of a device ID, and Apple's setting then.
        static let looks = Row.table(
            """
            bit0, 12 | nothing | not banned | nothing | and still has none afterwards
            bit0, 12 | 0 of 2020-07 | not banned | 0 of 2020-07
            bit0, 12 | 1 of 2020-07 | banned | 1 of 2020-07
            bit0, 12 | 2 of 2020-07 | not banned | 2 of 2020-07 | which is somebody else's
            bit0, 12 | 3 of 2020-07 | banned | 3 of 2020-07
            bit1, 12 | nothing | not banned | nothing
            bit1, 12 | 0 of 2020-07 | not banned | 0 of 2020-07
            bit1, 12 | 1 of 2020-07 | not banned | 1 of 2020-07 | which is somebody else's
            bit1, 12 | 2 of 2020-07 | banned | 2 of 2020-07
            bit1, 12 | 3 of 2020-07 | banned | 3 of 2020-07
            none, 12 | nothing | not banned | nothing | R8.8 and nothing is written
            none, 12 | 3 of 2020-07 | not banned | 3 of 2020-07 | R8.8 and nothing is read
            bit0, 12 | 1 of 2019-07 | banned | 1 of 2019-07 | 12 months back
            bit0, 12 | 1 of 2019-06 | not banned | 1 of 2019-06 | 13 months back
            bit1, 12 | 2 of 2019-07 | banned | 2 of 2019-07 | 12 months back
            bit1, 12 | 2 of 2019-06 | not banned | 2 of 2019-06 | 13 months back
            bit0, 1 | 1 of 2020-06 | banned | 1 of 2020-06
            bit0, 1 | 1 of 2020-05 | not banned | 1 of 2020-05
            bit0, 24 | 1 of 2018-07 | banned | 1 of 2018-07
            bit0, 24 | 1 of 2018-06 | not banned | 1 of 2018-06
            bit0, 12 | 1 of 1999-12 | not banned | 1 of 1999-12
            both, 12 | nothing | not banned | 0 of 2020-07 | R8.5 not found, write 0
            both, 12 | 0 of 2020-07 | not banned | 1 of 2020-07 | R8.5 found, write n + 1
            both, 12 | 1 of 2020-07 | not banned | 2 of 2020-07 | R8.5 found, write n + 1
            both, 12 | 2 of 2020-07 | banned | 3 of 2020-07 | R8.5 at 3 banned
            both, 12 | 3 of 2020-07 | banned | 3 of 2020-07 | R8.5 no more than 3
            both, 12 | 2 of 2019-07 | banned | 3 of 2020-07 | 12 months back
            both, 12 | 2 of 2019-06 | not banned | 0 of 2020-07 | 13 months back
            both, 12 | 3 of 2019-06 | not banned | 0 of 2020-07 | 13 months back
            """)

        @Test("R8.3–R8.5, R8.8 what a DeviceCheck finds and leaves", arguments: looks) func itLooks(_ row: Row) throws {
            let words = row.cells[0].split(separator: ", ").map(String.init)
            var phone = try Phone.iPhone(bits: Phone.value(words[0]), expiry: #require(Int(words[1])))
            try Self.set(row.cells[1], for: &phone)
            let outcome = try phone.attest()
            let ban = row.cells[2] == "banned" ? ["devicecheck-ban"] : []
            #expect(outcome.flags == ["new-did", "devicecheck-completed"] + ban)
            #expect(outcome.rejections == ban)
            #expect(try phone.state == ["devicecheck-completed"] + ban)
            #expect(phone.bits == row.cells[3])
        }

        // Bits, and Apple's setting when a device ID is banned or unbanned, after a ban, and after an unban. Twelve months
        // back it counts, thirteen months back it is not found (R8.3).
        static let changes = Row.table(
            """
            bit0 | nothing | 1 of 2020-07 | 0 of 2020-07
            bit0 | 0 of 2020-01 | 1 of 2020-07 | 0 of 2020-07
            bit0 | 1 of 2020-01 | 1 of 2020-07 | 0 of 2020-07
            bit0 | 2 of 2020-01 | 3 of 2020-07 | 2 of 2020-07
            bit0 | 3 of 2020-01 | 3 of 2020-07 | 2 of 2020-07
            bit1 | nothing | 2 of 2020-07 | 0 of 2020-07
            bit1 | 0 of 2020-01 | 2 of 2020-07 | 0 of 2020-07
            bit1 | 1 of 2020-01 | 3 of 2020-07 | 1 of 2020-07
            bit1 | 2 of 2020-01 | 2 of 2020-07 | 0 of 2020-07
            bit1 | 3 of 2020-01 | 3 of 2020-07 | 1 of 2020-07
            both | nothing | 3 of 2020-07 | 0 of 2020-07
            both | 1 of 2020-01 | 3 of 2020-07 | 0 of 2020-07
            both | 3 of 2020-01 | 3 of 2020-07 | 0 of 2020-07
            bit0 | 2 of 2019-07 | 3 of 2020-07 | 2 of 2020-07
            bit0 | 2 of 2019-06 | 1 of 2020-07 | 0 of 2020-07
            bit1 | 3 of 2019-06 | 2 of 2020-07 | 0 of 2020-07
            both | 2 of 2019-06 | 3 of 2020-07 | 0 of 2020-07
            none | nothing | nothing | nothing
            none | 3 of 2020-01 | 3 of 2020-01 | 3 of 2020-01
            """)

        @Test("R8.4, R8.5 a ban by entry changes Apple's bits, and those of others stay", arguments: changes)
        func entryBans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.ban)
            #expect(phone.bits == row.cells[1])
            #expect(try phone.attest().flags == ["did-ban", "devicecheck-completed"])
            #expect(phone.bits == row.cells[2])
            // R8.4: a ban that exists writes nothing again, so the month stays.
            phone.wait(seconds: 62 * Instant.secondsPerDay)
            #expect(try phone.attest().rejections == ["did-ban"])
            #expect(phone.bits == row.cells[2])
        }

        @Test("R8.4, R8.5 a ban by filter does so too", arguments: changes) func filterBans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
            #expect(try phone.attest().rejections == ["did-ban"])
            #expect(phone.bits == row.cells[2])
        }

        @Test("R8.6 an unban writes 0 or clears the bit", arguments: changes) func entryUnbans(_ row: Row) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.unban)
            #expect(try phone.attest().flags == ["did-unban", "devicecheck-completed"])
            #expect(phone.bits == row.cells[3])
        }

        @Test("R8.5 a check that does not complete counts nothing", arguments: DeviceCheckSettings.Bits.allCases)
        func answers(bits: DeviceCheckSettings.Bits) throws {
            for capability in [DeviceCheckCapability.unavailable, .invalid] {
                var phone = try Phone.iPhone(bits: bits, answering: capability)
                try phone.attest()
                #expect(phone.bits == "nothing")
            }
        }

        struct Row: LabelledRow {
            let label: String
            var cells: [String] { label.split(separator: " | ").map(String.init) }

            static func table(_ text: String) -> [Row] { text.split(separator: "\n").map { Row(label: String($0)) } }
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

    @Test("R8.3 bits are kept with the month of their change", arguments: UInt8(0)...3) func bitsAreKept(bits: UInt8) {
        var apple = DeviceCheckService()
        apple.update(PhysicalDevice(number: 1), team: "TEAM", bits: bits, in: july)
        let setting = apple.query(PhysicalDevice(number: 1), team: "TEAM")
        #expect(setting?.bits == bits)
        #expect(setting?.changed.description == "2020-07")
    }

    @Test("R8.3, R8.10 by device and by team") func devicesAndTeamsAreApart() {
        var apple = DeviceCheckService()
        for (number, team) in [(UInt32(1), "A"), (2, "A"), (1, "B")] {
            apple.update(PhysicalDevice(number: number), team: team, bits: team == "B" ? 3 : UInt8(number), in: july)
        }
        #expect(apple.query(PhysicalDevice(number: 1), team: "A")?.bits == 1)
        #expect(apple.query(PhysicalDevice(number: 2), team: "A")?.bits == 2)
        #expect(apple.query(PhysicalDevice(number: 1), team: "B")?.bits == 3)
        #expect(apple.query(PhysicalDevice(number: 2), team: "B") == nil)
    }

    @Test("R8.3 a change replaces bits and month, also when the bits are the same") func changesReplace() throws {
        var apple = DeviceCheckService()
        let device = PhysicalDevice(number: 1)
        let march = try #require(CalendarMonth("2018-03"))
        apple.update(device, team: "TEAM", bits: 2, in: march)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 2, changed: march))
        apple.update(device, team: "TEAM", bits: 2, in: july)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 2, changed: july))
        apple.update(device, team: "TEAM", bits: 0, in: july)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 0, changed: july))
    }

    @Test("R8.3 there are two bits, and no more") func twoBits() {
        #expect(DeviceCheckSetting(bits: 4, changed: july).bits == 3)
        #expect(DeviceCheckSetting(bits: 255, changed: july).bits == 3)
    }
}
