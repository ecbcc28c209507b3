import Testing

@testable import PolicyEngine
@testable import TestSupport

extension IdentityAndTimeTests {
    @Suite("R1.5, R14.1 API domains over time") struct Domains {
        /// The domains from some second on, and what is found under the name `a.com` at another.
        struct Row: LabelledRow {
            let label: String
            var start: [APIDomain] = []
            let changes: [(second: Int, domains: [APIDomain])]
            var propagation = 30
            let second: Int
            var name = "a.com"
            let access: DomainAccess
        }

        private static let (first, other) = (APIDomain(name: "a.com"), APIDomain(name: "b.com"))
        private static let pins = APIDomain(name: "a.com", type: .pinOnly)

        static let rows = [
            Row(label: "without a list any domain is served", changes: [], second: 0, access: .served),
            Row(label: "one of the list", start: [other, first], changes: [], second: 0, access: .served),
            Row(label: "none of the list", start: [other], changes: [], second: 0, access: .unknown),
            Row(label: "one for pins only", start: [pins], changes: [], second: 0, access: .unprotected),
            Row(
                label: "one of a key set", start: [APIDomain(name: "a.com", type: .keyset)], changes: [], second: 0,
                access: .served),
            Row(
                label: "one that the service manages", start: [APIDomain(name: "a.com", type: .restricted)],
                changes: [], second: 0, access: .served),
            Row(
                label: "names have no case", start: [other, first], changes: [], second: 0, name: "A.Com",
                access: .served),
            Row(
                label: "a subdomain is another domain", start: [first], changes: [], second: 0, name: "sub.a.com",
                access: .unknown),
            Row(
                label: "a second before it is added", start: [other], changes: [(10, [other, first])], second: 9,
                access: .unknown),
            Row(
                label: "added: there at once", start: [other], changes: [(10, [other, first])], second: 10,
                access: .served),
            Row(
                label: "added for pins only: there at once", start: [other], changes: [(10, [other, pins])],
                second: 10, access: .unprotected),
            Row(
                label: "removed: there until that is in force", start: [other, first], changes: [(10, [other])],
                second: 39, access: .served),
            Row(
                label: "removed: gone when that is in force", start: [other, first], changes: [(10, [other])],
                second: 40, access: .unknown),
            Row(
                label: "removed without propagation", start: [other, first], changes: [(10, [other])], propagation: 0,
                second: 10, access: .unknown),
            Row(
                label: "added and soon removed: there until the removal is in force", start: [other],
                changes: [(10, [other, first]), (20, [other])], second: 49, access: .served),
            Row(
                label: "and then gone", start: [other], changes: [(10, [other, first]), (20, [other])], second: 50,
                access: .unknown),
            Row(
                label: "other changes on the way do not bear on it", start: [other],
                changes: [(10, [other, first]), (15, [other, first]), (20, [other]), (25, [other])], second: 49,
                access: .served),
            Row(
                label: "nor do they put it off", start: [other],
                changes: [(10, [other, first]), (15, [other, first]), (20, [other]), (25, [other])], second: 50,
                access: .unknown),
            Row(
                label: "removed and soon added again: there all the time", start: [other, first],
                changes: [(10, [other]), (20, [other, first])], second: 40, access: .served),
            Row(
                label: "removed and added for pins only: that at once", start: [other, first],
                changes: [(10, [other]), (10, [other, pins])], second: 10, access: .unprotected),
            Row(
                label: "the first domain of a list: others are served until it is in force",
                changes: [(10, [other])], second: 39, access: .served),
            Row(
                label: "and not any more then", changes: [(10, [other])], second: 40, access: .unknown),
            Row(
                label: "the last domain goes: another one is unknown until that is in force", start: [other],
                changes: [(10, [])], second: 39, access: .unknown),
            Row(
                label: "R14.2a and then, too: the list is empty", start: [other], changes: [(10, [])], second: 40,
                access: .unknown),
            Row(
                label: "R14.2a nor is the one that went", start: [first], changes: [(10, [])], second: 40,
                access: .unknown),
        ]

        @Test("R1.5, R14.1 what clients find under a name", arguments: rows) func access(_ row: Row) throws {
            let history = try Self.history(row)
            #expect(history.access(toDomain: row.name, at: Sample.time(after: row.second)) == row.access)
        }

        @Test("R1.5 access changes at no other time than those that are told", arguments: rows)
        func changesAreAnnounced(_ row: Row) throws {
            let history = try Self.history(row)
            let answers = (0..<120).map { history.access(toDomain: row.name, at: Sample.time(after: $0)) }
            let turns = (1..<120).filter { answers[$0] != answers[$0 - 1] }.map { Sample.time(after: $0) }
            #expect(Set(turns).isSubset(of: history.domainChanges))
            #expect(history.domainChanges == history.domainChanges.sorted())
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
