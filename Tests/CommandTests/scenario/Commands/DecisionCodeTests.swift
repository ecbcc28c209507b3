import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport
@testable import scenario

/// The response codes in the decisions of a replay: an hour of a bank's devices.
@Suite struct DecisionCodeTests {
    private static let scenarios = Repository.root
        .appending(path: "Scenarios").path(percentEncoded: false)
    private static let account = scenarios + "/accounts/bank.yaml"

    private static func decisions(_ options: [String] = []) throws -> [JSONText] {
        let folder = try TemporaryFolder()
        let capture = scenarios + "/captures/afternoon-2020-07-23.jsonl"
        let arguments = ["replay", capture, "--account", account, "--decisions", "@decisions"] + options
        expect(ToolRun(arguments, in: folder).status, equals: .success)
        return try (folder["decisions"] ?? "").split(separator: "\n").map { try JSONText(String($0)) }
    }

    @Test("R12.1, R12.3 section Attestation Response Code: every token has a code, which says what was decided")
    func codesSayWhatWasDecided() throws {
        var diagnostics = Diagnostics()
        let account = try #require(AccountLoader.load(path: Self.account, diagnostics: &diagnostics))
        let codec = ResponseCodec(account: account)
        var codes = Set<String>()
        let decisions = try Self.decisions()
        expect(decisions.count, equals: 350)
        for decision in decisions {
            let code = try #require(decision["arc"] as? String)
            let meaning = try #require(codec.meaning(of: code))
            let flags = try #require(decision["flags"] as? [String])
            let rejections = try #require(decision["rejections"] as? [String])
            let named = account.catalogue.names(of: meaning.flags)
            expect((meaning.passed ? "pass" : "fail"), equals: decision["verdict"] as? String)
            expect(named, equals: flags.filter { account.catalogue.namedFlag($0) != nil })
            #expect(Set(named).isSuperset(of: rejections))
            codes.insert(code)
        }
        #expect(codes.count > 10)
    }

    @Test("R12.4 section Attestation Response Code: no codes where the capability is not enabled")
    func noCodesWhereTheyAreOff() throws {
        let decisions = try Self.decisions(["--change", "policy -setARC off"])
        expect(decisions.count, equals: 350)
        for decision in decisions { #expect(decision["arc"] is NSNull) }
    }
}
