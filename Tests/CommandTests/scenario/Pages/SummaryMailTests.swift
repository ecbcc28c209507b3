import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Mails, read by the library of another language; `Tests/Transcripts/mails` has what they say.
@Suite struct SummaryMailTests {
    private static let scenario = """
        scenario: s
        start: 2020-07-10T00:00:00Z
        account:
          account: shop
          monitoring: {emails: [ops@a.com, me@b.com], summary: daily}
          user-roles: [{id: dev-0001, email: bob@a.com, expires: 2020-07-15T12:00:00Z}]
        devices: {good: {os: android, count: 5}, rooted: {os: android, count: 3, flags: [rooted]}}
        steps:
          - {at: 0s, fetch: all, expect: {pass: 5, fail: 3}}
          - {at: 1m, approov: users -add al@a.com}
          - {at: 12d, fetch: all, expect: {pass: 5, fail: 3}}

        """

    private static func mails(_ mailbox: String) async throws -> [[String: Any]] {
        let answer = try await Tooling.answer(of: "mails.py", to: ["mailbox": mailbox])
        return try #require(answer["mails"] as? [[String: Any]])
    }

    @Test("R25.2 R25.3 every mail is valid, and a summary has its text and its page") func mails() async throws {
        let folder = try TemporaryFolder(["s.yaml": Self.scenario])
        let run = ToolRun("run @s.yaml --format summary-mail --outbox @out", in: folder).ending(.success)
        let summaries = try await Self.mails(run.output)
        expect(
            summaries.map { $0["subject"] as? String },
            equals: ["Daily summary of account shop", "Monthly summary of account shop"])
        let headers = ["Content-Type", "Date", "From", "MIME-Version", "Subject", "To"]
        for mail in summaries {
            #expect(mail["to"] as? [String] == ["ops@a.com", "me@b.com"] && mail["headers"] as? [String] == headers)
            let parts = try #require(mail["parts"] as? [String: String])
            expect(parts["text/html"]?.hasPrefix("<!DOCTYPE html>"), equals: true)
            // As many flags as the catalogue has.
            let flags = parts["text/plain"]?.split(separator: "Rejection flags\n").last?.split(separator: "\n") ?? []
            expect(flags.prefix { $0.hasPrefix("  ") }.count, equals: 1 + FlagFacts.all.count)
        }
        let sent = try await Self.mails(try #require(folder["out"]))
        #expect(sent.count >= 4)
        for mail in summaries + sent { expect(mail["defects"] as? [String], equals: [], "\(mail)") }
    }
}
