import Testing

@testable import Replay
@testable import TestSupport

/// Device information, the forms that are read (formats: Captures, 1).
@Suite struct InfoRecordTests {
    struct Row: LabelledRow {
        let name, text: String
        var attributes: [String] = []
        let lines: [String]
    }

    private static let nexus = SampleDevice.nexus
    private static let iphone = SampleDevice.iphone
    private static let header = "--- \(iphone) 2020-07-23 12:10:43 BST ---\n"
    private static let plain = "1: 2020-07-23T11:10:43Z \(iphone)"

    static let forms = [
        Row(name: "header alone", text: header, lines: [plain]),
        Row(name: "header and a matching device-id", text: header + "device-id: \(iphone)\n", lines: [plain]),
        Row(
            name: "captured and device-id", text: "captured: 2020-07-23 11:51:26 BST\ndevice-id: \(nexus)\n",
            lines: ["1: 2020-07-23T10:51:26Z \(nexus)"]),
        Row(
            name: "device-id that is not canonical base64",
            text: "captured: 2020-07-23 11:51:26 BST\ndevice-id: \(SampleDevice.odd)\n",
            lines: ["1: 2020-07-23T10:51:26Z \(SampleDevice.odd)"]),
        Row(
            name: "captured without a space", text: "captured:2020-07-23 11:51:26 UTC\ndevice-id: \(nexus)\n",
            lines: ["1: 2020-07-23T11:51:26Z \(nexus)"]),
        Row(
            name: "CR LF", text: "--- \(iphone) 2020-07-23 12:10:43 BST ---\r\npublic-flags: rooted\r\nip: 1.2.3.4\r\n",
            attributes: ["ip"], lines: ["\(plain) rooted ip=1.2.3.4"]),
        Row(
            name: "last line without newline", text: header + "ip: 1.2.3.4", attributes: ["ip"],
            lines: ["\(plain) ip=1.2.3.4"]),
        Row(
            name: "keys in any order, needed or not",
            text: header + "archid: arm64\nip: 1.2.3.4\npublic-flags: jailbroken\nrejection-flags: jailbroken\n",
            attributes: ["ip"], lines: ["\(plain) jailbroken service:fail ip=1.2.3.4"]),
        Row(
            name: "passed by the service", text: header + "rejection-flags:\n", lines: ["\(plain) service:pass"]),
        Row(
            name: "passed by the service, with a space", text: header + "rejection-flags: \n",
            lines: ["\(plain) service:pass"]),
        Row(
            name: "failed by a filter", text: header + "rejection-flags: rooted,filter:my-ip,policy:blacklist\n",
            lines: ["\(plain) service:fail"]),
        Row(
            name: "flags in catalogue order, whatever their order",
            text: header + "flags-all: xposed,rooted,app-not-registered\n",
            lines: ["\(plain) app-not-registered,rooted,xposed"]),
        Row(name: "one flag twice", text: header + "flags-all: rooted,rooted\n", lines: ["\(plain) rooted"]),
        Row(name: "no flags", text: header + "flags-all:\n", lines: [plain]),
        Row(
            name: "the manual's misspelling", text: header + "public-flags: devicecheck-complated\n",
            lines: ["\(plain) devicecheck-completed"]),
        Row(
            name: "Android", text: header + "device: Android 8.1.0, Nexus 5X\n", lines: ["\(plain) os:and"]),
        Row(name: "iOS", text: header + "device: iOS, 12.1.2, iPhone7,2, en_ES\n", lines: ["\(plain) os:ios"]),
        Row(name: "another system", text: header + "device: android\n", lines: [plain]),
    ]

    static let values = [
        Row(
            name: "value with colons", text: header + "device-props: {'a':'b: c','d':'e:user/x'}\n",
            attributes: ["device-props"], lines: ["\(plain) device-props={'a':'b: c','d':'e:user/x'}"]),
        Row(
            name: "key with a colon", text: header + "a:b: c: d\n", attributes: ["a:b"],
            lines: ["\(plain) a:b=c: d"]),
        Row(
            name: "key at the line's end", text: header + "empty:\nip: 1\n", attributes: ["empty", "ip"],
            lines: ["\(plain) empty= ip=1"]),
        Row(
            name: "key with a colon at the line's end", text: header + "a:b:\n", attributes: ["a:b"],
            lines: ["\(plain) a:b="]),
        Row(
            name: "value of spaces", text: header + "ip:   x \n", attributes: ["ip"], lines: ["\(plain) ip=  x "]),
        Row(
            name: "key with spaces", text: header + "two words: x\n", attributes: ["two words"],
            lines: ["\(plain) two words=x"]),
        Row(
            name: "value beyond ASCII", text: header + "app-name: Ünï 🚗\n", attributes: ["app-name"],
            lines: ["\(plain) app-name=Ünï 🚗"]),
        Row(
            name: "continuation", text: header + "note: one\n two\n   three\nip: 1\n", attributes: ["note", "ip"],
            lines: ["\(plain) note=one\n two\n   three ip=1"]),
        Row(
            name: "two values that continue", text: header + "a: 1\n 2\nb: 3\n 4\n", attributes: ["a", "b"],
            lines: ["\(plain) a=1\n 2 b=3\n 4"]),
        Row(
            name: "continuation of what nobody needs", text: header + "other: 1\n rooted: 2\nip: 1\n",
            attributes: ["ip"], lines: ["\(plain) ip=1"]),
        Row(
            name: "continuation that looks like a record's start",
            text: header + "note: 1\n --- \(nexus) 2020-07-23 12:10:43 BST ---\n captured: x\n", attributes: ["note"],
            lines: ["\(plain) note=1\n --- \(nexus) 2020-07-23 12:10:43 BST ---\n captured: x"]),
        Row(
            name: "probe-result of the manual",
            text: header + "probe-result:\n  probe result for https://shapes.approov.io:443:\n   dqP5=: CN=shapes\n",
            attributes: ["probe-result"],
            lines: ["\(plain) probe-result=\n  probe result for https://shapes.approov.io:443:\n   dqP5=: CN=shapes"]),
        Row(
            name: "the ID as an attribute, from the header", text: header, attributes: ["device-id"],
            lines: ["\(plain) device-id=\(iphone)"]),
        Row(
            name: "continuation with CR LF",
            text: "--- \(iphone) 2020-07-23 12:10:43 BST ---\r\na: 1\r\n 2\r\n", attributes: ["a"],
            lines: ["\(plain) a=1\n 2"]),
    ]

    private static let second = "--- \(nexus) 2020-07-23 12:10:44 BST ---\n"

    static let between = [
        Row(
            name: "two records", text: header + second,
            lines: [plain, "2: 2020-07-23T11:10:44Z \(nexus)"]),
        Row(
            name: "what scripts print, and blank lines",
            text: "getting new devices\n\n" + header + "\n  \ngetting new devices\n" + second + "\ngetting x\n\n",
            lines: [
                "3: 2020-07-23T11:10:43Z \(iphone)", "7: 2020-07-23T11:10:44Z \(nexus)",
            ]),
        Row(
            name: "both inside a record", text: header + "\ngetting new devices\npublic-flags: rooted\n",
            lines: ["\(plain) rooted"]),
        Row(
            name: "both forms of a record",
            text: "captured: 2020-07-23 12:10:42 BST\ndevice-id: \(nexus)\n" + header,
            lines: ["1: 2020-07-23T11:10:42Z \(nexus)", "3: 2020-07-23T11:10:43Z \(iphone)"]),
        Row(
            name: "byte order mark", text: "\u{FEFF}" + header, lines: [plain]),
    ]

    @Test(arguments: forms + values + between) func reads(_ row: Row) throws {
        #expect(try ReadCapture(row.text, attributes: row.attributes).lines == row.lines)
    }

    @Test(arguments: forms + values + between) func crlfIsAsGoodAsLF(_ row: Row) throws {
        let text = row.text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
        #expect(try ReadCapture(text, attributes: row.attributes).lines == row.lines)
    }

    @Test func theManualsSampleIsRead() throws {
        let text = """
            captured: 2020-07-23 11:51:26 BST
            rejection-flags: app-not-registered
            public-flags: app-not-registered,rooted,root-risk,xposed,init-config-outdated
            ip: 1.2.3.4
            device-id: qZka0yfv+ExvOq3PRh6pGw==
            device: Android 8.1.0, Nexus 5X, google, bullhead, en
            device-props: {'Model':'Nexus 5X','Fingerprint':'google/bullhead/bullhead:8.1.0/OPM6:user/release-keys'}
            app-version: 3.0(3)

            """
        let flags = "app-not-registered,rooted,root-risk,xposed,init-config-outdated"
        #expect(
            try ReadCapture(text, attributes: ["ip", "app-version"]).lines == [
                "1: 2020-07-23T10:51:26Z \(Self.nexus) \(flags) service:fail os:and ip=1.2.3.4 app-version=3.0(3)"
            ])
    }

    @Test func unknownFlagsComeBehindInOrderOfFirstSight() throws {
        let text = Self.header + "public-flags: zz,aa,rooted\n" + Self.second + "public-flags: bb,aa,zz\n"
        #expect(
            try ReadCapture(text).lines == [
                "\(Self.plain) rooted,zz,aa", "3: 2020-07-23T11:10:44Z \(Self.nexus) zz,aa,bb",
            ])
    }

    @Test func onlyAMissingLastNewlineIsNoted() throws {
        #expect(try ReadCapture(Self.header + "ip: 1").lacksFinalNewline)
        #expect(try ReadCapture(Self.header.replacing("\n", with: "")).lacksFinalNewline)
        #expect(try !ReadCapture(Self.header + "ip: 1\n").lacksFinalNewline)
        #expect(try !ReadCapture(Self.header + "ip: 1\r\n").lacksFinalNewline)
        #expect(try !ReadCapture(Self.header + "\n\n").lacksFinalNewline)
    }
}

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
