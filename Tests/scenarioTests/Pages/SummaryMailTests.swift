import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Summaries as mails, read by the library of another language (manual, Summary Emails).
@Suite struct SummaryMailTests {
    // The billing month starts on the 15th. Before, all attest; after, two good phones and one rooted one, on two days.
    private static let scenario = """
        scenario: s
        start: 2020-07-10T00:00:00Z
        account:
          account: shop
          policy: default,default,risk
          billing-day: 15
          monitoring: {emails: [ops@a.com, me@b.com]MORE}
        devices:
          good: {os: android, count: 5, attributes: {appid: com.a}}
          early: {os: android, count: 2, attributes: {appid: com.b}}
          rooted: {os: android, count: 3, flags: [rooted], attributes: {appid: com.a}}
        steps:
          - {at: 0s, fetch: all, expect: {pass: 7, fail: 3}}
          - {at: 10d, fetch: good, expect: {pass: 5}}
          - {at: 10d, fetch: rooted, expect: {fail: 3}}
          - {at: 12d1h, fetch: early, expect: {pass: 2}}
          - {at: 12d2h, fetch: rooted, expect: {fail: 3}}

        """

    struct Mail {
        let subject, date: String
        let recipients, headers, defects: [String]
        let text, html: String

        init(_ value: [String: Any]) throws {
            let parts = try #require(value["parts"] as? [String: String])
            subject = try #require(value["subject"] as? String)
            date = try #require(value["date"] as? String)
            recipients = try #require(value["to"] as? [String])
            headers = try #require(value["headers"] as? [String])
            defects = try #require(value["defects"] as? [String])
            (text, html) = (parts["text/plain"] ?? "", parts["text/html"] ?? "")
        }

        /// The lines of a section of the text, their columns joined by one space.
        func section(_ title: String) -> [String] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard let start = lines.firstIndex(of: title) else { return [] }
            return lines[(start + 1)...].prefix { !$0.isEmpty }.map { line in
                line.split(separator: " ").joined(separator: " ")
            }
        }
    }

    private static func mails(_ mailbox: String) async throws -> [Mail] {
        let answer = try await Tooling.answer(of: "mails.py", to: ["mailbox": mailbox])
        return try #require(answer["mails"] as? [[String: Any]]).map(Mail.init)
    }

    private static func run(_ more: String) async throws -> [Mail] {
        let text = scenario.replacing("MORE", with: more)
        let run = try ToolRun("run @s.yaml --format summary-mail", files: ["s.yaml": text]).ending(.success)
        return try await mails(run.output)
    }

    @Test("R25.3 the monthly summary has the figures of the billing month") func monthly() async throws {
        let mail = try #require(try await Self.run("").first)
        #expect(mail.subject == "Monthly summary of account shop" && mail.defects == [])
        #expect(mail.recipients == ["ops@a.com", "me@b.com"] && mail.date == "2020-08-15T00:00:00+00:00")
        #expect(mail.headers == ["Content-Type", "Date", "From", "MIME-Version", "Subject", "To"])
        #expect(mail.text.hasPrefix("Monthly summary of account shop, 2020-07-15 to 2020-08-14\n"))
        #expect(mail.section("Monthly usage") == ["devices with valid tokens this billing month 7"])
        #expect(mail.section("Security policy").first == #"security policy is "default,default,risk" meaning:"#)
        #expect(
            mail.section("Passing devices") == ["all devices 7", "app and-com.a 5 71.4 %", "app and-com.b 2 28.6 %"])
        #expect(mail.section("Failing devices") == ["all devices 3", "app and-com.a 3 100.0 %"])
        #expect(
            mail.section("Failing devices, by the flag that caused it") == ["flag devices share", "rooted 3 100.0 %"])
        let flags = mail.section("Rejection flags")
        #expect(flags.first == "flag effect meaning")
        #expect(flags.contains("rooted rejects Device is rooted, Magisk included"))
        #expect(flags.contains("risky-device Device has a risk flag or matches a risky filter"))
        // As many as the catalogue has.
        #expect(flags.count == 1 + FlagFacts.all.count)
    }

    @Test("R25.3 the page of a summary says the same") func page() async throws {
        let mail = try #require(try await Self.run("").first)
        for part in [
            "Monthly summary of account shop", "Passing devices", "app and-com.b", "28.6 %", "Rejection flags",
        ] {
            #expect(mail.html.contains(part), "\(part)")
        }
        #expect(mail.html.hasPrefix("<!DOCTYPE html>") && !mail.html.contains("<script"))
    }

    @Test("R25.3 the daily summary has the figures of the day") func daily() async throws {
        let mails = try await Self.run(", summary: daily")
        let mail = try #require(mails.first)
        #expect(mail.subject == "Daily summary of account shop" && mail.date == "2020-07-23T00:00:00+00:00")
        #expect(mail.text.hasPrefix("Daily summary of account shop, 2020-07-22\n"))
        #expect(mail.section("Monthly usage") == ["devices with valid tokens this billing month 7"])
        #expect(mail.section("Passing devices") == ["all devices 2", "app and-com.b 2 100.0 %"])
        #expect(mail.section("Failing devices") == ["all devices 3", "app and-com.a 3 100.0 %"])
        // Manual, Setting Summary Frequency: "opt into a daily summary email that is also sent".
        #expect(mails.map(\.subject) == ["Daily summary of account shop", "Monthly summary of account shop"])
        let monthly = try #require(try await Self.run("").first)
        let beside = try #require(mails.last)
        #expect(beside.text == monthly.text && beside.html == monthly.html && beside.date == monthly.date)
    }

    // Manual, Access Expiry Reminders: soon after midnight UTC, daily for the few days prior to the expiry; no further ones if
    // access is revoked or reaches its expiration.
    @Test("R24.2 holders of roles are reminded before they expire") func reminders() async throws {
        let text = """
            scenario: s
            start: 2020-07-10T12:00:00Z
            account:
              account: shop
              user-roles:
                - {id: dev-0001, email: bob@a.com, expires: 2020-07-15T12:00:00Z}
                - {id: dev-0002, email: al@a.com, expires: 2020-07-15T00:00:00Z}
                - {id: dev-0003, email: cy@a.com, expires: 2020-07-15T00:00:01Z}
                - {id: dev-0004, email: di@a.com, expires: 2021-07-15T00:00:00Z}
                - {id: admin-0001, email: me@a.com, primary: true, expires: 2020-07-11T12:00:00Z}
            devices: {d: {os: ios}}
            steps:
              - {at: 3d, approov: users -revoke dev-0003}
              - {at: 10d, fetch: d, expect: {pass: 1}}

            """
        let folder = try TemporaryFolder(["s.yaml": text])
        ToolRun("run @s.yaml --outbox @out", in: folder).ending(.success)
        let mails = try await Self.mails(try #require(folder["out"]))
        let midnight = { (day: Int) in "2020-07-\(day)T00:00:00+00:00" }
        #expect(
            mails.map { "\($0.date) \($0.recipients.joined())" } == [
                "\(midnight(11)) me@a.com", "\(midnight(12)) al@a.com", "\(midnight(13)) bob@a.com",
                "\(midnight(13)) al@a.com", "\(midnight(13)) cy@a.com", "\(midnight(14)) bob@a.com",
                "\(midnight(14)) al@a.com", "\(midnight(15)) bob@a.com",
            ])
        #expect(mails.allSatisfy { $0.subject == "Your access to account shop is about to expire" && $0.defects == [] })
        #expect(mails.first?.text.contains("ID: admin-0001\n") == true)
        #expect(mails.first?.text.contains("expiry: 2020-07-11 12:00:00\n") == true)
    }

    @Test("R25.3 there is a mail for each account, and none where nothing was attested") func accounts() async throws {
        let text = """
            scenario: s
            accounts:
              a: {account: a}
              b: {account: b, monitoring: {emails: [x@y]}}
              c: {account: c}
            devices: {d: {os: ios, account: a}, e: {os: ios, account: b}}
            steps: [{at: 0s, fetch: all, expect: {pass: 2}}]

            """
        let run = try ToolRun("run @s.yaml --format summary-mail", files: ["s.yaml": text])
        let mails = try await Self.mails(run.output)
        #expect(mails.map(\.subject) == ["Monthly summary of account a", "Monthly summary of account b"])
        #expect(mails.map(\.recipients) == [[], ["x@y"]])
    }

    @Test("R25.3 a replay has the summary of its account") func replay() async throws {
        let run = try ToolRun("replay @day.jsonl --account @account.yaml --format summary-mail", files: Sample.files)
        #expect(run.status == .success, "\(run.error)")
        let mail = try #require(try await Self.mails(run.output).first)
        // 2020-07-23 in a month that starts on the first.
        #expect(mail.text.hasPrefix("Monthly summary of account prod, 2020-07-01 to 2020-07-31\n"))
    }

    @Test("R25.2 the mails of a scenario are kept") func outbox() async throws {
        let text = """
            scenario: s
            start: 2020-07-10T00:00:00Z
            account:
              account: shop
              apis: [{domain: a.com, pins: ["key:OLD"], monitor-port: 443}]
              monitoring: {emails: [ops@a.com]}
            backends: {a.com: {chain: [OLD]}}
            devices: {d: {os: ios}}
            steps:
              - {at: 1m, fetch: d, expect: {pass: 1}}
              - {at: 2m, serve: {a.com: [NEW]}}
              - {at: 3m, approov: users -add bob@a.com}
              - {at: 16m, fetch: d, expect: {pass: 1}}

            """
        let folder = try TemporaryFolder(["s.yaml": text])
        ToolRun("run @s.yaml --outbox @out", in: folder).ending(.success)
        let mails = try await Self.mails(try #require(folder["out"]))
        #expect(mails.map(\.subject) == ["Onboarding to account shop", "API monitoring of account shop"])
        #expect(mails.map(\.date) == ["2020-07-10T00:03:00+00:00", "2020-07-10T00:15:00+00:00"])
        #expect(mails.map(\.recipients) == [["bob@a.com"], ["ops@a.com"]])
        #expect(mails.flatMap(\.defects) == [])
    }
}
