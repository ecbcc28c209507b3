import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where. Latency, tokens as they are sent, Apple's consoles and what commands print are left out.
//
// Apple DeviceCheck Integration
//   "proves that the token was generated on a real iOS hardware device"            provesHardware
//   "protection against any spoofing attempts"                                     provesHardware
//   "continual re-installation … running in a clean environment so would receive   cleanDeviceIsBanned
//    a valid Approov token. The integration allows a specific physical iOS device
//    to be banned"
//   "needs to be done on the first Approov token fetch after launching the app"    isDoneAfterLaunch
// DeviceCheck Concept
//   "device ID … automatically changes if an app is removed and then reinstalled   withoutItBansAreEvaded
//    … can always circumvent any banning via reinstallation"
//   "up to two bits to be recorded for each physical device for each Apple         twoBitsByDeviceAndTeam
//    developer account"
//   "get and update the status of the device physical bits and prevent banned      cleanDeviceIsBanned
//    devices"
//   "Commands are provided to easily ban and unban devices"                        Permanent Device Banning
//   "devicecheck-unavailable", "-completed", "-failed", "-ban"                      flags
// Setting the DeviceCheck Key, Removing the DeviceCheck Key: ManualDeviceCheckTests+Key.
// Permanent Device Banning: ManualDeviceCheckTests+Banning. Automatic Device Banning: ManualDeviceCheckTests+Counting.
@Suite("Manual: Apple DeviceCheck Integration") struct ManualDeviceCheckTests {
    @Test("Apple DeviceCheck Integration: a valid token proves hardware", arguments: DeviceCheckCapability.allCases)
    func provesHardware(capability: DeviceCheckCapability) throws {
        // Without bits it is that check alone; default lets a device pass that has none, strict does not.
        let passes: [String: [DeviceCheckCapability]] = [
            "default": [.available, .unavailable], "strict": [.available],
        ]
        for (policy, capabilities) in passes {
            var phone = try Phone.iPhone(
                bits: DeviceCheckSettings.Bits.none, policy: "default,\(policy),all", answering: capability)
            #expect(try phone.attest().passed == capabilities.contains(capability), "\(policy)")
        }
    }

    @Test("Apple DeviceCheck Integration: a clean device that was banned gets no valid token again")
    func cleanDeviceIsBanned() throws {
        var phone = try Phone.iPhone(bits: .bit0)
        for _ in 0..<3 {
            #expect(try phone.attest().passed)
            phone.reinstall()
        }
        #expect(try phone.attest().passed)
        try phone.setEntry(.ban)
        for _ in 0..<3 {
            #expect(try !phone.attest().passed)
            phone.reinstall()
            #expect(try phone.attest().rejections == ["devicecheck-ban"])
        }
    }

    // R8.1 decides: at the first attestation of a device ID, and after a launch only as long as it has not completed.
    @Test("Apple DeviceCheck Integration: on the first fetch after launching the app") func isDoneAfterLaunch() throws {
        var phone = try Phone.iPhone(bits: .bit0, answering: .unavailable)
        #expect(try phone.attest().flags.contains("devicecheck-unavailable"))
        phone.device.evidence.deviceCheck = .available
        #expect(try phone.attest().flags.contains("devicecheck-unavailable"))
        phone.launch()
        #expect(try phone.attest().flags.contains("devicecheck-completed"))
        phone.device.evidence.deviceCheck = .unavailable
        phone.launch()
        #expect(try phone.attest().flags.contains("devicecheck-completed"))
    }

    @Test("DeviceCheck Concept: without it a reinstallation circumvents any banning")
    func withoutItBansAreEvaded() throws {
        var phone = try Phone.iPhone(bits: nil)
        for _ in 0..<5 {
            try phone.setEntry(.ban)
            #expect(try phone.attest().rejections == ["did-ban"])
            phone.reinstall()
            #expect(try phone.attest().passed)
        }
    }

    @Test("DeviceCheck Concept: two bits for each device and developer") func twoBitsByDeviceAndTeam() throws {
        var phone = try Phone.iPhone(bits: .both)
        for _ in 0..<10 {
            try phone.attest()
            phone.reinstall()
        }
        #expect(phone.bits == "3 of 2020-07")
        let apple = phone.platforms.deviceCheck
        #expect(apple.query(PhysicalDevice(number: 2), team: Phone.team) == nil)
        #expect(apple.query(PhysicalDevice(number: 1), team: "another") == nil)
    }

    /// A state of a device, and the flag that the manual has for it.
    struct Flagged: LabelledRow {
        let label: String
        var capability = DeviceCheckCapability.available
        var isBanned = false
    }

    static let flagged = [
        Flagged(label: "devicecheck-unavailable", capability: .unavailable),
        Flagged(label: "devicecheck-completed"),
        Flagged(label: "devicecheck-failed", capability: .invalid),
        Flagged(label: "devicecheck-ban", isBanned: true),
    ]

    @Test("DeviceCheck Concept: the status is reflected in the flags", arguments: flagged)
    func flags(_ row: Flagged) throws {
        var phone = try Phone.iPhone(bits: .bit0, answering: row.capability)
        if row.isBanned {
            phone.platforms.deviceCheck.update(
                PhysicalDevice(number: 1), team: Phone.team, bits: 1, in: CalendarMonth(of: phone.now))
        }
        let completed = row.isBanned ? ["devicecheck-completed"] : []
        #expect(try phone.attest().flags == ["new-did"] + completed + [row.label])
        #expect(try phone.state == completed + [row.label])
    }

    // Which sentence is shown where. The making and downloading of a key, and the output of -get, are left out.
    //
    // Setting the DeviceCheck Key
    //   "query the Apple servers when new devices are added, and to update the       queriesAndUpdates
    //    settings of the bits if … banned (or subsequently unbanned)"
    //   "bit0 … read and update bit 0 … change this to bit1"                         theChosenBit
    //   "if you do not specify -bits … only used as an additional check"             withoutBits
    //   "If you have never used … default will be to allow"                          neverUsed
    //   "some bits may be set then this will cause banning of those devices"         bitsSetBefore
    //   "-expiry … ignore settings made more than a certain number of months ago"    bitsSetBefore
    //   "more recent than one month then you will not be able to use this"           leastExpiry
    // Removing the DeviceCheck Key
    //   "This will disable all lookups of DeviceCheck"                               removalDisablesLookups
    //   "Any ban will remain on a particular device ID, but … a new device ID …      banDoesNotFollow
    //    then the ban will not follow"
    //   "If … set again then the banning of the same devices will be reinstated"     banIsReinstated

    @Suite("Manual: Setting the DeviceCheck Key, Removing the DeviceCheck Key") struct Key {
        @Test("Setting the Key: Apple is asked for new devices, and gets bans and unbans")
        func queriesAndUpdates() throws {
            var phone = try Phone.iPhone(bits: .bit0)
            try phone.attest()
            try phone.attest()
            #expect(phone.bits == nil)
            try phone.setEntry(.ban)
            try phone.attest()
            #expect(phone.bits == "1 of 2020-07")
            try phone.wait(months: 1)
            try phone.setEntry(.unban)
            try phone.attest()
            #expect(phone.bits == "0 of 2020-08")
        }

        @Test("Setting the Key: bit0 or bit1 is read and updated", arguments: [DeviceCheckSettings.Bits.bit0, .bit1])
        func theChosenBit(bits: DeviceCheckSettings.Bits) throws {
            var phone = try Phone.iPhone(bits: bits)
            try phone.setEntry(.ban)
            try phone.attest()
            #expect(phone.bits == (bits == .bit0 ? "1 of 2020-07" : "2 of 2020-07"))
            phone.reinstall()
            #expect(try !phone.attest().passed)
        }

        @Test("Setting the Key: without bits it only shows that the device is real") func withoutBits() throws {
            #expect(DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX").bits == .none)
            var phone = try Phone.iPhone(bits: DeviceCheckSettings.Bits.none)
            phone.platforms.deviceCheck.update(
                PhysicalDevice(number: 1), team: Phone.team, bits: 3, in: CalendarMonth(of: phone.now))
            #expect(try phone.attest().flags == ["new-did", "devicecheck-completed"])
            phone.device = .iPhone(Sample.otherDevice, hardware: 2, answering: .invalid)
            #expect(try phone.attest().rejections == ["devicecheck-failed"])
        }

        @Test(
            "Setting the Key: bits that were never used let a device pass", arguments: DeviceCheckSettings.Bits.allCases
        )
        func neverUsed(bits: DeviceCheckSettings.Bits) throws {
            var phone = try Phone.iPhone(bits: bits)
            #expect(try phone.attest().passed)
        }

        @Test("Setting the Key: bits set before ban, unless they are older than the expiry", arguments: 1...36)
        func bitsSetBefore(months: Int) throws {
            for expiry in [1, 6, 12, 24] {
                var phone = try Phone.iPhone(bits: .bit0, expiry: expiry)
                let month = try #require(CalendarMonth("2020-07"))
                phone.platforms.deviceCheck.update(PhysicalDevice(number: 1), team: Phone.team, bits: 1, in: month)
                try phone.wait(months: months)
                #expect(try phone.attest().passed == (months > expiry), "expiry \(expiry)")
            }
        }

        // Apple gives whole months, so the least expiry, one month, ignores what lies two months back (R8.3).
        @Test("Setting the Key: what is more recent than a month cannot be ignored") func leastExpiry() throws {
            #expect(AccountLimits.deviceCheckExpiry.lowerBound == 1)
            for (months, passes) in [(0, false), (1, false), (2, true)] {
                var phone = try Phone.iPhone(bits: .bit0, expiry: 1)
                phone.platforms.deviceCheck.update(
                    PhysicalDevice(number: 1), team: Phone.team, bits: 1, in: CalendarMonth(of: phone.now))
                try phone.wait(months: months)
                #expect(try phone.attest().passed == passes, "\(months) months")
            }
        }

        @Test("Removing the Key: no device is looked up", arguments: DeviceCheckSettings.Bits.allCases)
        func removalDisablesLookups(bits: DeviceCheckSettings.Bits) throws {
            var phone = try Phone.iPhone(bits: bits)
            phone.platforms.deviceCheck.update(
                PhysicalDevice(number: 1), team: Phone.team, bits: 3, in: CalendarMonth(of: phone.now))
            phone.setDeviceCheck(nil)
            for _ in 0..<3 {
                #expect(try phone.attest().flags == ["new-did"])
                phone.launch()
                #expect(try phone.attest().flags == [])
                phone.reinstall()
            }
            #expect(phone.bits == "3 of 2020-07")
        }

        @Test("Removing the Key: a ban stays on its device ID and does not follow") func banDoesNotFollow() throws {
            var phone = try Phone.iPhone(bits: .bit0)
            try phone.setEntry(.ban)
            #expect(try phone.attest().rejections == ["did-ban", "devicecheck-ban"])
            phone.reinstall()
            #expect(try phone.attest().rejections == ["devicecheck-ban"])
            phone.setDeviceCheck(nil)
            #expect(try phone.attest().rejections == ["devicecheck-ban"])
            phone.launch()
            #expect(try phone.attest().rejections == ["devicecheck-ban"])
            phone.reinstall()
            #expect(try phone.attest().passed)
        }

        // R8.1 decides when: an app that runs waits for its next launch.
        @Test("Removing the Key: set again, the same devices are banned again") func banIsReinstated() throws {
            var phone = try Phone.iPhone(bits: .bit0)
            try phone.setEntry(.ban)
            try phone.attest()
            phone.setDeviceCheck(nil)
            phone.reinstall()
            #expect(try phone.attest().passed)
            phone.setDeviceCheck(.bit0)
            #expect(try phone.attest().passed)
            phone.launch()
            #expect(try phone.attest().rejections == ["devicecheck-ban"])
        }
    }
}
