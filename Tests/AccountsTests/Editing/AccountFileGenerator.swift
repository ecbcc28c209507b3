@testable import Documents
@testable import TestSupport

/// Account files by chance, in all forms that people write, with comments wherever they are allowed.
struct AccountFileGenerator {
    private var chance: SeededGenerator
    private var lines: [String] = []
    private var comments = 0

    /// The subjects of the comments behind entries: a comment stays as long as its subject does.
    private(set) var owners: [String: String] = [:]

    static let devices = [
        "h4gubfCFzJu81j/U2BJsdg==", "VI2c+UugQ6L7v0wkovXOSg==", "iDpOemiTdame9qvAQF4w/g==", "ExampleApproovTokenDID==",
        "++FilteredSecPolicy++w==",
    ]
    static let certificates = (0...4).map { "00:11:22:33:44:55:66:0\($0)" }

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed, path: "account file")
        write()
        let lineBreak = roll(5) == 0 ? "\r\n" : "\n"
        text = lines.joined(separator: lineBreak) + (roll(4) == 0 ? "" : lineBreak)
    }

    /// The whole file, in some of them with the line breaks of another system, and in some without the last one.
    private(set) var text = ""

    private mutating func roll(_ count: Int) -> Int { Int(chance.next() % UInt64(count)) }

    private mutating func write() {
        comment(indentation: 0)
        lines.append("account: prod" + note("account"))
        if roll(2) == 0 { setting("policy", "default,allow-xposed,risk") }
        if roll(2) == 0 { rejectFlags() }
        if roll(2) == 0 { setting("arc", "off") }
        if roll(3) == 0 { setting("pinning-test-url", "https://a.com") }
        if roll(3) == 0 { setting("sampling-percentage", "0.10") }
        list("filters", (0...roll(4)).map { number in ("f\(number)", filter(number)) })
        list("devices", (0...roll(4)).map { (Self.devices[$0], [("id", Self.devices[$0])] + extras($0)) })
        if roll(2) == 0 { service("devicecheck", [("team-id", "T"), ("key-id", "K"), ("bits", "both")]) }
        if roll(2) == 0 { service("safetynet", [("api-key", "S"), ("daily-quota", "5")]) }
        texts("app-signing-certs", Array(Self.certificates.prefix(roll(4))))
        list("apis", (0...roll(3)).map { ("d\($0).com", [("domain", "d\($0).com")]) })
        comment(indentation: 0)
    }

    private func filter(_ number: Int) -> [(String, String)] {
        let test = number == 3 ? [("conjunction", "[f0]")] : [("key", "ip"), ("match", "1.2.3.\(number)")]
        return [("name", "f\(number)")] + test
    }

    private mutating func extras(_ number: Int) -> [(String, String)] {
        number < 4 && roll(2) == 0 ? [("label", "'L\(number)'"), ("user", "Me")] : []
    }

    private mutating func setting(_ key: String, _ value: String) {
        comment(indentation: 0)
        let quote = value.hasPrefix("{") ? "" : ["", "'", "\""][roll(3)]
        lines.append("\(key): \(quote)\(value)\(quote)" + note(key))
    }

    private mutating func service(_ key: String, _ fields: [(String, String)]) {
        guard roll(2) == 0 else { return setting(key, braces(fields)) }
        comment(indentation: 0)
        lines.append("\(key):" + note(key))
        for (name, value) in fields.dropLast(roll(2)) {
            comment(indentation: 4)
            lines.append("    \(name): \(value)")
        }
    }

    private mutating func rejectFlags() {
        comment(indentation: 0)
        if roll(2) == 0 {
            lines.append("reject-flags: {add: [automated], remove: [debug]}")
        } else {
            lines += ["reject-flags:", "  remove:", "    - debug", "  add: [automated-launch]"]
        }
    }

    private mutating func texts(_ key: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        comment(indentation: 0)
        lines.append("\(key):")
        for text in texts {
            comment(indentation: 2)
            lines.append("  - \"\(text)\"" + note(text))
        }
    }

    private mutating func list(_ key: String, _ items: [(name: String, fields: [(String, String)])]) {
        comment(indentation: 0)
        let form = roll(4)
        if form == 3 { return brackets(key, items) }
        lines.append("\(key):" + note(key))
        let dash = form == 0 ? "- " : "  - "
        let isBlock = roll(2) == 0
        for (name, fields) in items {
            comment(indentation: dash.count - 2)
            if isBlock {
                for (index, field) in fields.enumerated() {
                    let start = index == 0 ? dash : String(repeating: " ", count: dash.count)
                    lines.append("\(start)\(field.0): \(field.1)" + (index == 0 ? note(name) : ""))
                }
            } else {
                lines.append(dash + braces(fields) + note(name))
            }
        }
    }

    private mutating func brackets(_ key: String, _ items: [(name: String, fields: [(String, String)])]) {
        guard roll(2) == 0 else {
            return lines.append("\(key): [\(items.map { braces($0.fields) }.joined(separator: ", "))]" + note(key))
        }
        lines.append("\(key): [" + note(key))
        for (index, item) in items.enumerated() {
            comment(indentation: 4)
            lines.append("    \(braces(item.fields))\(index + 1 < items.count ? "," : "")" + note(item.name))
        }
        lines.append("  ]")
    }

    private func braces(_ fields: [(String, String)]) -> String {
        "{\(fields.map { "\($0.0): \($0.1)" }.joined(separator: ", "))}"
    }

    private mutating func comment(indentation: Int) {
        guard roll(2) == 0 else { return }
        comments += 1
        if roll(3) == 0 { lines.append("") }
        lines.append(String(repeating: " ", count: indentation) + "# line \(comments), not key: value")
    }

    private mutating func note(_ owner: String) -> String {
        guard roll(2) == 0 else { return "" }
        comments += 1
        owners["# note \(comments) - on it"] = owner
        return "  # note \(comments) - on it"
    }
}
