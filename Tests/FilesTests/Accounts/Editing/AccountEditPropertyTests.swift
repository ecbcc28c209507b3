import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// Commands by chance on account files by chance: the file says the same as the account in memory, in every form, and no comment
/// gets lost that was on a line of its own or on something that is still there.
@Suite struct AccountEditPropertyTests {
    @Test(arguments: Exhaustive.seeds(0...99, each: 9)) func fileAndAccountAgree(seed: UInt64) throws {
        let generator = AccountFileGenerator(seed: seed)
        var edited = try EditedAccount(generator.text)
        var commands = CommandGenerator(seed: seed)
        var history: [String] = []
        var notes = generator.owners
        for _ in 0..<25 {
            let line = commands.next()
            history.append(line)
            do {
                try edited.carryOut(line)
            } catch let error as CommandError {
                // The account refuses it; the file is not asked.
                #expect(!error.description.isEmpty)
                continue
            }
            let present = Self.owners(in: edited)
            notes = notes.filter { present.contains($0.value) }
            let lost = Self.lines(generator.text).filter { !Self.lines(edited.text).contains($0) }
            #expect(lost.isEmpty, "\(history) \(generator.text) \(edited.text)")
            let lostNotes = notes.keys.filter { !edited.text.contains($0) }
            #expect(lostNotes.isEmpty, "\(lostNotes) \(history) \(generator.text) \(edited.text)")
        }
    }

    // The comments that have a line for themselves, without their indentation.
    private static func lines(_ text: String) -> Set<String> {
        Set(
            text.split(whereSeparator: \.isNewline).map { String($0.trimmingPrefix { $0 == " " }) }.filter {
                $0.hasPrefix("# line")
            })
    }

    private static func owners(in edited: EditedAccount) -> Set<String> {
        let account = edited.account
        let keys = edited.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.firstMatch(of: /^([a-z-]+):/).map { String($0.output.1) }
        }
        return Set(
            keys + account.filters.map(\.name) + account.devices.map(\.id.description)
                + account.apiDomains.map(\.name) + account.appSigningCertificates)
    }

    // Every kind of command gets its chance, and most are carried out.
    @Test func commandsAreOfEveryKind() throws {
        var (kinds, carriedOut, count) = (Set<String>(), 0, 0)
        for seed in 0..<20 as Range<UInt64> {
            var account = try EditedAccount(AccountFileGenerator(seed: seed).text).account
            var commands = CommandGenerator(seed: seed)
            for _ in 0..<40 {
                let line = commands.next()
                count += 1
                guard (try? ManagementCommand(line).apply(to: &account, in: CommandContext())) != nil else { continue }
                carriedOut += 1
                kinds.insert(line.split(separator: " ").prefix(2).joined(separator: " "))
            }
        }
        #expect(kinds.count >= 20, "\(kinds.sorted())")
        #expect(carriedOut * 3 > count, "\(carriedOut) of \(count)")
    }
}

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

/// Management commands by chance, valid ones and such as are refused.
struct CommandGenerator {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed, path: "commands")
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(chance.next() % UInt64(elements.count))]
    }

    /// The next command.
    mutating func next() -> String {
        switch pick(["policy", "filter", "filter", "device", "device", "service", "domain"]) {
        case "policy": policy()
        case "filter": filter()
        case "device": device()
        case "service": service()
        default: domain()
        }
    }

    private mutating func policy() -> String {
        pick([
            "policy -set default,\(pick(["default", "strict", "allow-root", "allow-xposed"])),\(pick(["default", "risk"]))",
            "policy -addRejectFlag \(flag())", "policy -addRejectFlag \(flag())", "policy -removeRejectFlag \(flag())",
            "policy -setARC \(pick(["on", "off"]))", "policy -setAudience \(pick(["on", "off"]))",
            "policy -setIssuer \(pick(["on", "off"]))", "policy -setIPTracking \(pick(["none", "token", "full"]))",
            "policy -setPinningTestURL https://\(pick(["a", "b"])).com:443", "policy -removePinningTestURL",
            "filter -setSamplingPercentage \(pick(["0", "0.1", "12.5"]))",
        ])
    }

    private mutating func flag() -> String { pick(["automated", "debug", "rooted", "frida", "automated-launch"]) }

    private mutating func filter() -> String {
        let name = "f\(pick(Array(0...6)))"
        let option = pick(["", " -reject", " -ban -risky", " -newDIDOnly", " -captureDeviceInfo"])
        return pick([
            "filter -add \(name) -key \(pick(["ip", "device"])) -matchValue '\(value())'\(option)",
            "filter -add \(name) -key device -matchValue '\(pick(["^1\\.2", "Android 7", "a|b", "[\"]"]))' -regex\(option)",
            "filter -add \(name) -conjunction \(pick(["f0", "f0+f1", "f1+f0", "f2+f0"]))\(option)",
            "filter -remove \(name)",
        ])
    }

    private mutating func value() -> String {
        pick(["1.2.3.4", "a: b", "x # y", " z", "", "{", "\"", "ä🚗", "-", "\\"])
    }

    private mutating func device() -> String {
        let id = pick(AccountFileGenerator.devices)
        return pick([
            "device -add \(id) -policy default,\(pick(["whitelist", "blacklist"])),all",
            "device -add \(id) -label '\(pick(["L1", "a: b", "it-s # x", "ü"]))'", "device -add \(id)",
            "device -add \(id) -pinMode \(pick(["pin", "unpin", "blockAll"]))",
            "device -add \(id) -banMode \(pick(["ban", "unban"])) -probeURL https://a.b:443", "device -remove \(id)",
            "device -removeMatching \(pick(["Me", "L1", "admin"]))",
        ])
    }

    private mutating func service() -> String {
        pick(
            registrations() + [
                "devicecheck -addAuthKey AuthKey_\(pick(["A", "B"])).p8 -teamID \(pick(["T", "U"]))",
                "devicecheck -addAuthKey AuthKey_C.p8 -bits \(pick(["none", "bit0", "both"])) -expiry \(pick(["12", "3"]))",
                "devicecheck -remove", "safetynet -set \(pick(["X", "'Y: Z'"]))", "safetynet -remove",
                "appsigncert -add \(pick(AccountFileGenerator.certificates))",
                "appsigncert -remove \(pick(AccountFileGenerator.certificates))",
            ])
    }

    private mutating func registrations() -> [String] {
        let version = pick(["1", "'2.0[3]'"])
        let options = pick(["", " -bundle", " -sdk 'Android(2.6.0)' -versionName 'a: b'", " -unversioned"])
        return [
            "registration -add a.aab -signature S= -appID a -appVersion \(version) -libraryID 1\(options)",
            "registration -remove S=a-1-1", "registration -remove 'S=a-a: b-1'", "registration -remove 'S=a-*-1'",
        ]
    }

    private mutating func domain() -> String {
        let name = "d\(pick(Array(0...5))).com"
        return pick([
            "api -add \(name)", "api -add \(name) -pinOnly", "api -add \(name) -keySetKID k -port 8443",
            "pin -api \(name) -add key:\(pick(["A", "B", "C"]))", "pin -api \(name) -remove key:\(pick(["A", "B"]))",
            "api -add \(name) -jwe -pinType none", "api -remove \(name)",
        ])
    }
}

/// An account file in memory that commands edit.
struct EditedAccount {
    /// The whole file.
    private(set) var text: String
    /// The account that the file says.
    private(set) var account: Account

    init(_ text: String) throws {
        self.text = text
        account = try Self.file(text).account
    }

    /// Carries a command out; the file then says just the resulting account.
    ///
    /// - Throws: ``CommandError`` or ``EditFailure``; nothing is changed then.
    mutating func carryOut(_ line: String, at time: Instant? = nil) throws {
        var changed = account
        _ = try ManagementCommand(line).apply(to: &changed, in: CommandContext(time: time))
        let bytes = try Self.file(text).bytes(saying: changed)
        if let bytes { text = String(decoding: bytes, as: UTF8.self) }
        account = changed.withoutPast
        try expect(Self.file(text).account, equals: account)
    }

    private static func file(_ text: String) throws -> AccountFile {
        var diagnostics = Diagnostics()
        let file = AccountFile(bytes: Array(text.utf8), path: "file.yaml", diagnostics: &diagnostics)
        #expect(!diagnostics.hasErrors, "\(diagnostics.all.map(\.rendered)) in \(text)")
        return try #require(file)
    }
}
