import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    // The warning about equal rules is shown where accounts are loaded.
    @Suite("R7.3 The filtered policy") struct FilteredPolicy {
        struct Row: LabelledRow {
            let label: String
            var account = "default,default,default"
            var filtered: String? = "alt-rules,allow-root,risk"
            var own: String?
            var ip = "1.2.3.4"
            var sampled = "0"
            let policy: String
        }

        static let rows = [
            Row(label: "matched, other rules", policy: "alt-rules,allow-root,risk"),
            Row(label: "not matched", ip: "5.6.7.8", policy: "default,default,default"),
            Row(label: "sampled, not matched", ip: "5.6.7.8", sampled: "100", policy: "alt-rules,allow-root,risk"),
            Row(label: "sampled and matched", sampled: "100", policy: "alt-rules,allow-root,risk"),
            Row(
                label: "the same rules do nothing", filtered: "default,allow-root,risk",
                policy: "default,default,default"),
            Row(
                label: "the same rules do nothing for the sampled", filtered: "default,allow-root,risk", sampled: "100",
                policy: "default,default,default"),
            Row(
                label: "rules are compared with the account's, not with default",
                account: "alt-rules,default,default", policy: "alt-rules,default,default"),
            Row(
                label: "default differs from other rules", account: "alt-rules,default,default",
                filtered: "default,allow-root,risk", policy: "default,allow-root,risk"),
            Row(label: "no entry", filtered: nil, sampled: "100", policy: "default,default,default"),
            Row(
                label: "the device's own goes first", own: "default,whitelist,all", sampled: "100",
                policy: "default,whitelist,all"),
            Row(
                label: "R3.2 rules that nobody declared have no effect", filtered: "unheard-of,strict,all",
                policy: "default,default,default"),
            Row(
                label: "R3.2 nor for the sampled", filtered: "unheard-of,strict,all", sampled: "100",
                policy: "default,default,default"),
            Row(
                label: "R3.2 nor where the account has rules of its own", account: "alt-rules,default,default",
                filtered: "unheard-of,strict,all", sampled: "100", policy: "alt-rules,default,default"),
        ]

        @Test("R7.3 which policy is applied", arguments: rows) func policyIsChosen(_ row: Row) throws {
            var account = try Account.sample(row.account.replacing("alt-rules", with: "default"))
            account.declaredRules = ["alt-rules"]
            account.policy = try account.securityPolicy(row.account)
            account.samplingPercentage = try #require(Percentage(row.sampled))
            try account.append(.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy))
            if let filtered = row.filtered { try account.append(account.entry(Sample.filteredPolicy, filtered)) }
            if let own = row.own { try account.append(account.entry(Sample.device, own)) }
            var service = Service(account)
            #expect(try service.attest(with: ["ip": row.ip]).policy == row.policy)
        }

        @Test("R7.3 only a filter that says so executes it") func otherFiltersDoNot() throws {
            let others: Filter.Options = [.reject, .risky, .captureDeviceInformation]
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", others)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "default,default,default")
        }

        @Test("R7.3 an entry without a policy, on either side, changes nothing") func entriesWithoutPolicies() throws {
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy))
            try account.append(account.entry())
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "default,default,default")
            try account.set(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            service.change(to: account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "alt-rules,whitelist,all")
        }

        @Test("R7.3 verdict, lifetime and annotation are the filtered policy's") func everythingIsTheFilteredPolicys()
            throws
        {
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,allow-raj-only-short-lifetime,xposed"))
            var service = Service(account)
            let outcome = try service.attest(["rooted", "xposed"], with: ["ip": "1.2.3.4"])
            #expect(outcome.passed)
            #expect(outcome.lifetime == 45)
            #expect(outcome.annotations == ["xposed"])
            let usual = try service.attest(["rooted", "xposed"], with: ["ip": "5.6.7.8"])
            #expect(usual.rejections == ["rooted", "xposed"])
            #expect(usual.lifetime == 120)
            #expect(usual.annotations == nil)
        }

        @Test("R7.3 a conjunction may execute it") func conjunctionExecutes() throws {
            var account = try Account.sample(
                rules: ["alt-rules"],
                filters: [.exact("myip", "ip", "1.2.3.4"), .conjunction("same", ["myip"], .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "alt-rules,whitelist,all")
        }

        @Test("R7.3 effective is what differs in rules") func effectivePolicy() throws {
            var account = try Account.sample(rules: ["alt-rules"])
            #expect(account.effectiveFilteredPolicy == nil)
            try account.set(account.entry(Sample.filteredPolicy, "default,strict,all"))
            #expect(account.effectiveFilteredPolicy == nil)
            #expect(account.filteredPolicyEntry?.policy?.description == "default,strict,all")
            try account.set(account.entry(Sample.filteredPolicy, "alt-rules,strict,all"))
            #expect(account.effectiveFilteredPolicy?.description == "alt-rules,strict,all")
            try account.set(account.entry(Sample.filteredPolicy, "unheard-of,strict,all"))
            #expect(account.effectiveFilteredPolicy == nil)
        }
    }
}
