import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R4.5, R4.8 The names of rejections") struct RejectionNameTests {
    struct Row: LabelledRow {
        let name: String
        let rejection: Rejection
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "policy:blacklist", rejection: .blacklist),
        Row(name: "filter:myip", rejection: .filter(ExactText("myip"))),
        Row(name: "filter:", rejection: .filter(ExactText(""))),
        Row(name: "rooted", rejection: .flag(ExactText("rooted"))),
        Row(name: "filters", rejection: .flag(ExactText("filters"))),
        Row(name: "blacklist", rejection: .flag(ExactText("blacklist"))),
    ]

    @Test("a name is read as it is written", arguments: rows) func isRead(_ row: Row) {
        #expect(Rejection(row.name) == row.rejection)
        #expect(row.rejection.name == row.name)
    }
}
