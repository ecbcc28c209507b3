internal import Documents
package import Replay

/// Writes a comparison for people at a terminal.
package enum TextComparison {
    /// The comparison as lines; equal comparisons give equal text.
    package static func text(of comparison: Comparison, style: TextStyle = .plain) -> String {
        let sections = ComparisonSections(comparison)
        var text = TextBuilder(style: style)
        text.line(style.strong(sections.headline))
        for section in sections.sections {
            text.heading(section.title)
            for sentence in section.sentences { text.line("  \(sentence.showingControls())") }
            if !section.rows.isEmpty { text.table([section.heads] + section.rows, textColumns: section.textColumns) }
        }
        return text.finished
    }
}
