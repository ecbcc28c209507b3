import HTTP
import PolicyEngine
import Testing

@testable import Scenarios
@testable import Service
@testable import TestSupport

/// A case that is a conversation with a service.
///
/// - Lines `| YAML` at its beginning are the account; without them it is that of the manual. `virtual TIME` behind them begins a
///   virtual clock.
/// - `at TIME` and `wait SECONDS` set the clock of the system.
/// - `POST /attest?domain=a.com {JSON}` is a request. Lines such as `Arc: XJEUXVAKZY` below it are its headers; the API key is shown
///   where there is no `Authorization`. Of the answer, `| TEXT` behind a request leaves the lines that contain the text.
/// - `attest FLAG…` is a request of the manual's device, or of another one that is named first; its verdict and flags are shown.
/// - `claims` are those of the latest token, as the account's key verifies them.
/// - `TOKEN` and `CODE` are those of the latest attestation, `KEY` is the API key, `ROLE(ID)` the token of a user, `␠` a space.
///
/// Behind `! ` is the answer: its status, its further headers, and its text.
struct ServiceCase {
    private var bench: ServiceBench
    private var token = ""
    private var code = ""

    /// The case with its actual answers.
    static func rewritten(_ example: CaseFile.Case) throws -> [String] {
        var lines = example.body.filter { !$0.hasPrefix("! ") }[...]
        let account = lines.prefix { $0.hasPrefix("| ") }
        lines = lines.dropFirst(account.count)
        var written = Array(account)
        var clock = ServiceClock.system
        if let line = lines.first, line.hasPrefix("virtual ") {
            clock = .virtual(try #require(Instant(rfc3339: String(line.dropFirst(8)))))
            written.append(lines.removeFirst())
        }
        let text = account.map { $0.dropFirst(2) + "\n" }.joined()
        var conversation = ServiceCase(
            bench: account.isEmpty ? try ServiceBench(clock: clock) : try ServiceBench(text, clock: clock))
        while let line = lines.popFirst() {
            let headers = lines.prefix { $0.firstMatch(of: /^[A-Z][A-Za-z-]*: ?/) != nil }
            lines = lines.dropFirst(headers.count)
            written += [line] + headers + (try conversation.answer(to: line, Array(headers))).map { "! \($0)" }
        }
        return written
    }

    private mutating func answer(to line: String, _ headers: [String]) throws -> [String] {
        let words = line.split(separator: " ").map(String.init)
        switch words[0] {
        case "at": bench.time = try #require(Instant(rfc3339: words[1]))
        case "wait": bench.time = bench.time + (Int(words[1]) ?? 0)
        case "attest": return try attest(Array(words.dropFirst()))
        case "claims": return [claims()]
        default: return try send(line, headers)
        }
        return []
    }

    private mutating func attest(_ words: [String]) throws -> [String] {
        let device = words.first.flatMap { $0.hasSuffix("==") ? $0 : nil }
        let flags = words.dropFirst(device == nil ? 0 : 1).joined(separator: ",")
        let attested = try bench.attest(flags, device: device ?? ServiceBench.device)
        (token, code) = (attested.token, attested.code)
        let found = attested.decision["flags"] as? [String] ?? []
        return [([attested.verdict] + found).joined(separator: " ")]
    }

    private func claims() -> String {
        let verifier = TokenVerifier(key: bench.service.account.latest.signingKey)
        do {
            return try verifier.claims(of: token, at: bench.time).text
        } catch {
            return "\(error)"
        }
    }

    private mutating func send(_ line: String, _ headers: [String]) throws -> [String] {
        let parts = line.split(separator: " | ", maxSplits: 1).map(String.init)
        let words = try parts[0].split(separator: " ", maxSplits: 2).map { try filled(String($0)) }
        let body = words.count > 2 ? Array(words[2].utf8) : []
        let isAuthorized = !headers.contains { $0.hasPrefix("Authorization:") }
        var request = bench.request(
            words.prefix(2).joined(separator: " "), body, headers: [:], isAuthorized: isAuthorized)
        for header in headers {
            let name = header.prefix { $0 != ":" }
            let value = try filled(String(header.dropFirst(name.count + 1).drop { $0 == " " }))
            if value != "none" { request.headers.append(.init(String(name), value)) }
        }
        let answer = bench.service.answer(request, at: bench.time)
        if words[1].hasPrefix("/attest"), answer.status == 200 {
            let attested = try ServiceBench.Attested(answer)
            (token, code) = (attested.token, attested.code)
        }
        return Self.shown(answer, where: parts.count > 1 ? parts[1] : "", hiding: token)
    }

    private func filled(_ text: String) throws -> String {
        let account = bench.service.account.latest
        let filled = text.replacing("TOKEN", with: token).replacing("CODE", with: code)
            .replacing("KEY", with: bench.key).replacing("␠", with: " ")
        guard let role = filled.firstMatch(of: /ROLE\((.*?)\)/) else { return filled }
        return filled.replacing(
            role.output.0, with: ManagementToken.text(of: try account.user(String(role.output.1)), account: account))
    }

    private static func shown(_ answer: HTTPAnswer, where part: String, hiding token: String) -> [String] {
        let headers = answer.headers.map { "\($0.name): \($0.value)" }
        if let error = answer.member("error") {
            let field = answer.member("field").map { " \($0):" } ?? ""
            let hint = answer.member("hint").map { "; hint: \($0)" } ?? ""
            return ["\(answer.status)\(field) \(error)\(hint)"] + headers
        }
        let text = token.isEmpty ? answer.text : answer.text.replacing(token, with: "TOKEN")
        let lines = text.split(separator: "\n").map(String.init).filter { part.isEmpty || $0.contains(part) }
        guard answer.status == 200, headers.isEmpty else { return ["\(answer.status)"] + headers + lines }
        return lines.isEmpty ? ["200"] : lines
    }
}

/// Conversations with a service, which are in `Tests/Tables/service`.
@Suite struct ServiceCaseTests {
    @Test(arguments: CaseFile.all(in: "Tables/service", ending: ".txt")) func answers(_ file: CaseFile) throws {
        try file.expectActual { try ServiceCase.rewritten($0) }
    }
}
