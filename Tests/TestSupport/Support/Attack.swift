import Testing

/// A name that a stranger chose so that it does harm in a report.
struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }

    /// Texts that act in some form, or on whoever reads it. Without white space, so that each can also be the name of a
    /// flag.
    static let all = [
        Attack(name: "script", text: "<script>alert(1)</script>"),
        Attack(name: "end of an attribute", text: "\"'><img/src=x/onerror=alert(1)>"),
        Attack(name: "end of CDATA and of a comment", text: "]]>--><b>"),
        Attack(name: "entity", text: "&lt;b&gt;&amp;&#60;"),
        Attack(name: "end of a style", text: "</style></title></svg><i>"),
        Attack(name: "bar of a table", text: "a|b|c"),
        Attack(name: "workflow command", text: "::error::stop"),
        Attack(name: "turned direction", text: "abc\u{202E}cba\u{2066}\u{200F}"),
        Attack(name: "escape sequence", text: "\u{1B}[2J\u{1B}]0;title\u{07}"),
        Attack(name: "control characters", text: "a\u{00}b\u{08}\u{7F}\u{9B}31m"),
        Attack(name: "quotes", text: "a\"b'c`d"),
        Attack(name: "backslash", text: "a\\\"b\\n"),
        Attack(name: "formula", text: "=cmd()"),
        Attack(name: "formula by another sign", text: "@SUM(1)+1"),
        Attack(
            name: "people, issues and pages",
            text: "@octocat,o/r#12,!34,~bug,%v1,$5,a@b.io,https://x.io,www.x.io,:tada:"),
        Attack(name: "invisible marks", text: "a\u{FEFF}\u{E0041}\u{2060}b"),
    ]

    /// With ends of lines, too.
    static let withLines = all + [Attack(name: "ends of lines", text: "a\r\nb\nc\u{2028}::error::d")]

    /// Characters that must be in no report as they are.
    static let forbidden: [Unicode.Scalar] =
        (0...0x1F).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }.compactMap { Unicode.Scalar(UInt32($0)) }
        + ["\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{2028}", "\u{FEFF}", "\u{2060}", "\u{E0041}"]
}
