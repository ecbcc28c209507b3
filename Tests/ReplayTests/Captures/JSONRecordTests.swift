import Testing

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
