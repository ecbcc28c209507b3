import Testing

@testable import TestSupport
@testable import scenario

/// When reports are coloured.
@Suite struct ColourChoiceTests {
    struct Row: LabelledRow {
        let name: String
        let environment: [String: String]
        let onTerminal, elsewhere: Bool
    }

    static let rows = [
        Row(name: "nothing said", environment: [:], onTerminal: true, elsewhere: false),
        Row(name: "forced", environment: ["CLICOLOR_FORCE": "1"], onTerminal: true, elsewhere: true),
        Row(name: "not forced", environment: ["CLICOLOR_FORCE": "0"], onTerminal: true, elsewhere: false),
        Row(name: "forced by nothing", environment: ["CLICOLOR_FORCE": ""], onTerminal: true, elsewhere: false),
        Row(name: "forbidden", environment: ["NO_COLOR": "1"], onTerminal: false, elsewhere: false),
        Row(
            name: "forbidden and forced", environment: ["NO_COLOR": "", "CLICOLOR_FORCE": "1"], onTerminal: false,
            elsewhere: false),
    ]

    @Test(arguments: rows) func environmentChooses(_ row: Row) {
        let choice = ColourChoice { row.environment[$0] }
        #expect(choice.isColoured(onTerminal: true) == row.onTerminal)
        #expect(choice.isColoured(onTerminal: false) == row.elsewhere)
    }
}
