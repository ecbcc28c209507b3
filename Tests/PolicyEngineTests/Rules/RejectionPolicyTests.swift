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

    struct Tolerance: LabelledRow {
        let label: String
        let flags: [String]
        let rejections: [String]
    }

    static let tolerances = [
        Tolerance(label: "not registered", flags: ["app-not-registered"], rejections: []),
        Tolerance(label: "observed ban", flags: ["did-ban"], rejections: []),
        Tolerance(label: "physical ban", flags: ["devicecheck-ban"], rejections: []),
        Tolerance(label: "a rejecting and banning filter", flags: ["rooted"], rejections: []),
        Tolerance(label: "evidence against the SDK", flags: ["bad-hmac"], rejections: ["bad-hmac"]),
        Tolerance(
            label: "all of its column", flags: ["pinning-tampered", "bad-hmac", "sdk-tampered", "memory-tampered"],
            rejections: ["bad-hmac", "sdk-tampered", "pinning-tampered"]),
    ]

    @Test("R4.6 under whitelist neither bans nor filters count", arguments: tolerances)
    func whitelistTolerates(_ row: Tolerance) throws {
        let filter = try Filter.regex("all", "flags-all", "", [.reject, .ban])
        var service = Service(try .sample("default,whitelist,default", filters: [filter]))
        let outcome = try service.attest(row.flags)
        #expect(outcome.rejections == row.rejections)
        #expect(outcome.passed == row.rejections.isEmpty)
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
}
