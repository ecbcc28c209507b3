import Testing

@testable import Accounts
@testable import TestSupport

/// Command lines are split as a shell would split them.
@Suite struct CommandWordsTests {
    struct Row: LabelledRow {
        let line: String
        let words: [String]

        init(_ line: String, _ words: [String]) { (self.line, self.words) = (line, words) }
    }

    static let rows = [
        Row("", []), Row("   ", []), Row("a", ["a"]), Row(" a\tb \n c ", ["a", "b", "c"]),
        Row(#"a "b c" d"#, ["a", "b c", "d"]), Row("a 'b c' d", ["a", "b c", "d"]), Row(#"a"b c"d"#, ["ab cd"]),
        Row(#"'a'"b"c"#, ["abc"]), Row(#""""#, [""]), Row("''", [""]), Row(#"a '' b"#, ["a", "", "b"]),
        Row(#"a\ b"#, ["a b"]), Row(#"\"a\'"#, [#""a'"#]), Row(#"a\\b"#, [#"a\b"#]), Row(#"\ "#, [" "]),
        Row(#""a\"b""#, [#"a"b"#]), Row(#""a\\b""#, [#"a\b"#]), Row(#"'a\b'"#, [#"a\b"#]), Row(#"'a\'"#, [#"a\"#]),
        Row(#""it's""#, ["it's"]), Row(#"'say "x"'"#, [#"say "x""#]), Row("ü \"é 🚗\"", ["ü", "é 🚗"]),
        Row("'\u{301}x' y", ["\u{301}x", "y"]), Row("x'\u{1F3FD} '", ["x\u{1F3FD} "]),
        Row("a=b,c+d", ["a=b,c+d"]), Row(#"'1\.2'"#, [#"1\.2"#]),
    ]

    static let prompts = [
        Row("$ approov policy -set x", ["policy", "-set", "x"]), Row("approov policy -set x", ["policy", "-set", "x"]),
        Row("$ policy -set x", ["policy", "-set", "x"]), Row("policy -set x", ["policy", "-set", "x"]),
        Row("$  approov  policy", ["policy"]), Row("approov approov", ["approov"]), Row("$", []), Row("$ approov", []),
        Row("policy approov", ["policy", "approov"]),
    ]

    // Inside double quotes `\` is kept before all but `"`, `\`, `$`, a backtick and a newline: else a regex typed as in
    // the manual, in double quotes, would lose its escapes.
    static let kept = [
        Row(#""\d+""#, [#"\d+"#]), Row(#""1\.2\.3\.4""#, [#"1\.2\.3\.4"#]), Row(#""a\\\.b""#, [#"a\\.b"#]),
    ]

    @Test(arguments: rows + prompts + kept) func splits(_ row: Row) throws {
        try expect(CommandWords.split(row.line), equals: row.words)
    }
}
