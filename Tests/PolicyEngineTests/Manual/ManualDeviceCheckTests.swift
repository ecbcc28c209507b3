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
}
