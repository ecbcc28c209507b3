import Testing

@testable import Replay
@testable import TestSupport

/// Device information that is malformed (formats: Captures, 1).
@Suite struct InfoProblemTests {
    struct Row: LabelledRow {
        let name, text: String
        let problem: String

        init(_ name: String, _ text: String, _ problem: String) {
            (self.name, self.text, self.problem) = (name, text, problem)
        }
    }

    private static let id = SampleDevice.iphone
    private static let header = "--- \(id) 2020-07-23 12:10:43 BST ---\n"
    private static let captured = "captured: 2020-07-23 12:10:43 BST\n"
    private static let sound = "--- \(SampleDevice.bob) 2020-07-23 12:10:44 BST ---\nip: 1\n"
    private static let wrongID = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    private static let wrongHeader = "a record's first line must be `--- <device-id> <timestamp> ---`"
    private static let start = "a record starts with `--- <device-id> <timestamp> ---` or `captured: <timestamp>`"
    private static let joined = "flags are joined by commas alone"

    static let rows = [
        Row("no device-id", captured + "ip: 1\n", "1! record without `device-id`"),
        Row("empty device-id", captured + "device-id:\n", "1! `` \(wrongID)"),
        Row("short device-id", captured + "device-id: qZka\n", "1! `qZka` \(wrongID)"),
        Row(
            "device-id in the alphabet of URLs", captured + "device-id: qZka0yfv-ExvOq3PRh6pGw==\n",
            "1! `qZka0yfv-ExvOq3PRh6pGw==` \(wrongID)"),
        Row(
            "device-id with a space behind it", captured + "device-id: \(id) \n", "1! `\(id) ` \(wrongID)"),
        Row(
            "pseudo device", captured + "device-id: ++FilteredSecPolicy++w==\n",
            "1! `++FilteredSecPolicy++w==` is not a device; it is the ID of the filtered security policy"),
        Row(
            "pseudo device in the header", "--- ++FilteredSecPolicy++w== 2020-07-23 12:10:43 BST ---\n",
            "1! `++FilteredSecPolicy++w==` is not a device; it is the ID of the filtered security policy"),
        Row(
            "device-id of another device", header + "device-id: \(SampleDevice.nexus)\n",
            "1! `device-id` is `\(SampleDevice.nexus)`, but the record is that of `\(id)`"),
        Row("header without its end", "--- \(id) 2020-07-23 12:10:43 BST\n", "1! \(wrongHeader)"),
        Row("header with more behind", "--- \(id) 2020-07-23 12:10:43 BST --- \n", "1! \(wrongHeader)"),
        Row(
            "header of a short ID", "--- qZka0yfv+ExvOq3PRh6pGw= 2020-07-23 12:10:43 BST ---\n",
            "1! `qZka0yfv+ExvOq3PRh6pGw=` is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"),
        Row("header alone", "--- \n" + "ip: 1\n", "1! \(wrongHeader)"),
        Row("header of two dashes", "--- ---\n", "1! \(wrongHeader)"),
        Row(
            "header without a time", "--- \(id)  ---\n", "1! `` is not a time `YYYY-MM-DD hh:mm:ss ZZZ`"),
        Row(
            "header of a wrong ID", "--- qZka0yfv-ExvOq3PRh6pGw== 2020-07-23 12:10:43 BST ---\n",
            "1! `qZka0yfv-ExvOq3PRh6pGw==` \(wrongID)"),
        Row("both lists of flags", header + "public-flags: a\nflags-all: a\n", "3! key `flags-all` is given twice"),
        Row(
            "both, the other way round", header + "flags-all:\npublic-flags:\n", "3! key `public-flags` is given twice"),
        Row("a key twice", header + "ip: 1\nip: 1\n", "3! key `ip` is given twice"),
        Row("a key twice that nobody needs", header + "x: 1\ny: 2\nx: 1\n", "4! key `x` is given twice"),
        Row("device-id twice", header + "device-id: \(id)\ndevice-id: \(id)\n", "3! key `device-id` is given twice"),
        Row("line without a key", header + "ip 1\n", "2! line without a key; hint: a line of a record is `key: value`"),
        Row(
            "key without a space behind its colon", header + "ip:1\n",
            "2! line without a key; hint: a line of a record is `key: value`"),
        Row(
            "continuation of nothing", header + " x\n",
            "2! this line starts with a space, but there is no value that it could continue"),
        Row(
            "space in the list of flags", header + "public-flags: rooted, xposed\n",
            "1! ` xposed` in the list of flags holds white space; \(joined)"),
        Row(
            "space behind the list", header + "public-flags: rooted \n",
            "1! `rooted ` in the list of flags holds white space; \(joined)"),
        Row(
            "tab in the list", header + "public-flags: rooted,\txposed\n",
            "1! `\txposed` in the list of flags holds white space; \(joined)"),
        Row(
            "empty name in the list", header + "public-flags: rooted,,xposed\n",
            "1! empty name in the list of flags `rooted,,xposed`"),
        Row("comma behind the list", header + "flags-all: rooted,\n", "1! empty name in the list of flags `rooted,`"),
        Row(
            "list of flags over two lines", header + "public-flags: rooted,\n xposed\n",
            "1! the list of flags spans several lines"),
        Row(
            "blanks instead of rejections", header + "rejection-flags:   \n",
            "1! `  ` in the list of flags holds white space; \(joined)"),
        Row(
            "space in the rejections", header + "rejection-flags: rooted, filter:a\n",
            "1! ` filter:a` in the list of flags holds white space; \(joined)"),
        Row(
            "empty name among the rejections", header + "rejection-flags: rooted,\n",
            "1! empty name in the list of flags `rooted,`"),
        Row(
            "rejections over two lines", header + "rejection-flags: rooted,\n xposed\n",
            "1! the list of rejections spans several lines"),
        Row("line before the first record", "ip: 1\n", "1! line outside a record; hint: \(start)"),
    ]

    @Test(arguments: rows) func tellsWhatIsWrongAndGoesOn(_ row: Row) throws {
        let read = try ReadCapture(row.text + Self.sound, format: .info)
        #expect(read.lines.first == row.problem)
        #expect(read.lines.count == 2)
        #expect(read.lines.last?.hasSuffix(": 2020-07-23T11:10:44Z \(SampleDevice.bob)") == true)
    }

    @Test func anIDOverSeveralLinesIsToldAsItIs() throws {
        let read = try ReadCapture(Self.captured + "device-id: \(Self.id)\n x\n", format: .info)
        #expect(read.lines.count == 1)
        #expect(read.lines.first?.contains("captured") == false)
    }

    @Test func theFirstThingThatIsWrongIsTold() throws {
        let read = try ReadCapture(Self.header + "ip\nip: 1\nip: 1\npublic-flags: ,\n")
        #expect(read.lines == ["2! line without a key; hint: a line of a record is `key: value`"])
    }

    @Test func textThatIsNotUTF8IsMalformed() throws {
        let bytes = Array((Self.header + "app-name: x").utf8) + [0xFF, 0x0A] + Array(Self.sound.utf8)
        let position = Self.header.utf8.count + "app-name: x".utf8.count + 1
        #expect(try ReadCapture(bytes: bytes).lines.first == "1! not UTF-8 at byte \(position) of the record")
        #expect(try ReadCapture(bytes: bytes).lines.count == 2)
    }

    @Test func the129thFlagIsNamed() throws {
        // 37 flags are built in, so 91 more fit.
        let names = (1...91).map { "flag\($0)" }
        let full = Self.header + "public-flags: \(names.joined(separator: ","))\n"
        let read = try ReadCapture(full + Self.header + "public-flags: flag1,one-more\n" + Self.sound)
        #expect(read.lines.first == "1: 2020-07-23T11:10:43Z \(Self.id) \(names.joined(separator: ","))")
        #expect(read.lines.dropFirst().first == "3! flag `one-more` is one too many; there can be at most 128 flags")
        #expect(read.lines.count == 3)
    }

    @Test func aRefusedListLeavesNoFlagsBehind() throws {
        let names = (1...91).map { "flag\($0)" }.joined(separator: ",")
        let text = Self.header + "public-flags: new1,new2, new3\n" + Self.header + "public-flags: \(names)\n"
        #expect(try ReadCapture(text).lines.last?.hasSuffix(",flag91") == true)
    }
}
