import Testing

@testable import PolicyEngine
@testable import TestSupport

// R6.2 (`latest`) is shown with the commands, what a pin mode does (R6.6) with the clients.
@Suite("R6 Devices") struct DeviceTests {
    struct Following: LabelledRow {
        let label: String
        let own: String?
        let before: String
        let after: String
    }

    static let followings = [
        Following(
            label: "without a policy it follows the account's", own: nil, before: "default,strict,risk",
            after: "default,allow-root,default"),
        Following(
            label: "with one it keeps its own", own: "default,whitelist,all", before: "default,whitelist,all",
            after: "default,whitelist,all"),
        Following(
            label: "the account's own as a copy stays", own: "default,strict,risk", before: "default,strict,risk",
            after: "default,strict,risk"),
    ]

    @Test("R6.1 an entry without a policy follows the account's", arguments: followings)
    func entryFollows(_ row: Following) throws {
        var account = try Account.sample("default,strict,risk")
        try account.append(account.entry(Sample.device, row.own, banMode: .unban))
        var service = Service(account)
        #expect(try service.attest().policy == row.before)
        service.change(to: try account.changed { $0.policy = try $0.securityPolicy("default,allow-root,default") })
        #expect(try service.attest().policy == row.after)
    }

    @Test("R6.1 a custom policy is followed too") func entryFollowsCustom() throws {
        var account = try Account.sample()
        try account.append(account.entry())
        account.policy.rejection.addRejectFlag(try account.flag("automated"))
        var service = Service(account)
        #expect(try service.attest(["automated"]).rejections == ["automated"])
    }

    @Test("R6.1 a policy of its own stays with its device") func policyStaysWithItsDevice() throws {
        var account = try Account.sample()
        try account.append(account.entry(Sample.device, "default,whitelist,all"))
        try account.append(account.entry(Sample.otherDevice, "default,blacklist,default"))
        var service = Service(account)
        #expect(try service.attest(["rooted"]).passed)
        #expect(try service.attest(by: Sample.otherDevice).rejections == ["policy:blacklist"])
        #expect(try service.attest(["rooted"], by: Sample.odd).rejections == ["rooted"])
        service.change(to: try account.changed { try $0.removeDevice(#require(DeviceID(Sample.device))) })
        #expect(try service.attest(["rooted"]).policy == "default,default,default")
        #expect(try service.attest(by: Sample.otherDevice).rejections == ["policy:blacklist"])
    }

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
        #expect(account.devices.map(\.id.description) == [Sample.device, Sample.otherDevice])
        #expect(account.devices.first == entry)
    }

    @Test("R6.1 the 26th entry is an error, the pseudo entry counts", arguments: [true, false])
    func entriesAreLimited(hasFilteredPolicy: Bool) throws {
        var account = try Account.sample()
        if hasFilteredPolicy { try account.append(account.entry(Sample.filteredPolicy, "alt-rules,default,default")) }
        while account.devices.count < 25 { try account.append(account.entry(Sample.device(account.devices.count))) }
        let extra = try account.entry(Sample.device)
        #expect(throws: DeviceError.limitReached(extra.id)) { try account.append(extra) }
        #expect(throws: DeviceError.limitReached(extra.id)) { try account.set(extra) }
        let pseudo = try account.entry(Sample.filteredPolicy, "alt-rules,default,default")
        if !hasFilteredPolicy { #expect(throws: DeviceError.limitReached(pseudo.id)) { try account.set(pseudo) } }
        // One that is there can still be changed, and one removed makes room.
        try account.set(account.entry(Sample.device(24), banMode: .ban))
        try account.removeDevice(#require(DeviceID(Sample.device(24))))
        try account.append(extra)
        #expect(account.devices.count == 25)
        #expect(DeviceError.limitReached(extra.id).description.contains("25"))
        #expect(DeviceError.limitReached(extra.id).description.contains(Sample.device))
    }

    @Test("R7.1 a device twice in one list is an error") func deviceTwice() throws {
        var account = try Account.sample()
        try account.append(account.entry())
        let twin = try account.entry(Sample.device, "default,whitelist,all")
        #expect(throws: DeviceError.duplicate(twin.id)) { try account.append(twin) }
        #expect(account.devices.first?.policy == nil)
    }

    @Test("R6.1 removing an entry that is not there is an error") func removingNothing() throws {
        var account = try Account.sample()
        let id = try #require(DeviceID(Sample.device))
        #expect(throws: DeviceError.unknown(id)) { try account.removeDevice(id) }
    }

    @Test("R6.5 device state is listed in catalogue order") func stateIsListed() throws {
        var account = try Account.sample()
        try account.append(account.entry(banMode: .ban))
        var service = Service(account)
        _ = try service.attest()
        service.change(to: try account.changed { try $0.set($0.entry(banMode: .unban)) })
        _ = try service.attest()
        #expect(try service.state() == ["did-ban", "did-unban"])
    }

    // The words `device state has not been set` are those of the command.
    @Test("R6.5 a device never seen has no state, one seen without flags has an empty one") func stateOfUnseen() throws
    {
        var service = Service(try .sample())
        #expect(try service.state() == nil)
        _ = try service.attest(["rooted"], by: Sample.otherDevice)
        #expect(try service.state() == nil)
        #expect(try service.state(of: Sample.otherDevice) == [])
    }

    // That billing and counts of unique devices stay is shown with the metrics.
    @Test("R6.5 clearing forgets every device") func clearingForgets() throws {
        var account = try Account.sample()
        try account.append(account.entry(banMode: .ban))
        var service = Service(account)
        for device in [Sample.device, Sample.otherDevice] { _ = try service.attest(by: device) }
        #expect(service.engine.bannedDeviceCount == 1)
        service.change(to: try account.changed { try $0.removeDevice(#require(DeviceID(Sample.device))) })
        service.clearDeviceState()
        #expect(service.engine.bannedDeviceCount == 0)
        #expect(try service.state() == nil)
        #expect(try service.state(of: Sample.otherDevice) == nil)
        #expect(try service.attest().flags == ["new-did"])
        #expect(try service.attest(by: Sample.otherDevice).flags == ["new-did"])
    }

    @Test("R6.5 clearing leaves what the account says of a device") func clearingLeavesTheAccount() throws {
        var account = try Account.sample()
        try account.append(account.entry(Sample.device, "default,whitelist,all"))
        var service = Service(account)
        _ = try service.attest()
        service.clearDeviceState()
        #expect(try service.attest().policy == "default,whitelist,all")
    }

    @Test("R6.6 pin modes, of which pin is the default", arguments: [PinMode?.none] + PinMode.allCases)
    func pinModes(mode: PinMode?) throws {
        let account = try Account.sample().changed { $0.propagation = 30 }
        var service = Service(account)
        var entry = try account.entry()
        entry.pinMode = mode
        service.change(to: try account.changed { try $0.append(entry) })
        service.change(to: account, at: Sample.time(after: 60))
        #expect(try service.pinMode(at: Sample.time) == .pin)
        #expect(try service.pinMode(at: Sample.time(after: 29)) == .pin)
        #expect(try service.pinMode(at: Sample.time(after: 30)) == mode ?? .pin)
        #expect(try service.pinMode(of: Sample.otherDevice, at: Sample.time(after: 30)) == .pin)
        #expect(try service.pinMode(at: Sample.time(after: 89)) == mode ?? .pin)
        #expect(try service.pinMode(at: Sample.time(after: 90)) == .pin)
    }

    @Test("R6.6 asking for a pin mode does not make a device known") func pinModeMakesNobodyKnown() throws {
        var account = try Account.sample()
        try account.append(account.entry(banMode: .ban))
        var service = Service(account)
        #expect(try service.pinMode(at: Sample.time) == .pin)
        #expect(try service.state() == nil)
        #expect(try service.attest().flags == ["did-ban", "new-did"])
    }

    @Test("R6 copies of an engine remember devices apart") func copiesAreApart() throws {
        var service = Service(try .sample())
        let copy = service
        _ = try service.attest()
        var other = copy
        #expect(try other.attest().flags == ["new-did"])
        #expect(try service.attest().flags == [])
    }

    @Suite("R6.3–R6.5 Device state with DeviceCheck and SafetyNet") struct State {
        static let rows = PhoneStory.table(
            """
            == R6.5 a device never seen has no state
            iPhone
            keeps unset; attests new-did devicecheck-completed; keeps devicecheck-completed; reinstall; keeps unset
            == R6.5 nor has one that only has an entry
            Android
            ban; keeps unset; remove; keeps unset
            == R6.5 one without anything to persist has an empty state
            iPhone bits=absent
            attests new-did; keeps
            == R6.5 iOS: everything in catalogue order
            iPhone bits=bit1
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!
            keeps did-ban devicecheck-completed devicecheck-ban; unban; attests did-unban devicecheck-completed
            keeps did-ban did-unban devicecheck-completed
            == R6.5 Android: everything in catalogue order
            Android answering=fail-integrity
            unban; attests did-unban new-did safetynet-completed safetynet-fail-integrity! risky-device
            keeps did-unban safetynet-completed safetynet-fail-integrity
            == R6.3 the ban stays when the entry is removed, beside the results of checks
            Android
            attests new-did safetynet-completed; ban; attests did-ban! safetynet-completed; remove
            attests did-ban! safetynet-completed; keeps did-ban safetynet-completed
            == R6.4 a device once unbanned cannot be banned again until its state is cleared
            iPhone bits=bit0
            unban; attests did-unban new-did devicecheck-completed; ban; attests did-unban devicecheck-completed
            reinstall keeping; attests did-unban devicecheck-completed; clear
            attests did-ban! new-did devicecheck-completed devicecheck-ban!
            == R6.4 did-unban is of its device ID: another one can be banned
            iPhone bits=bit0
            unban; attests did-unban new-did devicecheck-completed; reinstall; attests new-did devicecheck-completed
            ban; attests did-ban! devicecheck-completed; apple 1 of 2020-07
            == R6.5 a clearing: SafetyNet is done again, and uses up the quota again
            Android quota=2
            attests new-did safetynet-completed; clear; keeps unset; attests new-did safetynet-completed; clear
            attests new-did safetynet-unavailable
            == R6.5 a clearing: DeviceCheck is done again at once, launch or not
            iPhone answering=unavailable
            attests new-did devicecheck-unavailable; answers available; attests devicecheck-unavailable; clear
            keeps unset; attests new-did devicecheck-completed
            == R6.5 a clearing twice is as good as once
            iPhone bits=both
            attests new-did devicecheck-completed; clear; clear; keeps unset; attests new-did devicecheck-completed
            apple 1 of 2020-07
            == R6.5 a clearing without a key takes the results away
            iPhone bits=bit0
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!; remove; devicecheck absent; clear
            attests new-did; keeps; apple 1 of 2020-07
            """)

        @Test("R6.3–R6.5 what is persisted, and for how long", arguments: rows) func story(_ story: PhoneStory) throws {
            try story.play()
        }

        @Test("R6.5 a clearing forgets every device, at once") func everyDeviceIsForgotten() throws {
            var account = try Account.sample().changed { $0.propagation = 30 }
            account.addAuthKey("KEY", teamID: "TEAM", bits: .none, expiry: 12)
            var service = SimulatedService(account)
            var platforms = PlatformServices()
            var devices = (0..<40).map { SimulatedDevice.iPhone(Sample.device($0), hardware: UInt32($0)) }
            for index in devices.indices { _ = try service.attest(&devices[index], with: &platforms) }
            service.clearDeviceState()
            for index in devices.indices {
                #expect(try service.state(of: devices[index].id) == nil)
                let outcome = try service.attest(&devices[index], with: &platforms)
                #expect(outcome.flags == ["new-did", "devicecheck-completed"])
            }
        }

        @Test("R2.4 what a simulated device observes of itself does not persist", arguments: FlagFacts.names)
        func observedDoesNotPersist(flag: String) throws {
            var phone = try Phone.iPhone(bits: nil)
            phone.device.flags = [flag]
            try phone.attest()
            phone.device.flags = []
            #expect(try phone.attest().flags == [])
            #expect(try phone.state == [])
        }

        @Test("R2.4 an observed risky-device of a simulated device is derived anew") func riskIsDerived() throws {
            var phone = try Phone.android(answering: .failProfile)
            phone.device.flags = ["risky-device"]
            #expect(try phone.attest().flags.contains("risky-device"))
            phone.clearDeviceState()
            phone.device.evidence.safetyNet = .pass
            #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
        }
    }
}
