package import PolicyEngine
package import Replay

/// A report that people read as sections, and programs as JSON on one line: `{"version":1,…}`.
package protocol PlainReport {
    /// The report in sections.
    var sections: [ReportSection] { get }
    /// The report as JSON.
    var json: JSONValue { get }
    /// The report as text.
    ///
    /// - Parameter style: Colours, where a terminal shows them.
    func text(in style: TextStyle) -> [UInt8]
}

extension PlainReport {
    /// All sections one after the other.
    package func text(in style: TextStyle) -> [UInt8] { TextWriter(style: style).bytes(of: sections) }

    /// The report in a form, the JSON with a newline; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - style: Colours of the text, where a terminal shows them.
    package func bytes(as format: PlainFormat, style: TextStyle = .plain) -> [UInt8] {
        switch format {
        case .text: text(in: style)
        case .json: json.line
        }
    }
}

/// A plain report that is a page, too.
package protocol PagedReport: PlainReport {
    /// The report as a page.
    ///
    /// - Parameter origin: The origin of the report.
    func page(origin: ReportOrigin) -> ReportPage
}

extension PagedReport {
    /// The report in a form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - style: Colours of the text, where a terminal shows them.
    ///   - origin: The origin of the report; for the form that shows it.
    ///   - redactor: The redactor that hides device IDs and addresses before they are cut or become anchors; other forms
    ///     are redacted as bytes.
    package func bytes(
        as format: PagedFormat, style: TextStyle = .plain, origin: ReportOrigin = ReportOrigin(),
        redactor: Redactor? = nil
    ) -> [UInt8] {
        switch format {
        case .text: bytes(as: PlainFormat.text, style: style)
        case .json: bytes(as: PlainFormat.json)
        case .html: HTMLWriter.bytes(of: page(origin: origin).redacted(by: redactor))
        }
    }
}

/// The forms of a plain report that is a page, too.
package enum PagedFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
    /// One page, for a browser.
    case html
}

/// The forms of what is read by people, or by programs as JSON.
package enum PlainFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
}
