internal import Documents
package import Replay

/// Writes a comparison as Markdown, to be pasted into a change request.
package enum MarkdownComparison {
    /// The comparison as Markdown; equal comparisons give equal text.
    package static func text(of comparison: Comparison) -> String {
        let sections = ComparisonSections(comparison)
        var lines = ["**\(escaped(sections.headline))**"]
        for section in sections.sections {
            lines += ["", "### \(escaped(section.title))"]
            for sentence in section.sentences { lines += ["", escaped(sentence)] }
            guard !section.rows.isEmpty else { continue }
            lines += ["", row(section.heads), row(section.heads.indices.map { rule($0, in: section) })]
            lines += section.rows.map { row($0.map(escaped)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    // Numbers stand to the right.
    private static func rule(_ column: Int, in section: ReportSection) -> String {
        column == 0 || section.textColumns.contains(column) ? "---" : "---:"
    }

    // Names come from files of strangers: nothing in them may become markup. By scalars, as Markdown reads them: with a
    // combining mark behind it a bar is another character, and still ends a cell.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.showingControls().unicodeScalars {
            if markup.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        // Bare addresses would become links.
        return String(result).replacing("://", with: "\\://").replacing("www.", with: "www\\.")
    }

    private static let markup = Set("\\`*_{}[]<>#|~&".unicodeScalars)
}
