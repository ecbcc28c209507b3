import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7 Filters") struct FilterTests {
    @Test("R7.1 there are up to 25 filters") func filtersAreLimited() throws {
        var account = try Account.sample()
        for number in 0..<25 { try account.append(.exact("filter-\(number)", "ip", "10.0.0.\(number)", .reject)) }
        let extra = try Filter.exact("one-more", "ip", "1.2.3.4")
        #expect(throws: FilterError.limitReached("one-more")) { try account.append(extra) }
        #expect(throws: FilterError.limitReached("one-more")) { try account.set(extra) }
        #expect(FilterError.limitReached("one-more").description.contains("`one-more`"))
        #expect(FilterError.limitReached("one-more").description.contains("25"))
        try account.set(.exact("filter-24", "ip", "1.2.3.4", .reject))
        var service = Service(account)
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).rejections == ["filter:filter-24"])
        try account.removeFilter(named: "filter-3")
        try account.append(extra)
        #expect(account.filters.count == 25)
    }

    @Test("R7.1 removing a filter that is not there is an error that knows the others") func removingNothing() throws {
        var account = try Account.sample()
        try account.append(.exact("myip", "ip", "1.2.3.4"))
        #expect(throws: FilterError.unknown("other", known: ["myip"])) { try account.removeFilter(named: "other") }
        try account.removeFilter(named: "myip")
        #expect(account.filters.isEmpty)
    }
}
