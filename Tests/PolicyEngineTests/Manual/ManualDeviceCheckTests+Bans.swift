import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where.
//
//   "reinstallation … may generate a new device ID and evade the ban. If you     banIsPermanent
//    are using DeviceCheck then a permanent ban … can be instigated"
//   "Whenever you ban a device ID … permanent ban of the physical device         banIsPermanent
//    (unless the bit availability has been set to none)"
//   "all Annotation Policy … devicecheck-ban listed as a rejection reason"       tellsWhy
//   "Unbanning whatever device ID the physical device is using will also         unbanOfAnyID
//    remove the permanent ban"
//   "across all apps associated with the same Apple developer account, even      acrossAppsAndAccounts
//    if these apps are associated with different Approov accounts"
//   "select different bits on different accounts to avoid such interference"     differentBits
extension ManualDeviceCheckTests {
    @Suite("Manual: Permanent Device Banning") struct Banning {
        @Test("Permanent Device Banning: unless the bits are none", arguments: DeviceCheckSettings.Bits.allCases)
        func banIsPermanent(bits: DeviceCheckSettings.Bits) throws {
            for byFilter in [true, false] {
                var phone = try Phone.iPhone(bits: bits)
                try phone.attest()
                if byFilter {
                    try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
                } else {
                    try phone.setEntry(.ban)
                }
                #expect(try phone.attest().rejections == ["did-ban"])
                if byFilter { try phone.change { try $0.removeFilter(named: "ban-all") } }
                for _ in 0..<3 {
                    phone.reinstall()
                    #expect(try phone.attest().rejections == (bits == .none ? [] : ["devicecheck-ban"]))
                }
            }
        }

        @Test("Permanent Device Banning: with the all annotation policy devicecheck-ban is listed")
        func tellsWhy() throws {
            var phone = try Phone.iPhone(bits: .bit0, policy: "default,default,all")
            try phone.setEntry(.ban)
            try phone.attest()
            phone.reinstall()
            #expect(try phone.attest().annotations == ["devicecheck-ban", "devicecheck-completed", "new-did"])
        }

        @Test("Permanent Device Banning: an unban of whatever ID it is using", arguments: 0...3)
        func unbanOfAnyID(reinstalls: Int) throws {
            for bits in [DeviceCheckSettings.Bits.bit0, .bit1, .both] {
                var phone = try Phone.iPhone(bits: bits)
                try phone.setEntry(.ban)
                try phone.attest()
                for _ in 0..<reinstalls {
                    phone.reinstall()
                    #expect(try !phone.attest().passed)
                }
                try phone.setEntry(.unban)
                #expect(try phone.attest().passed, "\(bits)")
                phone.reinstall()
                #expect(try phone.attest().passed, "\(bits)")
            }
        }

        @Test("Permanent Device Banning: across all apps and accounts of one developer")
        func acrossAppsAndAccounts() throws {
            var account = try Account.sample()
            account.addAuthKey("KEY", teamID: "TEAM", bits: .bit0, expiry: 12)
            var services = ["one", "two"].map { name in SimulatedService(account.changed { $0.name = name }) }
            var platforms = PlatformServices()
            // Three apps on one phone; the first two are of the first account.
            var apps = (0..<3).map { SimulatedDevice.iPhone(Sample.device($0)) }
            try services[0].change { try $0.append($0.entry(Sample.device(0), banMode: .ban)) }
            #expect(try services[0].attest(&apps[0], with: &platforms).rejections == ["did-ban", "devicecheck-ban"])
            #expect(try services[0].attest(&apps[1], with: &platforms).rejections == ["devicecheck-ban"])
            #expect(try services[1].attest(&apps[2], with: &platforms).rejections == ["devicecheck-ban"])
        }

        @Test("Permanent Device Banning: different bits on different accounts do not interfere")
        func differentBits() throws {
            var services = try [("one", DeviceCheckSettings.Bits.bit0), ("two", .bit1)].map { name, bits in
                var account = try Account.sample()
                account.name = name
                account.addAuthKey("KEY", teamID: "TEAM", bits: bits, expiry: 12)
                return SimulatedService(account)
            }
            var platforms = PlatformServices()
            var installs = 0
            // Each account bans and unbans its app in turn; the other one's app stays as it was.
            for (banning, other) in [(0, 1), (1, 0), (0, 1)] {
                for mode in [BanMode.ban, .unban] {
                    installs += 2
                    var app = SimulatedDevice.iPhone(Sample.device(installs))
                    try services[banning].change { try $0.set($0.entry(Sample.device(installs), banMode: mode)) }
                    #expect(try services[banning].attest(&app, with: &platforms).passed == (mode == .unban))
                    var freshApp = SimulatedDevice.iPhone(Sample.device(installs + 1))
                    #expect(try services[other].attest(&freshApp, with: &platforms).passed)
                }
            }
        }
    }
}

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
