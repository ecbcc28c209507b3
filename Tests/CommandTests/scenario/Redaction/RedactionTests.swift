import CLibrary
import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--redact`: nothing of a device ID, an address or a user property in anything that a command writes.
@Suite struct RedactionTests {
    private static let captures = [
        "Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/captures/afternoon-2020-07-23.jsonl",
    ]

    // Of the long one a third of a thousand records suffice for a quick run.
    private static let texts = captures.compactMap { try? Repository.text(of: $0) }.map { text in
        let lines = text.split(separator: "\n").prefix(Exhaustive.count(5000, whole: 100_000))
        return lines.joined(separator: "\n") + "\n"
    }
    private static let fetches = (try? Repository.text(of: "Scenarios/captures/fetches-2020-07-23.txt")) ?? ""
    private static let identities = Identities(in: texts + [fetches])

    // The captures of the package, and an account whose filters look at what is hidden.
    private static func folder() throws -> (TemporaryFolder, Identities) {
        let (texts, identities) = (Self.texts, Self.identities)
        #expect(identities.devices.count > 600 && identities.addresses.count > 300 && identities.properties.count > 20)
        let folder = try TemporaryFolder(["a.txt": texts[0], "b.jsonl": texts[1], "account.yaml": account])
        try folder.write(Self.fetches, to: "fetches.txt")
        return (folder, identities)
    }

    private static let device = "hMEywo8hWadZjlpRQVMXIA=="

    private static let account = """
        account: shop
        policy: default,default,risk
        devices: [{id: \(device), policy: "default,whitelist,all", label: branch 22}]
        filters:
          - {name: office, key: ip, match: 198.51.100.82}
          - {name: branch, key: user-property, match: branch 22, reject: true}
          - {name: props, key: user-property, regex: "^branch [1-9]", risky: true}

        """

    private static let change =
        #"filter -add more -key user-property -matchValue "branch 20" -reject"#

    struct Row: Sendable, CustomTestStringConvertible {
        let command: [String]
        let form: String
        var testDescription: String { "\(command[0]) as \(form)" }
    }

    private static let replay = ["replay", "@a.txt", "@b.jsonl", "--account=@account.yaml", "--fetches=@fetches.txt"]
    private static let diff = ["diff", "@a.txt", "@b.jsonl", "--account=@account.yaml", "--change", change]

    private static let explain = [
        "explain", "@a.txt", "@b.jsonl", "--account=@account.yaml", "--device", device,
    ]

    private static let rows =
        ["text", "json", "html", "csv"].map {
            Row(command: replay + ["--count=ip,device-id,user-property,device,device-props", "--top=5000"], form: $0)
        }
        + ["csv", "openmetrics", "summary-mail"].map { Row(command: replay, form: $0) }
        + ["text", "json", "markdown", "html", "csv", "junit", "sarif"].map {
            Row(command: diff + ["--max-newly-rejected=0"], form: $0)
        }
        + ["text", "json"].map {
            Row(command: explain, form: $0)
        }
        + ["text", "json", "html"].map { Row(command: ["replay", "@fetches.txt"], form: $0) }

    @Test(arguments: rows) func nothingOfAnybodyIsInAReport(_ row: Row) throws {
        let (folder, identities) = try Self.folder()
        let arguments = row.command + ["--format", row.form]
        let open = ToolRun(arguments + (row.command[0] == "diff" ? ["--no-redact"] : []), in: folder)
        // Otherwise nothing would be tested.
        if !["openmetrics", "junit", "summary-mail"].contains(row.form),
            row.form != "csv" || row.command.contains("--top=5000")
        {
            #expect(!identities.found(in: open.output.replacing("<wbr>", with: "")).isEmpty)
        }
        let run = ToolRun(arguments + ["--redact"], in: folder)
        #expect(run.status == open.status && run.output.utf8.count > 300)
        #expect(identities.found(in: run.output) == [] && identities.found(in: run.error) == [])
        // Neither where a page divides long words.
        guard row.form == "html" else { return }
        expect(identities.found(in: run.output.replacing("<wbr>", with: "")), equals: [])
    }

    @Test func equalStaysEqualOverAllOutputs() throws {
        let (folder, identities) = try Self.folder()
        let replay = ToolRun(
            Self.replay + ["--count=device-id", "--top=5000", "--format=json", "--redact", "--decisions=@decisions"],
            in: folder)
        _ = ToolRun(Self.replay + ["--decisions=@open", "--output=/dev/null"], in: folder)
        let redacted = try #require(folder["decisions"]).split(separator: "\n")
        let open = try #require(folder["open"]).split(separator: "\n")
        #expect(identities.found(in: redacted.joined()) == [] && redacted.count == open.count)
        var names: [String: String] = [:]
        for (hidden, shown) in zip(redacted, open) {
            let name = try #require(hidden.firstMatch(of: /device-[a-z2-7]{12}/)).output
            let id = try #require(shown.firstMatch(of: /[A-Za-z0-9+\/]{22}==/)).output
            #expect(names[String(id), default: String(name)] == name)
            names[String(id)] = String(name)
            // Nothing else is changed.
            expect(hidden.replacing(name, with: id), equals: shown)
        }
        #expect(Set(names.values).count == names.count && names.count > 300)
        let counted = Set(replay.output.matches(of: /device-[a-z2-7]{12}/).map { String($0.output) })
        #expect(counted.isSuperset(of: names.values))
        let mine = try #require(names[Self.device])
        for arguments in [Self.diff, Self.explain] {
            let known = Set(names.values)
            let output = ToolRun(arguments + ["--redact", "--format=json"], in: folder).output
            let found = output.matches(of: /device-[a-z2-7]{12}/).map { String($0.output) }
            #expect(!found.isEmpty && found.allSatisfy(known.contains))
            if arguments[0] == "explain" { expect(Set(found), equals: [mine]) }
        }
    }

    @Test func aKeyOfOnesOwnMakesTheSameNamesForOtherCaptures() throws {
        let (folder, _) = try Self.folder()
        try folder.write("sixteen bytes or more", to: "key")
        try folder.write("sixteen bytes of another", to: "other")
        func explained(_ captures: [String], _ key: [String]) -> String {
            ToolRun(["explain"] + captures + ["--device", Self.device] + key, in: folder).output
        }
        let mine = ["--redact-key=@key"]
        #expect(explained(["@a.txt"], mine).hasPrefix("device-"))
        expect(explained(["@a.txt"], mine).prefix(20), equals: explained(["@a.txt", "@b.jsonl"], mine).prefix(20))
        #expect(explained(["@a.txt"], mine).prefix(20) != explained(["@a.txt"], ["--redact-key=@other"]).prefix(20))
        // Without a key, the captures make one.
        expect(explained(["@a.txt"], ["--redact"]), equals: explained(["@a.txt"], ["--redact"]))
        #expect(
            explained(["@a.txt"], ["--redact"]).prefix(20)
                != explained(["@a.txt", "@b.jsonl"], ["--redact"]).prefix(20))
    }

    // Errors in a record quote it.
    private static let malformed = [
        #"{"time":"2020-07-23T10:00:00Z","device-id":"hMEywo8hWadZjlpRQVMX","user-property":"branch 22"}"#,
        #"{"time":"branch 22","device-id":"hMEywo8hWadZjlpRQVMXIA=="}"#,
        #"{"time":"2020-07-23T10:00:00Z","device-id":"hMEywo8hWadZjlpRQVMXIA==","branch 22":"1","branch 22":"2"}"#,
        #"{"time":"2020-07-23T10:00:00Z","device-id":"hMEywo8hWadZjlpRQVMXIA==","flags":"branch 22,198.51.100.82"}"#,
        #"{"time":"2020-07-23T10:00:00Z","device-id":"198.51.100.82","flags":""}"#,
        #"{"time":"2020-07-23T10:00:00Z","device-id":"hMEywo8hWadZjlpRQVMXIA==" "branch 22""#,
        #"{"time":"2020-07-23T10:00:00Z","device-id":"hMEywo8hWadZjlpRQVMXIA==","ip":{"branch 22":"198.51.100.82"}}"#,
        "branch 22 198.51.100.82 hMEywo8hWadZjlpRQVMXIA==",
    ]

    private static let malformedText = """
        --- hMEywo8hWadZjlpRQVMXIA== 2020-07-23 10:00:00 UTC ---
        public-flags: branch 22
        device-id: fNHwIOQ3mZ/LK3ANBTnqKw==
        --- hMEywo8hWadZjlpRQVMX 2020-07-23 branch 22 ---
        public-flags: 198.51.100.82, a
        --- hMEywo8hWadZjlpRQVMXIA== 2020-07-23 10:00:00 198.51.100.82 ---
        user-property: branch 22
        user-property: branch 22
        --- hMEywo8hWadZjlpRQVMXIA== 2020-07-23 10:00:00 UTC ---
        branch 22: x
        branch 22: y
        branch 22

        """

    @Test(arguments: ["m.jsonl", "m.txt"]) func nothingOfAnybodyIsInMessages(_ capture: String) throws {
        let (folder, identities) = try Self.folder()
        let sound = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Self.device)","flags":""}"# + "\n"
        try folder.write(sound + Self.malformed.joined(separator: "\n") + "\n", to: "m.jsonl")
        try folder.write(Self.malformedText, to: "m.txt")
        let parts = ["hMEywo8hWadZjlpRQVMX", "branch", "198.51"]
        for arguments in [["replay", "@\(capture)"], ["replay", "@\(capture)", "--skip-malformed"]] {
            let open = ToolRun(arguments, in: folder)
            let run = ToolRun(arguments + ["--redact"], in: folder)
            expect(run.status, equals: open.status)
            if arguments.count == 2 {
                #expect(parts.allSatisfy(open.error.contains) && run.error.contains(": error: "))
            }
            expect(identities.found(in: run.error + run.output), equals: [])
            for part in parts { #expect(!(run.error + run.output).contains(part), "\(run.error)") }
            // As many lines of errors, so that each can be found.
            expect(run.error.split(separator: "\n").count, equals: open.error.split(separator: "\n").count)
        }
    }

    // Input that can be read once only makes no key, so that names are drawn anew.
    @Test func standardInputIsHiddenToo() throws {
        let (folder, identities) = try Self.folder()
        let arguments = ["replay", "/dev/stdin", "--redact", "--count=device-id", "--format=json"]
        let reports = try (0..<2).map { _ in
            let tool = try ToolProcess(arguments, in: folder)
            for line in Sample.day.split(separator: "\n") { tool.type(String(line)) }
            tool.endInput()
            var text = ""
            while case let part = tool.read(), !part.isEmpty { text += part }
            let end = tool.end()
            #expect(end.status == 0 && end.error == "")
            return text
        }
        #expect(reports[0] != reports[1] && reports.allSatisfy { $0.contains("\"value\":\"device-") })
        #expect(reports.allSatisfy { !$0.contains("h4gubfCF") } && identities.found(in: reports.joined()) == [])
    }

    @Test func formsThatOthersSeeHideByThemselves() throws {
        let (folder, identities) = try Self.folder()
        for form in ["markdown", "html", "sarif"] {
            let output = ToolRun(Self.diff + ["--format", form], in: folder).output
            expect(identities.found(in: output.replacing("<wbr>", with: "")), equals: [], "\(form)")
            #expect(output.contains("device-"))
            let open = ToolRun(Self.diff + ["--format", form, "--no-redact"], in: folder).output
            #expect(!identities.found(in: open.replacing("<wbr>", with: "")).isEmpty, "\(form)")
        }
    }
}

/// The device IDs, addresses and user properties of captures, and where a text has something of them.
struct Identities {
    private(set) var devices: Set<String> = []
    private(set) var addresses: Set<String> = []
    private(set) var properties: Set<String> = []
    // Every part of an ID of eight bytes, as a number.
    private var parts: Set<UInt64> = []

    /// - Parameter captures: Their texts, device information or JSON Lines.
    init(in captures: [String]) {
        for capture in captures {
            for match in capture.matches(of: /[A-Za-z0-9+\/]{22}==/) { devices.insert(String(match.output)) }
            for match in capture.matches(of: /[0-9]{1,3}(\.[0-9]{1,3}){3}/) { addresses.insert(String(match.output.0)) }
            for match in capture.matches(of: /user-property(?:: |":")([^"\n]+)/) {
                properties.insert(String(match.output.1))
            }
        }
        for device in devices { Self.forEachPart(of: device) { parts.insert($0) } }
    }

    /// The identities that are found in a text.
    ///
    /// - Complexity: O(length), and for each property again.
    func found(in text: String) -> [String] {
        var found: [String] = []
        Self.forEachPart(of: text) { part in
            if parts.contains(part) { found.append("part \(part) of an ID") }
        }
        return found + foundAddresses(in: text) + foundProperties(in: text)
    }

    // Numbers with three points between them, wherever they are among others.
    private func foundAddresses(in text: String) -> [String] {
        var found: [String] = []
        for numbers in text.utf8.split(whereSeparator: { !(0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".")) })
        where numbers.count >= 7 {
            let parts = String(Substring(numbers)).split(separator: ".", omittingEmptySubsequences: false)
            for start in 0..<max(0, parts.count - 3) {
                let address = parts[start..<start + 4].joined(separator: ".")
                if addresses.contains(address) { found.append(address) }
            }
        }
        return found
    }

    // The C library searches megabytes at once, which matters where tests are built without optimisation.
    private func foundProperties(in text: String) -> [String] {
        unsafe text.withCString { start in
            // SAFETY: both are strings that end with a zero and live through the call.
            properties.filter { word in unsafe word.withCString { unsafe strstr(start, $0) != nil } }
        }
    }

    private static func forEachPart(of text: String, _ body: (UInt64) -> Void) {
        var (part, length) = (UInt64(0), 0)
        for byte in text.utf8 {
            // Only digits of base64 are in an ID, and few texts have eight of them in a row.
            let isDigit = byte > 0x2E && byte < 0x7B || byte == UInt8(ascii: "+")
            length = isDigit ? length &+ 1 : 0
            part = part &<< 8 | UInt64(byte)
            if length >= 8 { body(part) }
        }
    }
}
