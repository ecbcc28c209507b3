import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where.
//
//   "enabled if both bits are made available when setting the DeviceCheck key"   onlyWithBothBits
//   "a counter of the number of times an app has been removed and reinstalled"   countsReinstalls
//   "when this reaches the maximum value of 3 … automatically banned"            countsReinstalls
//   "uninstall and reinstall the app at least three times before … a ban"        countsReinstalls
//   "Once banned … no longer be able to use the device"                          bannedStaysBanned
//   "do not advise … if the bits have ever been previously used … more           otherUsesOfTheBits
//    recently than the value of -expiry"
//   "never … if sharing a single Apple developer account across multiple         otherAccountsCount
//    Approov accounts"
//   "or if you have multiple different iOS apps"                                 otherAppsCount
//   "the only way to unban it is via the manual Removing Device Ban method"      bannedStaysBanned, expiryEndsIt
extension ManualDeviceCheckTests {
    @Suite("Manual: Automatic Device Banning") struct Counting {
        @Test("Automatic Device Banning: only with both bits", arguments: DeviceCheckSettings.Bits.allCases)
        func onlyWithBothBits(bits: DeviceCheckSettings.Bits) throws {
            var phone = try Phone.iPhone(bits: bits)
            for _ in 0..<10 {
                try phone.attest()
                phone.reinstall()
            }
            #expect(try phone.attest().passed == (bits != .both))
        }

        @Test("Automatic Device Banning: the count of reinstallations, and a ban at 3") func countsReinstalls() throws {
            var phone = try Phone.iPhone(bits: .both)
            var passed: [Bool] = []
            for reinstalls in 0..<6 {
                passed.append(try phone.attest().passed)
                #expect(phone.bits == "\(min(reinstalls, 3)) of 2020-07")
                phone.reinstall()
            }
            #expect(passed == [true, true, true, false, false, false])
        }

        @Test("Automatic Device Banning: once banned only an unban helps") func bannedStaysBanned() throws {
            var phone = try Phone.iPhone(bits: .both)
            for _ in 0..<3 {
                try phone.attest()
                phone.reinstall()
            }
            #expect(try !phone.attest().passed)
            phone.launch()
            #expect(try !phone.attest().passed)
            phone.reinstall()
            #expect(try !phone.attest().passed)
            phone.setDeviceCheck(nil)
            phone.setDeviceCheck(.both)
            #expect(try !phone.attest().passed)
            phone.clearDeviceState()
            #expect(try !phone.attest().passed)
            phone.setDeviceCheck(.bit0)
            phone.reinstall()
            #expect(try !phone.attest().passed)
            phone.setDeviceCheck(.both)
            try phone.setEntry(.unban)
            #expect(try phone.attest().passed)
            phone.reinstall()
            #expect(try phone.attest().passed)
        }

        // R8.3 decides: a count that is older than the expiry is not found, a ban that was counted included.
        @Test("Automatic Device Banning: the expiry ends a ban for new device IDs") func expiryEndsIt() throws {
            var phone = try Phone.iPhone(bits: .both)
            for _ in 0..<3 {
                try phone.attest()
                phone.reinstall()
            }
            #expect(try !phone.attest().passed)
            try phone.wait(months: 12)
            #expect(try !phone.attest().passed)
            try phone.wait(months: 1)
            // It stays on the device ID that has it.
            #expect(try !phone.attest().passed)
            phone.reinstall()
            #expect(try phone.attest().passed)
        }

        @Test(
            "Automatic Device Banning: bits of other uses count, unless they are older than the expiry",
            arguments: UInt8(0)...3)
        func otherUsesOfTheBits(bits: UInt8) throws {
            for (month, count) in [("2019-07", min(bits + 1, 3)), ("2019-06", 0)] {
                var phone = try Phone.iPhone(bits: .both, expiry: 12)
                let changed = try #require(CalendarMonth(month))
                phone.platforms.deviceCheck.update(PhysicalDevice(number: 1), team: Phone.team, bits: bits, in: changed)
                #expect(try phone.attest().passed == (count < 3))
                #expect(phone.bits == "\(count) of 2020-07")
            }
        }

        @Test("Automatic Device Banning: installs under other accounts of the developer count too")
        func otherAccountsCount() throws {
            var account = try Account.sample()
            account.addAuthKey("KEY", teamID: "TEAM", bits: .both, expiry: 12)
            var platforms = PlatformServices()
            var passed: [Bool] = []
            for number in 0..<4 {
                var service = SimulatedService(account.changed { $0.name = "account-\(number)" })
                var app = SimulatedDevice.iPhone(Sample.device(number))
                passed.append(try service.attest(&app, with: &platforms).passed)
            }
            #expect(passed == [true, true, true, false])
        }

        @Test("Automatic Device Banning: each of several apps on a device counts") func otherAppsCount() throws {
            var account = try Account.sample()
            account.addAuthKey("KEY", teamID: "TEAM", bits: .both, expiry: 12)
            var service = SimulatedService(account)
            var platforms = PlatformServices()
            var passed: [Bool] = []
            for number in 0..<4 {
                var app = SimulatedDevice.iPhone(Sample.device(number))
                app.attributes = ["appid": "app-\(number)"]
                passed.append(try service.attest(&app, with: &platforms).passed)
            }
            #expect(passed == [true, true, true, false])
        }
    }
}
