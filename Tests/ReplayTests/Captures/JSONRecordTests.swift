import Testing

@testable import Replay
@testable import TestSupport

/// JSON Lines, the forms that are read (formats: Captures, 3).
@Suite struct JSONRecordTests {
    struct Row: LabelledRow {
        let name, members: String
        var attributes: [String] = []
        let rest: String

        init(_ name: String, _ members: String, attributes: [String] = [], _ rest: String) {
            (self.name, self.members, self.attributes, self.rest) = (name, members, attributes, rest)
        }
    }

    private static let id = SampleDevice.iphone
    private static let start = "\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(id)\""
    private static let plain = "1: 2020-07-23T11:10:43Z \(id)"

    static let rows = [
        Row("time and device alone", "", ""),
        Row("flags as text", #","public-flags":"rooted,xposed""#, "rooted,xposed"),
        Row("flags under their third name", #","flags":"rooted,xposed""#, "rooted,xposed"),
        Row("flags under the filters' name", #","flags-all":"rooted""#, "rooted"),
        Row("flags as an array", #","flags":["xposed","rooted"]"#, "rooted,xposed"),
        Row("array with spaces between", #", "flags" : [ "xposed" , "rooted" ] "#, "rooted,xposed"),
        Row("empty array", #","flags":[]"#, ""),
        Row("empty text", #","public-flags":"""#, ""),
        Row("null flags", #","public-flags":null"#, ""),
        Row("null beside another name", #","flags":null,"public-flags":"rooted""#, "rooted"),
        Row("null behind another name", #","public-flags":"rooted","flags-all":null"#, "rooted"),
        Row("null by all names", #","public-flags":null,"flags-all":null,"flags":null"#, ""),
        Row("misspelt flag", #","flags":["devicecheck-complated"]"#, "devicecheck-completed"),
        Row("passed by the service", #","rejection-flags":"""#, "service:pass"),
        Row("failed by the service", #","rejection-flags":"rooted""#, "service:fail"),
        Row("null is absent, not empty", #","rejection-flags":null"#, ""),
        Row("system", #","device":"Android 8.1.0, Nexus 5X""#, "os:and"),
        Row("attribute", #","ip":"1.2.3.4""#, attributes: ["ip"], "ip=1.2.3.4"),
        Row("attribute nobody needs", #","ip":"1.2.3.4","x":{}"#.replacing("{}", with: "\"\""), ""),
        Row("empty attribute", #","ip":"""#, attributes: ["ip"], "ip="),
        Row("null attribute", #","ip":null"#, attributes: ["ip"], ""),
        Row("the ID as an attribute", "", attributes: ["device-id"], "device-id=\(id)"),
    ]

    static let tokens = [
        Row("whole number", #","sdkid":4000"#, attributes: ["sdkid"], "sdkid=4000"),
        Row("negative number", #","sdkid":-7 "#, attributes: ["sdkid"], "sdkid=-7"),
        Row("zero", #","sdkid":0"#, attributes: ["sdkid"], "sdkid=0"),
        Row("number as it is written", #","sdkid":1.50e+03"#, attributes: ["sdkid"], "sdkid=1.50e+03"),
        Row(
            "number of many digits", #","n":123456789012345678901234567890"#, attributes: ["n"],
            "n=123456789012345678901234567890"),
        Row("true", #","x":true"#, attributes: ["x"], "x=true"),
        Row("false, with a space behind it", #","x":false ,"y":1"#, attributes: ["x"], "x=false"),
    ]

    static let strings = [
        Row("escapes", #","x":"a\"b\\c\/d\te\u0041""#, attributes: ["x"], "x=a\"b\\c/d\teA"),
        Row("newline", #","x":"a\nb""#, attributes: ["x"], "x=a\nb"),
        Row("surrogate pair", #","x":"\ud83d\ude97""#, attributes: ["x"], "x=🚗"),
        Row("escaped zero", #","x":"a\u0000b""#, attributes: ["x"], "x=a\0b"),
        Row("UTF-8", #","x":"Ünï 🚗""#, attributes: ["x"], "x=Ünï 🚗"),
        Row("escaped key", #","public\u002dflags":"rooted""#, "rooted"),
        Row("escaped flag in an array", #","flags":["r\u006foted","xposed"]"#, "rooted,xposed"),
        Row("key beyond ASCII", #","schlüssel":"1""#, attributes: ["schlüssel"], "schlüssel=1"),
        Row("empty key", #","":"1""#, ""),
        Row("colons and braces in text", #","x":"{a: [b]}, c""#, attributes: ["x"], "x={a: [b]}, c"),
    ]

    @Test(arguments: rows + tokens + strings) func reads(_ row: Row) throws {
        let expected = row.rest.isEmpty ? Self.plain : "\(Self.plain) \(row.rest)"
        let read = try ReadCapture("{\(Self.start)\(row.members)}\n", attributes: row.attributes)
        #expect(read.lines == [expected])
    }

    @Test(arguments: rows + tokens + strings) func theOrderOfKeysDoesNotMatter(_ row: Row) throws {
        guard !row.members.isEmpty else { return }
        let expected = row.rest.isEmpty ? Self.plain : "\(Self.plain) \(row.rest)"
        let read = try ReadCapture("{\(row.members.dropFirst()),\(Self.start)}\n", attributes: row.attributes)
        #expect(read.lines == [expected])
    }

    static let times = [
        ("2020-07-23T11:10:43Z", "2020-07-23T11:10:43Z"), ("2020-07-23t11:10:43z", "2020-07-23T11:10:43Z"),
        ("2020-07-23 11:10:43Z", "2020-07-23T11:10:43Z"), ("2020-07-23T12:10:43+01:00", "2020-07-23T11:10:43Z"),
        ("2020-07-22T23:40:43-11:30", "2020-07-23T11:10:43Z"), ("2020-07-23T11:10:43.9Z", "2020-07-23T11:10:43Z"),
        ("2020-07-23T11:10:43.000000001+00:00", "2020-07-23T11:10:43Z"),
        ("2020-01-01T00:30:00+01:00", "2019-12-31T23:30:00Z"), ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59Z"),
    ]

    @Test(arguments: times) func readsTimes(written: String, meant: String) throws {
        let text = "{\"time\":\"\(written)\",\"device-id\":\"\(Self.id)\"}\n"
        #expect(try ReadCapture(text).lines == ["1: \(meant) \(Self.id)"])
    }

    @Test(arguments: ["\u{FEFF}", "", "\n", "\r\n", "getting new devices\n", "   \n\n"])
    func linesBetweenAndAMarkAreSkipped(before: String) throws {
        let text = before + "{\(Self.start)}\n\n \r\n{\(Self.start)}\r\n  {\(Self.start)}"
        let first = before.filter(\.isNewline).count + 1
        #expect(
            try ReadCapture(text).lines.map { $0.split(separator: ":")[0] } == [
                "\(first)", "\(first + 3)", "\(first + 4)",
            ])
    }

    @Test func aMissingLastNewlineIsNoReasonToWarn() throws {
        let replayed = try ReplayBench.replay("{\(Self.start),\"flags\":[]}")
        #expect(replayed.messages == [])
        #expect(replayed.metric("pass") == 1)
    }
}

/// JSON Lines that are malformed (formats: Captures, 3).
@Suite struct JSONProblemTests {
    struct Row: LabelledRow {
        let name, line: String
        /// The start of the problem; the words of the JSON reader follow.
        let problem: String

        init(_ name: String, _ line: String, _ problem: String = JSONProblemTests.notJSON) {
            (self.name, self.line, self.problem) = (name, line, problem)
        }
    }

    private static let id = SampleDevice.iphone
    private static let start = "\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(id)\""
    private static let notJSON = "not a JSON object: "

    private static func structure(_ key: String) -> String {
        "the value of `\(key)` is neither text nor a number, a boolean or null"
    }

    static let broken = [
        Row("text behind the object", "{\(start)} x"), Row("two objects", "{\(start)}{\(start)}"),
        Row("comma behind the object", "{\(start)},"), Row("an array", "[{\(start)}]"), Row("text", "\"x\""),
        Row("a number", "5"), Row("nothing known", "x"), Row("cut behind a value", "{\(start)"),
        Row("cut in a string", "{\"time\":\"2020-07"), Row("cut behind a key", "{\(start),\"x\""),
        Row("cut behind a colon", "{\(start),\"x\":"), Row("cut behind a comma", "{\(start),"),
        Row("cut behind a brace", "{"), Row("trailing comma", "{\(start),}"), Row("leading comma", "{,\(start)}"),
        Row("two values", "{\(start) \"x\":1}"), Row("no colon", "{\(start),\"x\" 1}"),
        Row("key without quotes", "{\(start),x:1}"), Row("single quotes", "{\(start),'x':1}"),
        Row("number as a key", "{\(start),1:1}"), Row("bad literal", "{\(start),\"x\":tru}"),
        Row("literal with more behind it", "{\(start),\"x\":truex}"), Row("NaN", "{\(start),\"x\":NaN}"),
        Row("bad null", "{\(start),\"x\":nul}"), Row("leading zero", "{\(start),\"x\":01}"),
        Row("plus sign", "{\(start),\"x\":+1}"), Row("point without digits", "{\(start),\"x\":1.}"),
        Row("exponent without digits", "{\(start),\"x\":1e}"), Row("minus alone", "{\(start),\"x\":-}"),
        Row("unknown escape", #"{\#(start),"x":"\q"}"#), Row("cut escape", #"{\#(start),"x":"\u12"}"#),
        Row("lone high surrogate", #"{\#(start),"x":"\ud83d"}"#),
        Row("lone low surrogate", #"{\#(start),"x":"\ude97"}"#),
        Row("surrogates the wrong way round", #"{\#(start),"x":"\ude97\ud83d"}"#),
        Row("tab in text", "{\(start),\"x\":\"a\tb\"}"), Row("wrong bracket", "{\(start)]"),
        Row("comment", "{\(start)} // x"),
    ]

    static let structures = [
        Row("nested object", "{\(start),\"x\":{}}", structure("x")),
        Row("nested object that is full", "{\(start),\"x\":{\"a\":[1,{\"b\":null}]}}", structure("x")),
        Row("array of an attribute", "{\(start),\"x\":[\"a\"]}", structure("x")),
        Row("empty array of an attribute", "{\(start),\"x\":[]}", structure("x")),
        Row("array under the other names of flags", "{\(start),\"public-flags\":[\"a\"]}", structure("public-flags")),
        Row("array of numbers", "{\(start),\"flags\":[1]}", structure("flags")),
        Row("array with null", "{\(start),\"flags\":[\"a\",null]}", structure("flags")),
        Row("array in an array", "{\(start),\"flags\":[[\"a\"]]}", structure("flags")),
        Row("flag with a comma in an array", "{\(start),\"flags\":[\"a,b\"]}", structure("flags")),
        Row("empty flag in an array", "{\(start),\"flags\":[\"\"]}", structure("flags")),
        Row("array as the time", "{\"time\":[],\"device-id\":\"\(id)\"}", structure("time")),
    ]

    static let meanings = [
        Row("a key twice", "{\(start),\"x\":1,\"x\":1}", "key `x` is given twice"),
        Row("a key twice, once escaped", #"{\#(start),"x":1,"\u0078":1}"#, "key `x` is given twice"),
        Row("a key twice, once null", "{\(start),\"ip\":null,\"ip\":\"1\"}", "key `ip` is given twice"),
        Row("a key twice, null behind", "{\(start),\"ip\":\"1\",\"ip\":null}", "key `ip` is given twice"),
        Row("null twice", "{\(start),\"ip\":null,\"ip\":null}", "key `ip` is given twice"),
        Row(
            "space in the rejections", "{\(start),\"rejection-flags\":\" \"}",
            "` ` in the list of flags holds white space"),
        Row("time twice", "{\(start),\"time\":\"2020-07-23T11:10:43Z\"}", "key `time` is given twice"),
        Row(
            "flags by two names", "{\(start),\"flags\":\"a\",\"public-flags\":\"a\"}",
            "key `public-flags` is given twice"),
        Row("flags by two other names", "{\(start),\"flags-all\":\"a\",\"flags\":[]}", "key `flags` is given twice"),
        Row("no time", "{\"device-id\":\"\(id)\"}", "record without `time`"),
        Row("null time", "{\"time\":null,\"device-id\":\"\(id)\"}", "record without `time`"),
        Row("no device-id", "{\"time\":\"2020-07-23T11:10:43Z\"}", "record without `device-id`"),
        Row("empty object", "{}", "record without `device-id`"),
        Row("number as device-id", "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":1}", "`1` is not a device ID"),
        Row(
            "pseudo device", "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"++FilteredSecPolicy++w==\"}",
            "`++FilteredSecPolicy++w==` is not a device"),
        Row("space in the flags", "{\(start),\"flags\":\"a, b\"}", "` b` in the list of flags holds white space"),
        Row(
            "space in a flag of an array", "{\(start),\"flags\":[\"a \"]}",
            "`a ` in the list of flags holds white space"),
        Row("empty name", "{\(start),\"flags\":\",\"}", "empty name in the list of flags `,`"),
    ]

    static let times = [
        "2020-07-23T11:10:43", "2020-07-23", "2020-02-30T11:10:43Z", "2020-07-23T24:00:00Z", "2020-07-23T11:10:43.Z",
        "2020-07-23T11:10:43 Z", "2020-07-23T11:10:43 BST", "2020-07-23T11:10:43+0100", "2020-07-23T11:10:43Z ",
        "1595502643", "",
    ]
    .map { Row("time `\($0)`", "{\"time\":\"\($0)\",\"device-id\":\"\(id)\"}", "`\($0)` is not a time of RFC 3339") }

    @Test(arguments: broken + structures + meanings + times) func tellsWhatIsWrongAndGoesOn(_ row: Row) throws {
        let read = try ReadCapture("{\(Self.start)}\n\(row.line)\n{\(Self.start)}\n", format: .jsonl)
        #expect(read.lines.count == 3)
        #expect(read.lines[1].hasPrefix("2! \(row.problem)"), "\(read.lines[1])")
        #expect(read.lines.last == "3: 2020-07-23T11:10:43Z \(Self.id)")
    }

    @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0xBD], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func textThatIsNotUTF8IsMalformed(_ wrong: [UInt8]) throws {
        let before = Array("{\(Self.start),\"x\":\"".utf8)
        let bytes = before + wrong + Array("\"}\n{\(Self.start)}\n".utf8)
        let lines = try ReadCapture(bytes: bytes).lines
        #expect(lines.first?.hasPrefix("1! \(Self.notJSON)") == true)
        #expect(lines.last == "2: 2020-07-23T11:10:43Z \(Self.id)")
        #expect(lines.count == 2)
    }

    @Test func aLineWithoutItsEndMayHaveBeenCut() throws {
        let hint = "; hint: the capture ends within this line; it may have been cut"
        let cut = try ReadCapture("{\(Self.start)}\n{\(Self.start)").lines
        #expect(cut.last?.hasPrefix("2! \(Self.notJSON)") == true)
        #expect(cut.last?.hasSuffix(hint) == true)
        let whole = try ReadCapture("{\(Self.start)}\n{\(Self.start)\n").lines
        #expect(whole.last?.hasSuffix("; hint: each line holds one JSON object") == true)
    }

    @Test func aDeepStructureIsMalformedAndNothingWorse() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let lines = try ReadCapture("{\(Self.start),\"x\":\(deep)}\n{\(Self.start)}\n").lines
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("1! ") == true)
    }

    @Test func wordsOfTheReaderBecomePartOfASentence() throws {
        let cut = try ReadCapture("{\(Self.start)\n{\(Self.start)}\n").lines.first
        #expect(cut?.hasPrefix("1! not a JSON object: JSON document ended early") == true)
    }

    @Test func moreThan4096KeysAreTooMany() throws {
        let keys = (0..<5000).map { "\"key\($0)\":1" }.joined(separator: ",")
        let lines = try ReadCapture("{\(Self.start),\(keys)}\n{\(Self.start)}\n").lines
        #expect(lines == ["1! more than 4096 different keys in one record", "2: 2020-07-23T11:10:43Z \(Self.id)"])
    }
}

/// The user property as the service sees it (R7.8).
@Suite struct UserPropertyTests {
    static let rows: [Case<String, String?>] = [
        Case("printable ASCII", " ~!'\\09azAZ", gives: " ~!'\\09azAZ"),
        Case("quotes and slashes", "\"a\"/b", gives: "?a??b"),
        Case("control characters", "a\tb\u{7F}", gives: "a?b?"), Case("letters beyond ASCII", "é🚗", gives: "??"),
        Case("a letter of two characters", "e\u{301}", gives: "e?"), Case("nothing", "", gives: ""),
        Case("128 characters", String(repeating: "x", count: 128), gives: String(repeating: "x", count: 128)),
        Case("129 characters", String(repeating: "x", count: 129), gives: nil),
    ]

    @Test("R7.8 a property is sent as ASCII, if it is not too long", arguments: rows)
    func properties(_ row: Case<String, String?>) {
        #expect(UserProperty.sent(row.input) == row.expected)
    }
}
