import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A list that is absent says nothing, and an empty one says that there is none (R14.2a).
@Suite struct ListedTests {
    @Test("R14.2a without `apis` any domain is served, with an empty list none") func domains() throws {
        #expect(try AccountText.account("account: a").tokenDomain(named: "a.com") != nil)
        let empty = try AccountText.account("apis: []")
        #expect(empty.listsAPIDomains && empty.apiDomains.isEmpty)
        #expect(empty.tokenDomain(named: "a.com") == nil)
        #expect(empty != (try AccountText.account("{}")))
    }
}

/// The keys that a filter may look at (R7.2).
@Suite struct InformationKeyTests {
    // A sample that is added to the table and not to the manual's, or the other way round, is reported here.
    @Test func theTableOfKeysHasNoneTwice() {
        expect(Set(InformationKeys.all).count, equals: InformationKeys.all.count)
        #expect(Set(InformationKeys.filterable).isSuperset(of: InformationKeys.given))
        #expect(InformationKeys.all.contains("flags-all") && !InformationKeys.given.contains("device-id"))
    }
}
