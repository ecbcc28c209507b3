import Testing

@testable import PolicyEngine
@testable import TestSupport

// Propagation is shown by scenarios in Tests/Rules/R01, R1.3 (physical devices, reinstalls, factory resets) with DeviceCheck
// and with the clients.
@Suite("R1 Identity and time") struct IdentityAndTimeTests {
    @Test("R1.2 the pseudo device is distinguished from devices") func pseudoDeviceIsKnown() {
        #expect(DeviceID.filteredPolicyText == "++FilteredSecPolicy++w==")
        #expect(DeviceID("++FilteredSecPolicy++w==")?.isFilteredPolicy == true)
        #expect(DeviceID("++FilteredSecPolicy++g==")?.isFilteredPolicy == false)
        #expect(DeviceID(Sample.device)?.isFilteredPolicy == false)
    }

    // R1.4: that nothing reads the clock shows in that equal runs are equal.
    @Test("R1.4 equal attestations give equal decisions") func runsAreEqual() throws {
        var first = try RandomRun(seed: 7)
        var second = try RandomRun(seed: 7)
        for _ in 0..<50 { #expect(try first.step().actual == second.step().actual) }
    }

    // That cached tokens live on is shown with the clients; API domains and signing certificates where they are used.
    @Suite("R1.5 Propagation") struct Propagation {
        @Test("R1.5 the propagation of a new account is 30 seconds") func defaultIs30Seconds() {
            #expect(Account(catalogue: FlagCatalogue()).propagation == 30)
        }

        @Test("R1.5 the account that commands see is the latest") func commandsSeeTheLatest() throws {
            let account = try Account.sample().changed { $0.propagation = 30 }
            var service = Service(account)
            service.change(to: account.changed { $0.grace = 11 })
            service.change(to: account.changed { $0.grace = 12 }, at: Sample.time(after: 5))
            #expect(service.engine.history.latest.grace == 12)
            #expect(service.engine.account(inForceAt: Sample.time(after: 29)).grace == 10)
            #expect(service.engine.account(inForceAt: Sample.time(after: 30)).grace == 11)
            #expect(service.engine.account(inForceAt: Sample.time(after: 35)).grace == 12)
        }
    }

    @Suite("R1.5, R14.1 API domains over time") struct Domains {
        /// A label, the domains at the start and those from some seconds on, the propagation, and what is found at a second
        /// under a name. A letter is a domain: `a.com` as `a`, for pins only `p`, of a key set `k`, and managed `r`; `b.com`.
        struct Row: LabelledRow {
            let label: String
            private var cells: [String] { label.split(separator: " | ").map(String.init) }
            var start: [APIDomain] { cells[1].compactMap { Row.domains[$0] } }
            var changes: [(second: Int, domains: [APIDomain])] {
                var changes: [(second: Int, domains: [APIDomain])] = []
                for change in cells[2].split(separator: " ") where change != "-" {
                    let second = Int(change.prefix { $0 != ":" }) ?? -1
                    changes.append((second, change.compactMap { Row.domains[$0] }))
                }
                return changes
            }
            var propagation: Int { Int(cells[3]) ?? -1 }
            var second: Int { Int(cells[4]) ?? -1 }
            var name: String { cells[5] }
            var access: String { cells[6] }

            private static let domains: [Character: APIDomain] = [
                "a": APIDomain(name: "a.com"), "b": APIDomain(name: "b.com"),
                "p": APIDomain(name: "a.com", type: .pinOnly), "k": APIDomain(name: "a.com", type: .keyset),
                "r": APIDomain(name: "a.com", type: .restricted),
            ]
        }

        static let rows = """
            without a list any domain is served | - | - | 30 | 0 | a.com | served
            one of the list | ba | - | 30 | 0 | a.com | served
            none of the list | b | - | 30 | 0 | a.com | unknown
            one for pins only | p | - | 30 | 0 | a.com | unprotected
            one of a key set | k | - | 30 | 0 | a.com | served
            one that the service manages | r | - | 30 | 0 | a.com | served
            names have no case | ba | - | 30 | 0 | A.Com | served
            a subdomain is another domain | a | - | 30 | 0 | sub.a.com | unknown
            a second before it is added | b | 10:ba | 30 | 9 | a.com | unknown
            added: there at once | b | 10:ba | 30 | 10 | a.com | served
            added for pins only: there at once | b | 10:bp | 30 | 10 | a.com | unprotected
            removed: there until that is in force | ba | 10:b | 30 | 39 | a.com | served
            removed: gone when that is in force | ba | 10:b | 30 | 40 | a.com | unknown
            removed without propagation | ba | 10:b | 0 | 10 | a.com | unknown
            added and soon removed: there until the removal is in force | b | 10:ba 20:b | 30 | 49 | a.com | served
            and then gone | b | 10:ba 20:b | 30 | 50 | a.com | unknown
            other changes on the way do not affect it | b | 10:ba 15:ba 20:b 25:b | 30 | 49 | a.com | served
            nor do they put it off | b | 10:ba 15:ba 20:b 25:b | 30 | 50 | a.com | unknown
            removed and soon added again: there all the time | ba | 10:b 20:ba | 30 | 40 | a.com | served
            removed and added for pins only: that at once | ba | 10:b 10:bp | 30 | 10 | a.com | unprotected
            the first domain of a list: others are served until it is in force | - | 10:b | 30 | 39 | a.com | served
            and not any more then | - | 10:b | 30 | 40 | a.com | unknown
            the last domain goes: another one is unknown until that is in force | b | 10: | 30 | 39 | a.com | unknown
            R14.2a and then, too: the list is empty | b | 10: | 30 | 40 | a.com | unknown
            R14.2a nor is the one that went | a | 10: | 30 | 40 | a.com | unknown
            """.split(separator: "\n").map { Row(label: String($0)) }

        @Test("R1.5, R14.1 what clients find under a name", arguments: rows) func access(_ row: Row) throws {
            let history = try Self.history(row)
            let moment = history.moment(at: Sample.time(after: row.second))
            #expect("\(history.access(toDomain: row.name, at: moment))" == row.access)
        }

        @Test("R1.5 moments that are said to give the same access do", arguments: rows)
        func sameAccess(_ row: Row) throws {
            let history = try Self.history(row)
            let moments = (0..<120).map { history.moment(at: Sample.time(after: $0)) }
            for (one, other) in zip(moments, moments.dropFirst()) where history.hasSameAccess(at: one, other) {
                #expect(history.access(toDomain: row.name, at: one) == history.access(toDomain: row.name, at: other))
            }
        }

        private static func history(_ row: Row) throws -> AccountHistory {
            var account = try Account.sample().changed { $0.propagation = row.propagation }
            for domain in row.start { try account.append(domain) }
            var history = AccountHistory(account)
            for change in row.changes {
                for domain in account.apiDomains { try account.removeAPIDomain(named: domain.name) }
                for domain in change.domains { try account.append(domain) }
                history.change(to: account, at: Sample.time(after: change.second))
            }
            return history
        }
    }
}
