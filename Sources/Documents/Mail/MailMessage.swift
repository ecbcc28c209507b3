/// A mail, as it would be sent: nothing here sends any.
package struct MailMessage: Hashable, Sendable {
    /// The time at which it would be sent.
    package let date: MailDate
    /// The addresses that get it: ASCII, and one each.
    package let recipients: [String]
    /// The subject, on one line.
    package let subject: String
    /// The body as plain text.
    package let text: String
    /// The body as a page; `nil` if there is none.
    package let html: String?

    package init(date: MailDate, recipients: [String], subject: String, text: String, html: String? = nil) {
        (self.date, self.recipients, self.subject, self.text, self.html) = (date, recipients, subject, text, html)
    }

    /// The same mail with other words in it.
    package func mapping(_ change: (String) -> String) -> MailMessage {
        MailMessage(
            date: date, recipients: recipients, subject: change(subject), text: change(text), html: html.map(change))
    }

    // RFC 5322, 3.4: a group without members.
    private static let nobody = "undisclosed-recipients:;"

    // The boundary between the parts of a mail; neither part has it as a line.
    private static let boundary = "=_scenario_part"

    /// The mail in the form of RFC 5322, with line feeds only; equal mails give equal text.
    ///
    /// - Complexity: O(length).
    package var lines: [String] {
        let head = [
            "From: scenario <scenario@localhost>",
            "To: \(recipients.isEmpty ? Self.nobody : recipients.joined(separator: ",\n "))",
            "Subject: \(Escape.mail(header: subject))", "Date: \(date.header)", "MIME-Version: 1.0",
        ]
        guard let html else { return head + Self.part(text, type: "text/plain") }
        return head + ["Content-Type: multipart/alternative; boundary=\"\(Self.boundary)\"", ""]
            + ["--\(Self.boundary)"] + Self.part(text, type: "text/plain")
            + ["--\(Self.boundary)"] + Self.part(html, type: "text/html") + ["--\(Self.boundary)--"]
    }

    // Headers, an empty line, and the text.
    private static func part(_ text: String, type: String) -> [String] {
        let (encoding, lines) = Escape.mail(body: text)
        return ["Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: \(encoding)", ""] + lines
    }
}

/// Mails one behind the other in a file, as mail programs keep them (RFC 4155; `>` in front of lines that look like the
/// beginning of a mail).
package enum Mailbox {
    /// The bytes of such a file; empty where there is no mail.
    package static func bytes(of mails: [MailMessage]) -> [UInt8] {
        var bytes: [UInt8] = []
        for mail in mails {
            bytes += Array("From scenario@localhost \(mail.date.envelope)\n".utf8)
            for line in mail.lines {
                let text = line.drop { $0 == ">" }
                bytes += Array("\(text.hasPrefix("From ") ? ">" : "")\(line)\n".utf8)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}

/// A moment in UTC, as mails name it.
package struct MailDate: Hashable, Sendable {
    private let year, month, day, weekday, second: Int

    /// - Parameters:
    ///   - month: 1 through 12.
    ///   - day: 1 through 31.
    ///   - dayNumber: Days since 1970-01-01, which was a Thursday.
    ///   - second: Seconds since midnight, below 86 400.
    package init(year: Int, month: Int, day: Int, dayNumber: Int, second: Int) {
        (self.year, self.month, self.day, self.second) = (year, month, day, second)
        weekday = ((dayNumber + 4) % 7 + 7) % 7
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private var time: String {
        [second / 3600, second / 60 % 60, second % 60].map { Self.pad($0, 2) }.joined(separator: ":")
    }

    /// As RFC 5322 has it: `Thu, 23 Jul 2020 00:00:00 +0000`.
    package var header: String {
        "\(Self.weekdays[weekday]), \(Self.pad(day, 2)) \(Self.months[month - 1]) \(Self.pad(year, 4)) \(time) +0000"
    }

    /// As RFC 4155 has it: `Thu Jul 23 00:00:00 2020`.
    package var envelope: String {
        let shortDay = day < 10 ? " \(day)" : "\(day)"
        return "\(Self.weekdays[weekday]) \(Self.months[month - 1]) \(shortDay) \(time) \(Self.pad(year, 4))"
    }
}
