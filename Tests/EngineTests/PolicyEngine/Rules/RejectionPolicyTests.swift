import Testing

@testable import PolicyEngine
@testable import TestSupport

// Exceptions, custom policies and missing checks (R4.3 to R4.8) are shown by scenarios in Tests/Rules/R04.
@Suite("R4 Rejection policy") struct RejectionPolicyTests {
    @Test("R4.2 the verdict of every preset on every flag", arguments: PresetFacts.names, FlagFacts.names)
    func presetEvaluatesFlag(preset: String, flag: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        _ = try service.attest()
        let outcome = try service.attest([flag])
        expect(outcome.rejections, equals: Self.rejections(preset, flag))
        expect(outcome.passed, equals: outcome.rejections.isEmpty)
        expect(outcome.policy, equals: "default,\(preset),default")
    }

    @Test("R4.1 no rejecting flag passes", arguments: PresetFacts.names.dropLast())
    func nothingObservedPasses(preset: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        let outcome = try service.attest()
        #expect(outcome.passed)
        expect(outcome.rejections, equals: [])
        expect(outcome.flags, equals: ["new-did"])
    }

    @Test("R4.1 the rejections are the rejecting flags present, and no others", arguments: PresetFacts.names)
    func allFlagsAtOnce(preset: String) throws {
        var service = Service(try .sample("default,\(preset),default"))
        let all = FlagFacts.names.filter { $0 != "did-unban" }
        // With xposed among them, the exceptions of R4.3 hold.
        let expected = all.filter { PresetFacts.rejecting(preset).contains($0) }
        let outcome = try service.attest(all)
        expect(outcome.rejections, equals: (preset == "blacklist" ? ["policy:blacklist"] : expected))
        expect(outcome.flags, equals: all)
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
            expect(outcome.rejections, equals: (preset == "blacklist" ? ["policy:blacklist"] : expected))
            expect(outcome.policy, equals: "default,custom,default")
        }

        @Test("R4.4 a flag removed by hand rejects no longer", arguments: PresetFacts.names, FlagFacts.names)
        func removedFlagDoesNotReject(preset: String, flag: String) throws {
            var service = Service(try Self.account(preset, [.init(adds: false, flag: flag)]))
            _ = try service.attest()
            let outcome = try service.attest([flag])
            expect(outcome.rejections, equals: (preset == "blacklist" ? ["policy:blacklist"] : []))
            expect(outcome.policy, equals: "default,custom,default")
        }

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
