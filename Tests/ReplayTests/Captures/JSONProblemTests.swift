import Testing

@testable import Replay
@testable import TestSupport

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
