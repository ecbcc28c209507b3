import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// `scenario approov` prints the manual's output of the command, line by line.
@Suite struct ManualTranscriptTests {
    private static let blocks = Dictionary(uniqueKeysWithValues: ManualBlock.all.map { ($0.name, $0) })

    @Test func everyBlockIsRunOrNamedWithItsReason() {
        let named = ManualRow.all.map(\.name) + ManualException.allCases.flatMap(\.blocks)
        #expect(ManualBlock.all.count == 149)
        #expect(named.sorted() == ManualBlock.all.map(\.name).sorted())
    }

    @Test(arguments: ManualRow.all) func printsWhatTheManualShows(_ row: ManualRow) throws {
        let block = try #require(Self.blocks[row.name])
        let isAnswered = block.output.contains { $0.hasSuffix(": YES") } || row.comparison == .amongOthers
        let folder = try TemporaryFolder(row.files.merging(["account.yaml": row.account]) { $1 })
        let run = ToolRun(
            ["approov", "--account", "@account.yaml"] + row.options + (try block.words), in: folder,
            input: isAnswered ? ["YES"] : [])
        let asks = block.output.last?.hasSuffix("return:") == true
        #expect(run.status == (asks ? .invalidInput : .success), "\(run.error)")
        var printed = run.output.split(separator: "\n").map(String.init)
        if let text = block.searched { printed = printed.filter { $0.contains(text) } }
        switch row.comparison {
        case .lines: #expect(Self.matches(printed, block.output), "\(printed)")
        case .amongOthers: #expect(Self.matches(printed, block.output.flatMap { ["...", $0] } + ["..."]), "\(printed)")
        case .someWords:
            let shown = printed.map(Self.words)
            #expect(block.output.filter { $0 != "..." }.allSatisfy { shown.contains(Self.words($0)) }, "\(printed)")
        case .words: #expect(printed.map(Self.words) == block.output.map(Self.words))
        }
    }

    static let refused = ManualException.notSimulated.blocks

    @Test(arguments: refused) func whatHasNoBearingSaysSo(name: String) throws {
        let folder = try TemporaryFolder(["account.yaml": "{}"])
        let words = try #require(Self.blocks[name]).words
        let run = ToolRun(["approov", "--account", "@account.yaml"] + words, in: folder).ending(.usage)
        #expect(run.error.contains("is not simulated; "))
        #expect(run.output == "")
    }

    /// The commands that misprints are taken as, and their output on an account with a pinning test URL and DeviceCheck.
    static let misprints = [
        "-getPinningTestURL": ("policy -getPinningTestURL", "https://mydomain.com:443\n"),
        "devicecheck-remove": ("devicecheck -remove", "device check information removed"),
        "secret change -forcePrintable": ("secret -change", "secret"),
        "apis -getAll apis.json": ("api -getAll", ""),
    ]

    @Test(arguments: misprints.keys.sorted()) func misprintsAreTakenWithAWarning(name: String) throws {
        let (meant, printed) = try #require(Self.misprints[name])
        let folder = try TemporaryFolder([
            "account.yaml": "pinning-test-url: https://mydomain.com:443\ndevicecheck: {team-id: T, key-id: K}\n"
        ])
        let words = try CommandWords.split(name).map { $0.replacing("apis.json", with: folder.path("apis.json")) }
        let run = ToolRun(["approov", "--account", "@account.yaml", "--yes"] + words, in: folder).ending(.success)
        let wrong = words.prefix(meant.hasPrefix(words[0]) || words[0] == "apis" ? 2 : 1).joined(separator: " ")
        #expect(run.error.hasPrefix("account.yaml: warning: `\(wrong)` is taken as `\(meant)`\n"))
        #expect(run.output.contains(printed) || printed.isEmpty)
    }

    @Test func misprintsAreTakenInScenariosAndChanges() throws {
        let account = ["account.yaml": "devicecheck: {team-id: T, key-id: K}\n", "day.jsonl": Sample.day]
        let change = try ToolRun(
            "replay @day.jsonl --account=@account.yaml --change=devicecheck-remove", files: account)
        #expect(change.status == .success)
        #expect(change.error.contains("--change: warning: `devicecheck-remove` is taken as `devicecheck -remove`"))
        let step = "scenario: s\nsteps: [{at: 0s, approov: -getPinningTestURL}]\nexpect: {metrics: {pass: 0}}\n"
        let run = try ToolRun(
            "run @s.yaml", files: ["s.yaml": step.replacing("expect: {", with: "expect: {vacuous: allowed, ")])
        #expect(run.status == .success)
        #expect(run.error.contains("`-getPinningTestURL` is taken as `policy -getPinningTestURL`"))
    }

    static let unanswered = ManualException.attestedDevices.blocks.dropFirst(2)

    // Manual, Getting State of a Device.
    @Test func aDeviceThatWasNotUsedHasNoState() throws {
        let words = ["approov", "--account", "@account.yaml", "device"]
        let files = ["account.yaml": "devices: [{id: qZka0yfv+ExvOq3PRh6pGw==}]"]
        let state = try ToolRun(words + ["-getDeviceState", "h4gubfCFzJu81j/U2BJsdg=="], files: files)
        #expect((state.status, state.output) == (.success, "device state has not been set\n"))
        for name in Self.unanswered {
            let block = try #require(Self.blocks[name])
            let run = try ToolRun(words.dropLast() + block.words, files: files).ending(.success)
            #expect(run.output == "" && run.error == "")
        }
        let latest = try ToolRun(words + ["-add", "latest"], files: files).ending(.invalidInput)
        #expect(
            latest.error
                == "account.yaml: error: no device attested in the last two minutes, so there is no `latest`\n")
    }

    // `...` stands for any number of lines; spaces at the end of a line cannot be seen.
    private static func matches(_ lines: [String], _ pattern: [String]) -> Bool {
        guard let first = pattern.first else { return lines.isEmpty }
        let rest = Array(pattern.dropFirst())
        if trimmed(first) == "..." || first == "  ..." {
            return (0...lines.count).contains { matches(Array(lines.dropFirst($0)), rest) }
        }
        guard let line = lines.first, isMatch(trimmed(line), trimmed(first)) else { return false }
        return matches(Array(lines.dropFirst()), rest)
    }

    // The manual cuts keys and tokens off.
    private static func isMatch(_ line: String, _ pattern: String) -> Bool {
        for cut in ["…", "..."] where pattern.hasSuffix(cut) { return line.hasPrefix(pattern.dropLast(cut.count)) }
        return line == pattern
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func words(_ line: String) -> [Substring] { line.split(separator: " ") }
}

/// A command of the manual with the output that the manual shows.
struct ManualBlock: Sendable {
    /// The command as it is typed, without prompt and `approov`.
    let command: String
    /// Which one it is of those with that command, from 1.
    let number: Int
    /// The lines below it.
    let output: [String]

    /// The name in tables: the command, with its number if there are several.
    var name: String { number == 1 ? command : "\(command) (\(number))" }

    /// The words of the command, without a pipe.
    var words: [String] { get throws { try CommandWords.split(String(command.prefix { $0 != "|" })) } }

    /// The text that the output is searched for; `nil` for a command without a pipe.
    var searched: String? { command.split(separator: "| grep ").dropFirst().first.map(String.init) }

    /// Every block of the copy, in order.
    static let all: [ManualBlock] = {
        let file = Repository.root.appending(path: "Tests/scenarioTests/Transcripts/manual.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var counts: [String: Int] = [:]
        return text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let command = lines.first?.firstMatch(of: /^(?:\$ )?approov (.*?) *$/)?.output.1 else { return nil }
            counts[String(command), default: 0] += 1
            return ManualBlock(
                command: String(command), number: counts[String(command)] ?? 1, output: Array(lines.dropFirst()))
        }
    }()
}

/// A block of the manual whose output cannot be the printed one, and why.
enum ManualException: String, CaseIterable, Sendable {
    /// Two networks see two certificates, or another domain is printed than was added, or the certificates have dates.
    case network
    /// The answer is about devices that attested; behind a file there are none.
    case attestedDevices
    /// The output is that of a file that the manual does not give.
    case missingFile
    /// The command affects no attestation, and is refused with the reason.
    case notSimulated
    /// The command is printed wrongly; it is taken as what is meant, with a warning.
    case misprint
    /// Tokens, files and new keys are the manual's own; `TokenTranscriptTests` shows the same with others.
    case otherKeys
    /// The command reads or writes more than one account, or a token; `ApproovAccessTests` shows it.
    case otherFiles

    /// The blocks.
    var blocks: [String] {
        switch self {
        case .network:
            [
                "api -add mydomain.com (3)", "api -add mydomain.com -keySetKID mykey",
                "pin -api shapes.approov.io -getCertChainPins",
            ]
        case .attestedDevices:
            [
                "device -add latest -policy default,whitelist,all",
                "device -getDeviceState h4gubfCFzJu81j/U2BJsdg==", "device -getInfo qZka0yfv+ExvOq3PRh6pGw==",
                "device -getInfo qZka0yfv+ExvOq3PRh6pGw== (2)", "device -getInfo new-did",
                "device -getInfo filtered", "device -getFetches timed",
            ]
        case .missingFile: Self.files + Self.packages
        case .notSimulated: Self.unsimulated
        case .misprint: ["devicecheck-remove", "-getPinningTestURL", "secret change -forcePrintable"]
        case .otherKeys: Self.ownKeys
        case .otherFiles:
            [
                "registration -cloneToAllDelegateAccounts", "registration -cloneToAccounts accountA",
                "registration -list (2)", "users -add me@mydomain.com -userName \"CI Machine\" -automation",
            ]
        }
    }

    private static let packages = [
        "registration -add my_app.apk", "registration -add my_app.ipa",
        "registration -add my_app.ipa -expireAfter 3d", "registration -add my_app.ipa -unversioned",
        "registration -add my_app.apk -versionName \"special\"", "registration -add my_app.apk -libraryID 1056",
    ]

    // `CertificateCommandTests` and `PinCommandTests` read others.
    private static let files = [
        "appsigncert -add app-signing-cert.der", "pin -getCertPin mycert.crt", "api -setAll apis.json",
    ]

    private static let unsimulated = ["role", "whoami"]

    private static let ownKeys = [
        "token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkaWQiO…", "token -check eyJhbGciOiJIUzI1Ni…",
        "token -check '{\"anno\":[\"app-not-registered\"...'", "token -check eyJhbGciOiJIUzI…",
        "token -check eyJhbGciOiJIUzI1N…", "token -check eyJhbGciOiJIUzI1N… (2)",
        "token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJl…",
        "token -genExample your.api.com -setDataHashInToken custom-data", "secret -getJWK secret.jwk", "secret -change",
        "secret -get raw", "secret -getKeyID", "secret -messageSigningKey change", "api -getAll apis.json",
        "keyset -add RS256 -keyLength 4096", "keyset -kid mykey -getPEM mykey.pem", "keyset -getJWKS keys.jwks",
        "keyset -import byok.jwk", "token -showArcInfoCurl", "token -showTokenInfoCurl",
    ]
}
