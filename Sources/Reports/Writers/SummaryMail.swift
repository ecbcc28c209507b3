internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Summaries of accounts as mails: text, and the same as a page (R25.3).
enum SummaryMail {
    /// A mailbox with a mail for each account in which something was attested.
    ///
    /// - Parameters:
    ///   - report: The report, of which the figures of the last window are used.
    ///   - redactor: The redactor that hides device IDs and addresses before lines are broken.
    static func bytes(of report: Report, redactor: Redactor?) -> [UInt8] {
        Mailbox.bytes(of: report.summaries.compactMap { mail(of: $0, version: report.version, redactor) })
    }

    private static func mail(of summary: AccountSummary, version: String, _ redactor: Redactor?) -> MailMessage? {
        guard let end = summary.end else { return nil }
        let heading = ReportSection(.notice(ReportText("\(summary.title), \(summary.period)", .strong)))
        var origin = ReportOrigin()
        origin.version = version
        let page = ReportPage(title: summary.title, sections: [heading] + summary.sections, origin: origin)
            .redacted(by: redactor)
        return MailMessage(
            date: MailDate(end), recipients: summary.account.monitoring.recipients,
            subject: redactor?.text(summary.title) ?? summary.title,
            text: TextWriter().text(of: page.sections),
            html: String(decoding: HTMLWriter.bytes(of: page), as: UTF8.self))
    }
}
