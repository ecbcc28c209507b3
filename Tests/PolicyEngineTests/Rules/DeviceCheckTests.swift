import Testing

@testable import PolicyEngine
@testable import TestSupport

// The sentences of the manual on DeviceCheck are in ManualDeviceCheckTests; every short story of one iPhone is in Walks.
// The steps and commands of scenarios are tested in DeviceCheckScenarioTests.
@Suite("R8 DeviceCheck") struct DeviceCheckTests {
    static let done = PhoneStory.table(
        """
        iPhone
        == R8.1 at the first attestation of a device ID
        keeps unset; attests new-did devicecheck-completed; keeps devicecheck-completed
        == R8.1 the result is persisted: it shows at every attestation
        attests new-did devicecheck-completed; attests devicecheck-completed; launch; attests devicecheck-completed
        keeps devicecheck-completed
        == R8.1 it is persisted by device ID: another one has a DeviceCheck of its own
        attests new-did devicecheck-completed; reinstall; keeps unset; attests new-did devicecheck-completed
        == R8.1 once completed it is done no more: neither an answer nor a bit that changes is seen
        attests new-did devicecheck-completed; answers invalid; launch; attests devicecheck-completed; reinstall keeping
        attests devicecheck-completed
        == R8.1 what has not completed is done again at the first attestation after a launch
        iPhone answering=unavailable
        attests new-did devicecheck-unavailable; answers available; attests devicecheck-unavailable; launch
        attests devicecheck-completed; keeps devicecheck-completed
        == R8.1 as often as it takes
        iPhone answering=invalid
        attests new-did devicecheck-failed!; launch; attests devicecheck-failed!; answers unavailable
        attests devicecheck-failed!; launch; attests devicecheck-unavailable; answers available; launch
        attests devicecheck-completed
        == R8.1 two launches before the attestation are as good as one
        iPhone answering=unavailable
        attests new-did devicecheck-unavailable; answers available; launch; launch; attests devicecheck-completed
        == R8.1 a running app waits for its next launch when the key is set later
        iPhone bits=absent
        attests new-did; devicecheck bit0; attests devicecheck-missing; attests devicecheck-missing; keeps; launch
        attests devicecheck-completed
        == R8.1 a device ID that is new has its first attestation after the key is set
        iPhone bits=absent
        devicecheck bit0; attests new-did devicecheck-completed
        == R8.1 without a key it is never done
        iPhone bits=absent
        attests new-did; launch; attests; reinstall; attests new-did; apple unset
        == R8 where the population does not say what the device can do it is not done
        iPhone answering=absent
        attests new-did devicecheck-missing; keeps; apple unset
        """)

    @Test("R8.1, R8.2 when it is done, and its result", arguments: done) func itIsDone(_ story: PhoneStory) throws {
        try story.play()
    }

    @Test("R8.2 each answer has its flag, whatever the bits", arguments: DeviceCheckSettings.Bits.allCases)
    func answersHaveFlags(bits: DeviceCheckSettings.Bits) throws {
        let flags: [DeviceCheckCapability: String] = [
            .available: "devicecheck-completed", .unavailable: "devicecheck-unavailable",
            .invalid: "devicecheck-failed",
        ]
        for capability in DeviceCheckCapability.allCases {
            var phone = try Phone.iPhone(bits: bits, answering: capability)
            let flag = try #require(flags[capability])
            let outcome = try phone.attest()
            #expect(outcome.flags == ["new-did", flag])
            #expect(outcome.rejections == (capability == .invalid ? [flag] : []))
            #expect(try phone.state == [flag])
            // Only a check that completed counts the install (R8.5).
            #expect(phone.bits == (capability == .available && bits == .both ? "0 of 2020-07" : nil))
        }
    }

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

    @Test("R8 it is of iOS alone", arguments: [OperatingSystem.android, .unknown])
    func otherSystemsHaveNone(system: OperatingSystem) throws {
        var phone = try Phone.iPhone(bits: .both)
        phone.device.evidence.system = system
        #expect(try phone.attest().flags == ["new-did"])
        #expect(phone.bits == nil)
    }

    @Suite("R8.3, R8.4, R8.8 Bits that carry bans") struct Bits {
        /// Apple's setting at the start, and the result of the first attestation of a device ID.
        struct Look: LabelledRow {
            let bits: DeviceCheckSettings.Bits
            var expiry = 12
            /// Nothing where Apple has none.
            var found: UInt8?
            var changed = "2020-07"
            let isBanned: Bool
            /// Apple's setting afterwards.
            let left: String?
            var why = ""

            var testDescription: String {
                let start = found.map { "\($0) of \(changed)" } ?? "nothing"
                return "\(bits), expiry \(expiry): Apple has \(start)\(why.isEmpty ? "" : ", ")\(why)"
            }
        }

        static let looks = [
            Look(bits: .bit0, found: nil, isBanned: false, left: nil, why: "and still has none afterwards"),
            Look(bits: .bit0, found: 0, isBanned: false, left: "0 of 2020-07"),
            Look(bits: .bit0, found: 1, isBanned: true, left: "1 of 2020-07"),
            Look(bits: .bit0, found: 2, isBanned: false, left: "2 of 2020-07", why: "which is somebody else's"),
            Look(bits: .bit0, found: 3, isBanned: true, left: "3 of 2020-07"),
            Look(bits: .bit1, found: nil, isBanned: false, left: nil),
            Look(bits: .bit1, found: 0, isBanned: false, left: "0 of 2020-07"),
            Look(bits: .bit1, found: 1, isBanned: false, left: "1 of 2020-07", why: "which is somebody else's"),
            Look(bits: .bit1, found: 2, isBanned: true, left: "2 of 2020-07"),
            Look(bits: .bit1, found: 3, isBanned: true, left: "3 of 2020-07"),
            Look(bits: .none, found: nil, isBanned: false, left: nil, why: "R8.8 and nothing is written"),
            Look(bits: .none, found: 3, isBanned: false, left: "3 of 2020-07", why: "R8.8 and nothing is read"),
            Look(
                bits: .bit0, found: 1, changed: "2019-07", isBanned: true, left: "1 of 2019-07", why: "12 months back"),
            Look(
                bits: .bit0, found: 1, changed: "2019-06", isBanned: false, left: "1 of 2019-06", why: "13 months back"),
            Look(
                bits: .bit1, found: 2, changed: "2019-07", isBanned: true, left: "2 of 2019-07", why: "12 months back"),
            Look(
                bits: .bit1, found: 2, changed: "2019-06", isBanned: false, left: "2 of 2019-06", why: "13 months back"),
            Look(bits: .bit0, expiry: 1, found: 1, changed: "2020-06", isBanned: true, left: "1 of 2020-06"),
            Look(bits: .bit0, expiry: 1, found: 1, changed: "2020-05", isBanned: false, left: "1 of 2020-05"),
            Look(bits: .bit0, expiry: 24, found: 1, changed: "2018-07", isBanned: true, left: "1 of 2018-07"),
            Look(bits: .bit0, expiry: 24, found: 1, changed: "2018-06", isBanned: false, left: "1 of 2018-06"),
            Look(bits: .bit0, found: 1, changed: "1999-12", isBanned: false, left: "1 of 1999-12"),
            // R8.5: the same for the counter.
            Look(bits: .both, found: nil, isBanned: false, left: "0 of 2020-07", why: "R8.5 not found, write 0"),
            Look(bits: .both, found: 0, isBanned: false, left: "1 of 2020-07", why: "R8.5 found, write n + 1"),
            Look(bits: .both, found: 1, isBanned: false, left: "2 of 2020-07", why: "R8.5 found, write n + 1"),
            Look(bits: .both, found: 2, isBanned: true, left: "3 of 2020-07", why: "R8.5 at 3 banned"),
            Look(bits: .both, found: 3, isBanned: true, left: "3 of 2020-07", why: "R8.5 no more than 3"),
            Look(
                bits: .both, found: 2, changed: "2019-07", isBanned: true, left: "3 of 2020-07", why: "12 months back"),
            Look(
                bits: .both, found: 2, changed: "2019-06", isBanned: false, left: "0 of 2020-07", why: "13 months back"),
            Look(
                bits: .both, found: 3, changed: "2019-06", isBanned: false, left: "0 of 2020-07", why: "13 months back"),
        ]

        @Test("R8.3–R8.5, R8.8 what a DeviceCheck finds and leaves", arguments: looks)
        func itLooks(_ row: Look) throws {
            var phone = try Phone.iPhone(bits: row.bits, expiry: row.expiry)
            try Self.set(row.found, row.changed, for: &phone)
            let outcome = try phone.attest()
            let ban = row.isBanned ? ["devicecheck-ban"] : []
            #expect(outcome.flags == ["new-did", "devicecheck-completed"] + ban)
            #expect(outcome.rejections == ban)
            #expect(try phone.state == ["devicecheck-completed"] + ban)
            #expect(phone.bits == row.left)
        }

        /// Apple's setting when a device ID is banned or unbanned, and afterwards.
        struct Change: LabelledRow {
            let bits: DeviceCheckSettings.Bits
            let found: UInt8?
            var changed = "2020-01"
            let banned: String?
            let unbanned: String?

            var testDescription: String { "\(bits), Apple has \(found.map(String.init) ?? "nothing") of \(changed)" }
        }

        static let changes = [
            Change(bits: .bit0, found: nil, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 0, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 1, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 2, banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit0, found: 3, banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit1, found: nil, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 0, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 1, banned: "3 of 2020-07", unbanned: "1 of 2020-07"),
            Change(bits: .bit1, found: 2, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 3, banned: "3 of 2020-07", unbanned: "1 of 2020-07"),
            Change(bits: .both, found: nil, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 1, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 3, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            // R8.3: twelve months back it counts, thirteen months back it is not found.
            Change(bits: .bit0, found: 2, changed: "2019-07", banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit0, found: 2, changed: "2019-06", banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 3, changed: "2019-06", banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 2, changed: "2019-06", banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .none, found: nil, banned: nil, unbanned: nil),
            Change(bits: .none, found: 3, banned: "3 of 2020-01", unbanned: "3 of 2020-01"),
        ]

        @Test("R8.4, R8.5 a ban by entry changes Apple's bits, and those of others stay", arguments: changes)
        func entryBans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.ban)
            #expect(phone.bits == row.found.map { "\($0) of \(row.changed)" })
            #expect(try phone.attest().flags == ["did-ban", "devicecheck-completed"])
            #expect(phone.bits == row.banned)
        }

        @Test("R8.4, R8.5 a ban by filter does so too", arguments: changes) func filterBans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
            #expect(try phone.attest().rejections == ["did-ban"])
            #expect(phone.bits == row.banned)
        }

        @Test("R8.6 an unban writes 0 or clears the bit", arguments: changes) func entryUnbans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.unban)
            #expect(try phone.attest().flags == ["did-unban", "devicecheck-completed"])
            #expect(phone.bits == row.unbanned)
        }

        // The bits are put there after the DeviceCheck, so that it does not see them.
        private static func completedPhone(_ row: Change) throws -> Phone {
            var phone = try Phone.iPhone(bits: row.bits)
            #expect(try phone.attest().passed)
            phone.platforms = PlatformServices()
            try set(row.found, row.changed, for: &phone)
            return phone
        }

        private static func set(_ bits: UInt8?, _ month: String, for phone: inout Phone) throws {
            guard let bits else { return }
            let month = try #require(CalendarMonth(month))
            phone.platforms.deviceCheck.update(
                phone.device.evidence.physical, team: Phone.team, bits: bits, in: month)
        }
    }

    @Suite("R8.10 Teams") struct Teams {
        /// Two accounts, each with an app on one iPhone.
        struct Pair: LabelledRow {
            let label: String
            var teams: [String?] = ["TEAM", "TEAM"]
            let bits: [DeviceCheckSettings.Bits]
            /// True if a device that the first account banned is banned under the second one, too.
            let isBanned: Bool
        }

        static let rows = [
            Pair(label: "one team, one bit", bits: [.bit0, .bit0], isBanned: true),
            Pair(label: "one team, different bits", bits: [.bit0, .bit1], isBanned: false),
            Pair(label: "one team, different bits the other way round", bits: [.bit1, .bit0], isBanned: false),
            Pair(label: "one team, bit 0 and a counter: 1 is counted on to 2", bits: [.bit0, .both], isBanned: false),
            Pair(label: "one team, bit 1 and a counter: 2 is counted on to 3", bits: [.bit1, .both], isBanned: true),
            Pair(label: "one team, a counter of 3 and bit 0", bits: [.both, .bit0], isBanned: true),
            Pair(label: "one team, a counter of 3 and bit 1", bits: [.both, .bit1], isBanned: true),
            Pair(label: "one team, without bits", bits: [.bit0, .none], isBanned: false),
            Pair(label: "two teams", teams: ["TEAM", "OTHER"], bits: [.bit0, .bit0], isBanned: false),
            Pair(label: "no team ID", teams: [nil, nil], bits: [.bit0, .bit0], isBanned: false),
            Pair(label: "the team ID of one", teams: ["TEAM", nil], bits: [.both, .both], isBanned: false),
        ]

        @Test("R8.10 accounts of one team see each other's bits", arguments: rows) func teamsShare(_ row: Pair) throws {
            var platforms = PlatformServices()
            var services = try (0..<2).map { number in
                var account = try Account.sample()
                account.name = "account-\(number)"
                account.addAuthKey("KEY", teamID: row.teams[number], bits: row.bits[number], expiry: 12)
                return SimulatedService(account)
            }
            var apps = [Sample.device, Sample.otherDevice].map { SimulatedDevice.iPhone($0) }
            try services[0].change { try $0.append($0.entry(banMode: .ban)) }
            #expect(try !services[0].attest(&apps[0], with: &platforms).passed)
            let outcome = try services[1].attest(&apps[1], with: &platforms)
            #expect(outcome.rejections == (row.isBanned ? ["devicecheck-ban"] : []))
        }

        @Test("R8.10 an unban by one account lifts the ban of the other, for new device IDs")
        func unbanIsShared() throws {
            var platforms = PlatformServices()
            var account = try Account.sample()
            account.addAuthKey("KEY", teamID: "TEAM", bits: .bit0, expiry: 12)
            var (first, second) = (SimulatedService(account), SimulatedService(account))
            var app = SimulatedDevice.iPhone()
            try first.change { try $0.append($0.entry(banMode: .ban)) }
            #expect(try first.attest(&app, with: &platforms).rejections == ["did-ban", "devicecheck-ban"])
            try second.change { try $0.append($0.entry(banMode: .unban)) }
            #expect(try second.attest(&app, with: &platforms).passed)
            try first.change { try $0.removeDevice(#require(DeviceID(Sample.device))) }
            // The ban that is persisted by device ID is the first account's own.
            app.launch(at: Sample.time)
            #expect(try first.attest(&app, with: &platforms).rejections == ["did-ban", "devicecheck-ban"])
            app.reinstall(as: Sample.otherDevice, at: Sample.time)
            #expect(try first.attest(&app, with: &platforms).passed)
        }

        @Test("R8.3 bits are those of one device") func devicesAreApart() throws {
            var phone = try Phone.iPhone(bits: .both)
            try phone.setEntry(.ban)
            #expect(try !phone.attest().passed)
            phone.device = .iPhone(Sample.otherDevice, hardware: 2)
            #expect(try phone.attest().passed)
            #expect(phone.bits == "0 of 2020-07")
        }
    }
}
