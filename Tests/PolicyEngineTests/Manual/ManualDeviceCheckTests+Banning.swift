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
