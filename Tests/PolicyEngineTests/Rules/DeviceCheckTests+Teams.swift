import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceCheckTests {
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
