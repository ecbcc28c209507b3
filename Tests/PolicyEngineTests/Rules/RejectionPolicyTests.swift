import Testing

@testable import PolicyEngine
@testable import TestSupport

// R4.7: what step 4 derives is shown with DeviceCheck and SafetyNet; the verdicts on those flags are here.
@Suite("R4 Rejection policy") struct RejectionPolicyTests {
    @Test("R4.2 the verdict of every preset on every flag", arguments: PresetFacts.names, FlagFacts.names)
    func presetEvaluatesFlag(preset: String, flag: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        _ = try service.attest()
        let outcome = try service.attest([flag])
        #expect(outcome.rejections == Self.rejections(preset, flag))
        #expect(outcome.passed == outcome.rejections.isEmpty)
        #expect(outcome.policy == "default,\(preset),default")
    }

    @Test("R4.1 no rejecting flag passes", arguments: PresetFacts.names.dropLast())
    func nothingObservedPasses(preset: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        let outcome = try service.attest()
        #expect(outcome.passed)
        #expect(outcome.rejections == [])
        #expect(outcome.flags == ["new-did"])
    }

    @Test("R4.1 the rejections are the rejecting flags present, and no others", arguments: PresetFacts.names)
    func allFlagsAtOnce(preset: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        let all = FlagFacts.names.filter { $0 != "did-unban" }
        // With xposed among them, the exceptions of R4.3 hold.
        let expected = all.filter { PresetFacts.rejecting(preset).contains($0) }
        let outcome = try service.attest(all)
        #expect(outcome.rejections == (preset == "blacklist" ? ["policy:blacklist"] : expected))
        #expect(outcome.flags == all)
    }

    struct Combination: LabelledRow {
        let preset: String
        let flags: [String]
        let rejections: [String]

        var testDescription: String { "\(preset): \(flags.joined(separator: "+"))" }
    }

    static let combinations = [
        allowXposed(["rooted"], ["rooted"]),
        allowXposed(["rooted", "xposed"], []),
        allowXposed(["xposed"], []),
        allowXposed(["root-risk"], []),
        allowXposed(["root-risk", "xposed"], []),
        allowXposed(["safetynet-fail-integrity"], ["safetynet-fail-integrity"]),
        allowXposed(["safetynet-fail-integrity", "xposed"], []),
        allowXposed(["safetynet-fail-integrity", "rooted"], ["rooted", "safetynet-fail-integrity"]),
        allowXposed(["safetynet-fail-integrity", "rooted", "xposed"], []),
        allowXposed(["rooted", "xposed", "xposed-hostile"], ["xposed-hostile"]),
        allowXposed(["rooted", "xposed-hostile"], ["rooted", "xposed-hostile"]),
        allowXposed(["rooted", "xposed", "frida"], ["frida"]),
        allowXposed(["rooted", "xposed", "cloned", "emulator"], ["emulator", "cloned"]),
        allowXposed(["rooted", "xposed", "did-ban"], ["did-ban"]),
        Combination(preset: "default", flags: ["rooted", "xposed"], rejections: ["rooted", "xposed"]),
        Combination(preset: "strict", flags: ["rooted", "xposed"], rejections: ["rooted", "xposed"]),
        Combination(preset: "allow-cloned", flags: ["rooted", "xposed"], rejections: ["rooted", "xposed"]),
        Combination(preset: "allow-cloned", flags: ["cloned", "rooted"], rejections: ["rooted"]),
        Combination(preset: "allow-root", flags: ["rooted", "xposed"], rejections: []),
        Combination(preset: "allow-root", flags: ["rooted", "jailbroken"], rejections: ["jailbroken"]),
        Combination(preset: "allow-root-and-jailbroken", flags: ["rooted", "jailbroken", "emulator"], rejections: []),
        Combination(
            preset: "allow-root-and-jailbroken-only", flags: ["rooted", "jailbroken", "emulator"],
            rejections: ["emulator"]),
        Combination(
            preset: "allow-raj-only-short-lifetime", flags: ["jailbroken", "ios-simulator"],
            rejections: ["ios-simulator"]),
    ]

    @Test("R4.3 allow-xposed rejects rooted only without xposed", arguments: combinations)
    func exceptionHolds(_ row: Combination) throws {
        var service = Service(try .sample("default,\(row.preset),default"))
        #expect(try service.attest(row.flags).rejections == row.rejections)
    }

    @Test("R4.5 blacklist fails everything with one rejection", arguments: [[], ["rooted"], ["did-ban", "frida"]])
    func blacklistHasOneRejection(flags: [String]) throws {
        let filter = try Filter.regex("all", "flags-all", "", .reject)
        var service = Service(try .sample("default,blacklist,default", filters: [filter]))
        let outcome = try service.attest(flags)
        #expect(!outcome.passed)
        #expect(outcome.rejections == ["policy:blacklist"])
        #expect(outcome.filters == ["all"])
    }

    static let tolerances: [Case<[String], [String]>] = [
        Case("not registered", ["app-not-registered"], gives: []),
        Case("observed ban", ["did-ban"], gives: []),
        Case("physical ban", ["devicecheck-ban"], gives: []),
        Case("a rejecting and banning filter", ["rooted"], gives: []),
        Case("evidence against the SDK", ["bad-hmac"], gives: ["bad-hmac"]),
        Case(
            "all of its column", ["pinning-tampered", "bad-hmac", "sdk-tampered", "memory-tampered"],
            gives: ["bad-hmac", "sdk-tampered", "pinning-tampered"]),
    ]

    @Test("R4.6 under whitelist neither bans nor filters count", arguments: tolerances)
    func whitelistTolerates(_ row: Case<[String], [String]>) throws {
        let filter = try Filter.regex("all", "flags-all", "", [.reject, .ban])
        var service = Service(try .sample("default,whitelist,default", filters: [filter]))
        let outcome = try service.attest(row.input)
        #expect(outcome.rejections == row.expected)
        #expect(outcome.passed == row.expected.isEmpty)
        // The actions of the filter happen all the same.
        #expect(outcome.filters == ["all"])
        #expect(outcome.flags.contains("did-ban"))
        #expect(try service.state() == ["did-ban"])
    }

    static let services = [
        "devicecheck-unavailable", "devicecheck-missing", "safetynet-unavailable", "safetynet-missing",
        "safetynet-fail-profile",
    ]

    @Test("R4.7 only strict insists on DeviceCheck and SafetyNet", arguments: services, PresetFacts.names.dropLast())
    func strictInsists(flag: String, preset: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        #expect(try service.attest([flag]).rejections == (preset == "strict" ? [flag] : []))
    }

    @Test("R4.8 a rejecting filter is a rejection behind the flags, in filter order") func filtersReject() throws {
        let filters = [
            try Filter.regex("z-first", "flags-all", "rooted", .reject),
            try Filter.regex("quiet", "flags-all", "rooted"),
            try Filter.exact("a-second", "ip", "1.2.3.4", .reject),
        ]
        var service = Service(try .sample(filters: filters))
        let both = try service.attest(["rooted", "xposed"], with: ["ip": "1.2.3.4"])
        #expect(both.rejections == ["rooted", "xposed", "filter:z-first", "filter:a-second"])
        #expect(both.filters == ["z-first", "quiet", "a-second"])
        let one = try service.attest(with: ["ip": "1.2.3.4"])
        #expect(one.rejections == ["filter:a-second"])
        #expect(!one.passed)
        #expect(try service.attest(with: ["ip": "5.6.7.8"]).passed)
    }

    private static func allowXposed(_ flags: [String], _ rejections: [String]) -> Combination {
        Combination(preset: "allow-xposed", flags: flags, rejections: rejections)
    }

    private static func rejections(_ preset: String, _ flag: String) -> [String] {
        if preset == "blacklist" { return ["policy:blacklist"] }
        // Without xposed, what rejects unless xposed is set rejects.
        let rejecting = PresetFacts.rejecting(preset).union(PresetFacts.rejectingUnlessXposed(preset))
        return rejecting.contains(flag) ? [flag] : []
    }

    @Suite("R4.4 Custom rejection policies") struct Custom {
        // The warning for whitelist and blacklist is shown with the commands.
        @Test("R4.4 a flag added by hand rejects under every preset", arguments: PresetFacts.names, FlagFacts.names)
        func addedFlagRejects(preset: String, flag: String) throws {
            var service = Service(try Self.account(preset, [.init(adds: true, flag: flag)]))
            _ = try service.attest()
            let outcome = try service.attest([flag])
            // An observed risky-device is dropped, so nothing is left to reject on.
            let expected = flag == "risky-device" ? [] : Self.alone(preset, flag, with: flag)
            #expect(outcome.rejections == (preset == "blacklist" ? ["policy:blacklist"] : expected))
            #expect(outcome.policy == "default,custom,default")
        }

        @Test("R4.4 a flag removed by hand rejects no longer", arguments: PresetFacts.names, FlagFacts.names)
        func removedFlagDoesNotReject(preset: String, flag: String) throws {
            var service = Service(try Self.account(preset, [.init(adds: false, flag: flag)]))
            _ = try service.attest()
            let outcome = try service.attest([flag])
            #expect(outcome.rejections == (preset == "blacklist" ? ["policy:blacklist"] : []))
            #expect(outcome.policy == "default,custom,default")
        }

        struct Edited: LabelledRow {
            let label: String
            var preset = "default"
            let edits: [ReferenceEdit]
            let flags: [String]
            let rejections: [String]
        }

        static let edited = [
            Edited(
                label: "the manual's automated is added", edits: [adding("automated")], flags: ["automated"],
                rejections: ["automated"]),
            Edited(
                label: "and removed again", edits: [adding("automated"), removing("automated")], flags: ["automated"],
                rejections: []),
            Edited(
                label: "what is already there changes nothing but the name", edits: [adding("rooted")],
                flags: ["rooted", "xposed"], rejections: ["rooted", "xposed"]),
            Edited(
                label: "what was never there changes nothing but the name", edits: [removing("automated")],
                flags: ["automated", "rooted"], rejections: ["rooted"]),
            Edited(
                label: "the others of the base stay", edits: [removing("rooted")], flags: ["rooted", "frida"],
                rejections: ["frida"]),
            Edited(
                label: "risky-device added rejects when it is derived", edits: [adding("risky-device")],
                flags: ["root-risk"], rejections: ["risky-device"]),
            Edited(
                label: "new-did added rejects new devices", edits: [adding("new-did")], flags: [],
                rejections: ["new-did"]),
            Edited(
                label: "the exceptions of the base stay", preset: "allow-xposed", edits: [adding("automated")],
                flags: ["rooted", "xposed", "safetynet-fail-integrity", "automated"], rejections: ["automated"]),
            Edited(
                label: "rooted still rejects without xposed", preset: "allow-xposed", edits: [adding("automated")],
                flags: ["rooted"], rejections: ["rooted"]),
            Edited(
                label: "a flag added by hand loses its exception", preset: "allow-xposed", edits: [adding("rooted")],
                flags: ["rooted", "xposed", "safetynet-fail-integrity"], rejections: ["rooted"]),
            Edited(
                label: "a flag removed by hand loses its exception too", preset: "allow-xposed",
                edits: [removing("rooted")], flags: ["rooted", "safetynet-fail-integrity"],
                rejections: ["safetynet-fail-integrity"]),
            Edited(
                label: "removed and added", preset: "allow-xposed", edits: [removing("rooted"), adding("rooted")],
                flags: ["rooted", "xposed"], rejections: ["rooted"]),
            Edited(
                label: "added and removed", preset: "allow-xposed", edits: [adding("rooted"), removing("rooted")],
                flags: ["rooted"], rejections: []),
            Edited(
                label: "xposed added keeps the exception of rooted", preset: "allow-xposed", edits: [adding("xposed")],
                flags: ["rooted", "xposed"], rejections: ["xposed"]),
        ]

        @Test("R4.4 single flags are added and removed", arguments: edited)
        func editsAreMade(_ row: Edited) throws {
            var service = Service(try Self.account(row.preset, row.edits))
            let outcome = try service.attest(row.flags)
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.policy == "default,custom,default")
        }

        struct Hidden: LabelledRow {
            let preset: String
            let rejections: [String]
            let lifetime: Int
            let grace: Int
        }

        static let hidden = [
            Hidden(preset: "default", rejections: ["automated", "filter:all"], lifetime: 300, grace: 10),
            Hidden(preset: "whitelist", rejections: ["automated"], lifetime: 300, grace: 10),
            Hidden(preset: "blacklist", rejections: ["policy:blacklist"], lifetime: 300, grace: 10),
            Hidden(
                preset: "allow-raj-only-short-lifetime", rejections: ["automated", "filter:all"], lifetime: 45,
                grace: 15),
        ]

        @Test("R4.4 lifetime and hidden attributes of the base stay", arguments: hidden)
        func hiddenAttributesStay(_ row: Hidden) throws {
            let edits = [Self.adding("automated"), Self.removing("did-ban")]
            let account = try Self.account(row.preset, edits).changed {
                try $0.append(.regex("all", "flags-all", "", .reject))
            }
            var service = Service(account)
            let outcome = try service.attest(["automated", "did-ban"])
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.lifetime == row.lifetime)
            #expect(outcome.expires - Sample.time == row.lifetime + row.grace)
        }

        @Test("R4.4 custom over whitelist rejects on a ban that was added by hand") func whitelistWithBan() throws {
            var service = Service(try Self.account("whitelist", [Self.adding("did-ban")]))
            #expect(try service.attest(["did-ban", "rooted"]).rejections == ["did-ban"])
        }

        @Test("R4.4 an exception that is lost is no longer listed", arguments: [true, false])
        func lostExceptionIsNotListed(adds: Bool) throws {
            let account = try Self.account("allow-xposed", [ReferenceEdit(adds: adds, flag: "rooted")])
            let rejection = account.policy.rejection
            #expect(account.catalogue.names(of: rejection.rejectingUnlessXposed) == ["safetynet-fail-integrity"])
            #expect(rejection.rejecting.contains(try account.flag("rooted")) == adds)
            #expect(rejection.base == .allowXposed)
        }

        @Test("R4.4 setting a preset discards the custom policy", arguments: PresetFacts.names)
        func settingAPresetDiscards(preset: String) throws {
            var account = try Self.account("default", [Self.adding("automated"), Self.removing("rooted")])
            #expect(account.policy.rejection.isCustom)
            account.policy = try account.securityPolicy("default,\(preset),default")
            #expect(!account.policy.rejection.isCustom)
            #expect(account.policy.description == "default,\(preset),default")
            var service = Service(account)
            let expected = preset == "blacklist" ? [] : Self.alone(preset, "", with: "rooted")
            let blacklist = preset == "blacklist" ? ["policy:blacklist"] : []
            #expect(try service.attest(["automated", "rooted"]).rejections == blacklist + expected)
        }

        @Test("R4.4 custom itself cannot be set") func customCannotBeSet() throws {
            let account = try Account.sample()
            #expect(throws: PolicyError.customCannotBeSet) { try account.securityPolicy("default,custom,default") }
            #expect(throws: PolicyError.customCannotBeSet) { try account.filteredSecurityPolicy("x,custom,default") }
            #expect(RejectionPreset(rawValue: "custom") == nil)
        }

        private static func adding(_ flag: String) -> ReferenceEdit { ReferenceEdit(adds: true, flag: flag) }

        private static func removing(_ flag: String) -> ReferenceEdit { ReferenceEdit(adds: false, flag: flag) }

        private static func account(_ preset: String, _ edits: [ReferenceEdit]) throws -> Account {
            var account = try Account.sample("default,\(preset),default")
            for edit in edits {
                let flag = try account.flag(edit.flag)
                if edit.adds {
                    account.policy.rejection.addRejectFlag(flag)
                } else {
                    account.policy.rejection.removeRejectFlag(flag)
                }
            }
            return account
        }

        // The rejections when one flag is set, with one more in the set of those that reject.
        private static func alone(_ preset: String, _ added: String, with flag: String) -> [String] {
            var rejecting = PresetFacts.rejecting(preset).union(PresetFacts.rejectingUnlessXposed(preset))
            rejecting.insert(added)
            return rejecting.contains(flag) ? [flag] : []
        }
    }
}
