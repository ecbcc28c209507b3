package import PolicyEngine

/// A report that people read as sections, and programs as JSON on one line: `{"version":1,…}`.
package protocol PlainReport {
    /// The report in sections.
    var sections: [ReportSection] { get }
    /// The members of the JSON behind its version.
    var members: [(key: String, value: JSONValue)] { get }
}

extension PlainReport {
    /// The report in a form, the JSON with a newline; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - style: Colours of the text, where a terminal shows them.
    package func bytes(as format: PlainFormat, style: TextStyle = .plain) -> [UInt8] {
        switch format {
        case .text: Array(TextWriter(style: style).text(of: sections).utf8)
        case .json: JSONValue.ordered([("version", .integer(1))] + members).line
        }
    }
}

/// The forms of what is read by people, or by programs as JSON.
package enum PlainFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
}
