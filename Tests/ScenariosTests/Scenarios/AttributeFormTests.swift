import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Attributes that a capture could not hold are errors (formats: Captures, 1).
@Suite struct AttributeFormTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        /// As YAML writes it between double quotes, where that differs.
        let written: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, written: String? = nil) { (self.text, self.written) = (text, written ?? text) }
    }

    // The keys under which a record describes itself.
    static let reserved = [
        "device-id", "flags-all", "public-flags", "flags", "captured", "time", "rejection-flags", "matched-filters",
    ].map { Row($0) }

    // A key ends at the first `: `; a line that starts with a space goes on; the others start a record or are skipped.
    static let badKeys = [
        Row(""), Row("a: b"), Row(": a"), Row(" a"), Row("  "), Row("--- a"), Row("--- \(SampleDevice.bob)"),
        Row("getting x"), Row("getting "), Row("a\nb", written: #"a\nb"#), Row("a\rb", written: #"a\rb"#),
        Row("a\n", written: #"a\n"#), Row("a\r\n b", written: #"a\r\n b"#), Row("a\0b", written: #"a\0b"#),
    ]

    static let goodKeys = [
        Row("ip"), Row("a:b"), Row(":a"), Row("two words"), Row("a "), Row("---"), Row("---a"), Row("getting"),
        Row("Captured"), Row("Flags"), Row("captured-by"), Row("ключ"), Row("🚗"), Row("{a}"), Row("#"), Row("-"),
        Row("a\tb", written: #"a\tb"#), Row("\ta", written: #"\ta"#), Row("a\u{2028}b", written: #"a\Lb"#),
        Row("a\u{85}b", written: #"a\Nb"#), Row("null"), Row("device-id2"),
    ]

    // Further lines start with a space and are not blank.
    static let badValues = [
        Row("a\nb", written: #"a\nb"#), Row("a\n", written: #"a\n"#), Row("a\n\n b", written: #"a\n\n b"#),
        Row("a\n b\n", written: #"a\n b\n"#), Row("a\n ", written: #"a\n "#),
        Row("a\n   \n b", written: #"a\n   \n b"#),
        Row("a\n\tb", written: #"a\n\tb"#), Row("a\rb", written: #"a\rb"#), Row("a\r\n b", written: #"a\r\n b"#),
        Row("a\r", written: #"a\r"#), Row("a\0b", written: #"a\0b"#), Row("\nb", written: #"\nb"#),
        Row("a\n b\nc", written: #"a\n b\nc"#),
    ]

    static let goodValues = [
        Row(""), Row(" "), Row("  a "), Row(":"), Row(": "), Row("a: b"), Row("--- x ---"), Row("getting x"),
        Row("captured: 2020"), Row("a\tb", written: #"a\tb"#), Row("a\n b", written: #"a\n b"#),
        Row("\n b", written: #"\n b"#), Row("a\n  --- x\n :", written: #"a\n  --- x\n :"#),
        Row("a\n \tb", written: #"a\n \tb"#), Row("a\u{2028}b", written: #"a\Lb"#), Row("a\u{85}b", written: #"a\Nb"#),
        Row("a\u{B}b", written: #"a\vb"#), Row("日本 🚗"), Row("e\u{301}"),
    ]

    @Test func keysThatAreReserved() {
        for row in Self.reserved {
            #expect(
                AttributeForm.problem(ofKey: row.text) == "`\(row.text)` follows from the device and cannot be given")
        }
    }

    @Test("formats: keys that cannot be", arguments: badKeys) func badKey(_ row: Row) {
        #expect(AttributeForm.problem(ofKey: row.text)?.hasSuffix("a capture could not hold it") == true)
    }

    @Test("formats: keys that can be", arguments: goodKeys) func goodKey(_ row: Row) {
        #expect(AttributeForm.problem(ofKey: row.text) == nil)
    }

    @Test("formats: values that cannot be", arguments: badValues) func badValue(_ row: Row) {
        #expect(
            AttributeForm.problem(ofValue: row.text)
                == "a capture could not hold this value: further lines start with a space")
    }

    @Test("formats: values that can be", arguments: goodValues) func goodValue(_ row: Row) {
        #expect(AttributeForm.problem(ofValue: row.text) == nil)
    }

    private static func group(_ attributes: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(
            attributes, "scenario: s\ndevices: {bob: {attributes: {\(attributes)}}}\nexpect: {metrics: {pass: 0}}\n",
            problems)
    }

    @Test("formats: a scenario refuses them where they stand", arguments: badKeys + reserved) func loader(_ row: Row) {
        let marked = MarkedText(
            "scenario: s\ndevices: {bob: {attributes: {①\"\(row.written)\": x}}}\nexpect: {metrics: {pass: 0}}\n")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        #expect(scenario == nil)
        #expect(diagnostics.all.map(\.position) == [marked.positions["①"]])
    }

    private static let problem = "a capture could not hold this value: further lines start with a space"

    static let carriers: [LoaderRow] = [
        group(#"ip: ①"x\ny""#, Problem("①", problem)),
        group(#"ip: {choose: {①"x\ny": 50%, z: 50%}}"#, Problem("①", problem)),
        .steps(
            "set", #"- {at: 0s, set: {group: bob, attributes: {ip: ①"x\ny", ②"b: c": d}}}"#, Problem("①", problem),
            Problem("②", "`b: c` cannot be the key of an attribute: a capture could not hold it")),
        .steps(
            "set of what is reserved", "- {at: 0s, set: {group: bob, attributes: {①device-id: x, ②flags: rooted}}}",
            Problem("①", "`device-id` follows from the device and cannot be given"),
            Problem("②", "`flags` follows from the device and cannot be given")),
    ]

    @Test("formats: wherever attributes are given", arguments: carriers) func everywhere(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }

    // Attributes that are accepted can be read back from what is printed.
    @Test("formats: what is taken can be read back") func readBack() throws {
        let keys = Self.goodKeys.map { "\"\($0.written)\": x" }
        let values = Self.goodValues.enumerated().map { "v\($0): \"\($1.written)\"" }
        let output = try RunOutput(
            """
            scenario: s
            devices: {bob: {id: \(SampleDevice.bob), attributes: {\((keys + values).joined(separator: ", "))}}}
            steps: [{at: 0s, fetch: bob}, {at: 0s, approov: device -getInfo new-did}]
            expect: {metrics: {pass: 1}}

            """)
        var expected = [Array("device-id".utf8): Array(SampleDevice.bob.utf8)]
        for row in Self.goodKeys { expected[Array(row.text.utf8)] = Array("x".utf8) }
        for (number, row) in Self.goodValues.enumerated() { expected[Array("v\(number)".utf8)] = Array(row.text.utf8) }
        let records = try ReadRecord.read(output.printed, keys: Set(expected.keys))
        #expect(records.map(\.attributes) == [expected])
        #expect(expected.count == 1 + Self.goodKeys.count + Self.goodValues.count)
    }
}
