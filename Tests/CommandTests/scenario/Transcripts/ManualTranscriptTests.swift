import Foundation
import Testing

@testable import Accounts
@testable import TestSupport
@testable import scenario

/// The transcripts of `Tests/Transcripts/manual` show what the manual shows, line by line.
@Suite struct ManualTranscriptTests {
    private static let transcripts: [String: [String]] = {
        let paths = (try? Repository.files(in: ["Tests/Transcripts/manual"], endings: [".txt"])) ?? []
        let cases = paths.flatMap { CaseFile(path: $0, text: (try? Repository.text(of: $0)) ?? "").cases }
        return Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0.body) })
    }()

    private static let shown = ManualBlock.all.filter { transcripts[$0.name] != nil }

    @Test func everyBlockIsShownOrNamedWithItsReason() {
        let named = Self.transcripts.keys + ManualBlock.exceptions
        expect(ManualBlock.all.count, equals: 149)
        expect(named.sorted(), equals: ManualBlock.all.map(\.name).sorted())
    }

    @Test(arguments: shown) func showsWhatTheManualShows(_ block: ManualBlock) throws {
        let body = try #require(Self.transcripts[block.name])
        let start = try #require(body.firstIndex { $0.hasPrefix("$ approov ") })
        expect(Array(try ManualBlock.words(body[start]).suffix(block.words.count)), equals: block.words)
        let printed = body[(start + 1)...].filter { line in !["> ", "! ", "? "].contains(where: line.hasPrefix) }
        // The manual cuts keys and tokens off, and leaves lines out.
        var pattern = block.output.map { line in
            line.hasPrefix("  ...") ? "..." : Self.trimmed(line).replacing("…", with: "...")
        }
        if body[0].hasPrefix("The manual leaves lines out") { pattern = pattern.flatMap { ["...", $0] } + ["..."] }
        var lines = printed.map { Self.trimmed($0.replacing("␠", with: "")) }
        if body[0].hasSuffix("with fewer spaces.") {
            (lines, pattern) = (lines.map(Self.withSingleSpaces), pattern.map(Self.withSingleSpaces))
        }
        #expect(LinePattern.matches(lines[...], pattern[...]), "\(lines)")
    }

    // Spaces at the end of a line cannot be seen.
    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func withSingleSpaces(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }
}

/// A command of the manual with the output that the manual shows.
struct ManualBlock: Sendable, CustomTestStringConvertible {
    /// The command, with its number if there are several.
    let name: String
    /// Its words, without prompt, `approov` and a pipe.
    let words: [String]
    /// The lines below it.
    let output: [String]
    var testDescription: String { name }

    /// The words of a command line of the manual or of a transcript.
    static func words(_ line: String) throws -> [String] {
        try CommandWords.split(String(line.prefix { $0 != "|" }).replacing(#/^(\$ )?approov /#, with: ""))
    }

    /// Every block of the copy, in order.
    static let all: [ManualBlock] = {
        let file = Repository.root.appending(path: "Tests/CommandTests/scenario/Transcripts/manual.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var counts: [String: Int] = [:]
        return text.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let command = lines.first?.firstMatch(of: /^(?:\$ )?approov (.*?) *$/)?.output.1 else { return nil }
            let name = String(command)
            counts[name, default: 0] += 1
            return ManualBlock(
                name: counts[name] == 1 ? name : "\(name) (\(counts[name] ?? 1))", words: (try? words(lines[0])) ?? [],
                output: Array(lines.dropFirst()))
        }
    }()

    /// The names of the blocks that no transcript can show as printed, below the reason of each.
    static var exceptions: [String] { reasons.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(String.init) }

    private static let reasons = #"""
        # Two networks see two certificates, or another domain is printed than was added, or the certificates have dates.
        api -add mydomain.com (3)
        api -add mydomain.com -keySetKID mykey
        pin -api shapes.approov.io -getCertChainPins
        # The answer is about devices that attested; behind a file there are none: approov/misprints.txt.
        device -add latest -policy default,whitelist,all
        device -getDeviceState h4gubfCFzJu81j/U2BJsdg==
        device -getInfo qZka0yfv+ExvOq3PRh6pGw==
        device -getInfo qZka0yfv+ExvOq3PRh6pGw== (2)
        device -getInfo new-did
        device -getInfo filtered
        device -getFetches timed
        # The output is that of a file that the manual does not give; `CertificateCommandTests` and `PinCommandTests` read others.
        appsigncert -add app-signing-cert.der
        pin -getCertPin mycert.crt
        api -setAll apis.json
        registration -add my_app.apk
        registration -add my_app.ipa
        registration -add my_app.ipa -expireAfter 3d
        registration -add my_app.ipa -unversioned
        registration -add my_app.apk -versionName "special"
        registration -add my_app.apk -libraryID 1056
        # The command affects no attestation, and is refused with the reason: approov/misprints.txt.
        role
        whoami
        # The command is printed wrongly; it is taken as what is meant, with a warning: approov/misprints.txt.
        devicecheck-remove
        -getPinningTestURL
        secret change -forcePrintable
        # Tokens, files and new keys are the manual's own; the transcripts of tokens show the same with others.
        token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkaWQiO…
        token -check eyJhbGciOiJIUzI1Ni…
        token -check '{"anno":["app-not-registered"...'
        token -check eyJhbGciOiJIUzI…
        token -check eyJhbGciOiJIUzI1N…
        token -check eyJhbGciOiJIUzI1N… (2)
        token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJl…
        token -genExample your.api.com -setDataHashInToken custom-data
        secret -getJWK secret.jwk
        secret -change
        secret -get raw
        secret -getKeyID
        secret -messageSigningKey change
        api -getAll apis.json
        keyset -add RS256 -keyLength 4096
        keyset -kid mykey -getPEM mykey.pem
        keyset -getJWKS keys.jwks
        keyset -import byok.jwk
        token -showArcInfoCurl
        token -showTokenInfoCurl
        # The command reads or writes more than one account, or a token: approov/cloning.txt and approov/access.txt.
        registration -cloneToAllDelegateAccounts
        registration -cloneToAccounts accountA
        registration -list (2)
        users -add me@mydomain.com -userName "CI Machine" -automation
        """#
}
