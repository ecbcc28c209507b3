import Testing

@testable import Documents
@testable import TestSupport

/// Mails and mailboxes: the words of strangers stay text.
@Suite struct MailTests {
    private static let date = MailDate(year: 2020, month: 7, day: 5, dayNumber: 18_448, second: 3_661)

    private static func mailbox(_ text: String, subject: String = "s", html: String? = nil) -> [String] {
        let mail = MailMessage(date: date, recipients: ["a@b", "c@d"], subject: subject, text: text, html: html)
        return String(decoding: Mailbox.bytes(of: [mail]), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    @Test func datesHaveTheirForms() {
        // 2020-07-05 was a Sunday.
        expect(Self.date.header, equals: "Sun, 05 Jul 2020 01:01:01 +0000")
        expect(Self.date.envelope, equals: "Sun Jul  5 01:01:01 2020")
        #expect(MailDate(year: 1969, month: 12, day: 31, dayNumber: -1, second: 0).header.hasPrefix("Wed, 31 Dec 1969"))
    }

    @Test func aMailHasItsHeadersAndItsText() {
        expect(
            Self.mailbox("one\n\ntwo\n"),
            equals: [
                "From scenario@localhost Sun Jul  5 01:01:01 2020", "From: scenario <scenario@localhost>", "To: a@b,",
                " c@d", "Subject: s", "Date: Sun, 05 Jul 2020 01:01:01 +0000", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", "one", "", "two", "",
                "",
            ])
        expect(Mailbox.bytes(of: []), equals: [])
    }

    // RFC 4155: such a line would begin another mail.
    @Test func aLineThatLooksLikeAMailDoesNot() {
        let lines = Self.mailbox("From me\n>From me\nfrom me\n")
        expect(lines.suffix(5), equals: [">From me", ">>From me", "from me", "", ""])
    }

    static let subjects = [
        ("plain text", "plain text"), ("a\r\nBcc: x@y", "=?UTF-8?Q?a=E2=90=8D=E2=90=8ABcc=3A=20x=40y?="),
        ("é", "=?UTF-8?Q?=C3=A9?="), ("=?UTF-8?Q?x?=", "=?UTF-8?Q?=3D=3FUTF=2D8=3FQ=3Fx=3F=3D?="),
    ]

    @Test(arguments: subjects) func aSubjectStaysOne(text: String, shown: String) {
        expect(Escape.mail(header: text), equals: shown)
    }

    @Test func aLongSubjectIsFolded() {
        let lines = Escape.mail(header: String(repeating: "é", count: 100)).split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 76 && $0.contains("=?UTF-8?Q?") })
        expect(lines.joined().matches(of: /=C3=A9/).count, equals: 100)
    }

    // RFC 2045, 6.7: soft breaks, and nothing that ends a part.
    @Test func longLinesAndBoundariesAreEncoded() {
        let long = String(repeating: "x", count: 2000)
        let (encoding, lines) = Escape.mail(body: "\(long)\n--=_scenario_part--\né= \n")
        expect(encoding, equals: "quoted-printable")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix("--") })
        expect(lines.suffix(2), equals: ["=2D-=3D_scenario_part--", "=C3=A9=3D=20"])
        expect(lines.dropLast(2).map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }.joined(), equals: long)
        expect(Escape.mail(body: "a\nb").encoding, equals: "8bit")
        expect(Escape.mail(body: "a\rb").encoding, equals: "quoted-printable")
    }

    @Test func twoPartsAreSetApart() {
        let lines = Self.mailbox("text\n", html: "<p>\n")
        #expect(lines.count { $0 == "--=_scenario_part" } == 2 && lines.count { $0 == "--=_scenario_part--" } == 1)
        #expect(lines.contains("Content-Type: multipart/alternative; boundary=\"=_scenario_part\""))
        #expect(lines.contains("Content-Type: text/html; charset=utf-8"))
    }
}
