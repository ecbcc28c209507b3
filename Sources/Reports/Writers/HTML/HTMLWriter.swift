internal import Documents

/// Writes a report as one page of HTML: no script, nothing from elsewhere, the same bytes for the same report.
///
/// The page stays below ``limit`` bytes: tables are cut, and say how much they leave out.
package struct HTMLWriter {
    private var output = HTMLOutput()
    private var anchors = HTMLAnchors()
    private let page: ReportPage
    private let sections: [Placed]

    /// A section with the name by which it is linked to.
    private struct Placed {
        let section: ReportSection
        let anchor: String?
    }

    /// The greatest number of bytes of a page.
    package static let limit = 300_000

    // The number of bytes from which tables are cut; only headings and the ends of tables follow.
    private static let tableLimit = 240_000

    // The number of lines of a command's output that are shown.
    private static let lineLimit = 200

    // The greatest number of rows with which the table of a plot is open.
    private static let openRows = 12

    /// The page as bytes.
    package static func bytes(of page: ReportPage) -> [UInt8] {
        var writer = HTMLWriter(page)
        writer.write()
        return writer.output.bytes
    }

    private init(_ page: ReportPage) {
        self.page = page
        var anchors = HTMLAnchors()
        sections = page.sections.map { section in
            guard case .title(let title) = section.heading else { return Placed(section: section, anchor: nil) }
            return Placed(section: section, anchor: anchors.name(for: title))
        }
        self.anchors = anchors
    }

    private mutating func write() {
        output.raw("<!DOCTYPE html>\n")
        output.open("html", [("lang", "en")])
        output.line()
        writeHead()
        output.open("body")
        output.line()
        output.element("header") { $0.element("h1", text: page.title) }
        output.open("main")
        output.line()
        // The result comes first, and then where to find what.
        let result = sections.prefix { $0.anchor == nil }
        for placed in result { write(placed) }
        writeContents()
        for placed in sections.dropFirst(result.count) { write(placed) }
        for name in ["main", "body", "html"] as [StaticString] { output.close(name) }
        output.line()
    }

    private mutating func writeHead() {
        output.element("head") { output in
            output.raw("\n<meta charset=\"utf-8\">\n")
            output.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            // Without styles, too, the page is dark where the reader wants it.
            output.raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
            output.element("title", text: page.title)
            // Without scripting, the first line opens a template that the last one closes, and the content of a template is
            // not there: servers that forbid inline styles forbid scripts, and so no violation is reported for a style.
            output.raw("<noscript><template></noscript>\n")
            output.element("style") { $0.raw(PageStyle.sheet) }
            output.raw("\n<noscript></template></noscript>\n")
        }
        output.line()
    }

    private mutating func writeContents() {
        let entries = sections.compactMap { placed -> (String, String)? in
            guard let anchor = placed.anchor, !placed.section.isPart, case .title(let title) = placed.section.heading
            else { return nil }
            return (anchor, title)
        }
        guard entries.count > 2 else { return }
        output.element("nav", [("aria-label", "Contents")]) { output in
            output.element("ul") { output in
                for (anchor, title) in entries {
                    output.element("li") { $0.element("a", [("href", "#\(anchor)")], text: title) }
                }
            }
        }
        output.line()
    }
}

// MARK: Sections

extension HTMLWriter {
    private mutating func write(_ placed: Placed) {
        let section = placed.section
        let heading: StaticString = section.isPart ? "h3" : "h2"
        output.open("section", Self.identified(by: placed.anchor))
        switch section.heading {
        case .title(let title): output.element(heading, text: title)
        case .notice(let sentence): output.element("p", [("class", "notice")]) { Self.write(sentence, to: &$0) }
        case .continuation: break
        }
        output.line()
        for sentence in section.sentences {
            output.element("p") { Self.write(sentence, to: &$0) }
            output.line()
        }
        if let table = section.table, !table.rows.isEmpty { write(table, of: section, anchor: placed.anchor) }
        for list in section.lists { write(list) }
        output.close("section")
        output.line()
    }

    private static func write(_ text: ReportText, to output: inout HTMLOutput) {
        for span in text.spans { write(span.text, span.emphasis, to: &output) }
    }

    private static func write(_ text: String, _ emphasis: ReportText.Emphasis, to output: inout HTMLOutput) {
        switch emphasis {
        case .plain: output.text(text)
        case .strong: output.element("strong", text: text)
        case .good: output.element("b", [("class", "good")], text: text)
        case .bad: output.element("b", [("class", "bad")], text: text)
        }
    }

    private mutating func write(_ list: ReportList) {
        let anchor = list.anchor.map { anchors.name(for: $0) }
        output.open("div", Self.identified(by: anchor))
        if let head = list.head { output.element("p") { Self.write(head, to: &$0) } }
        if list.isOutput { writeLines(of: list) } else if !list.items.isEmpty { writeItems(of: list) }
        output.close("div")
        output.line()
    }

    private mutating func writeItems(of list: ReportList) {
        output.element("ul") { output in
            for item in list.items { output.element("li", text: item) }
        }
    }

    private mutating func writeLines(of list: ReportList) {
        let lines = list.items.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let shown = lines.prefix(Self.lineLimit)
        output.element("pre", [("tabindex", "0")]) { output in
            for line in shown {
                output.text(String(line))
                output.line()
            }
            if lines.count > shown.count { output.text("… and \((lines.count - shown.count).grouped) more lines") }
        }
    }
}

// MARK: Tables

extension HTMLWriter {
    private mutating func write(_ table: ReportTable, of section: ReportSection, anchor: String?) {
        let name = if case .title(let title) = section.heading { title } else { page.title }
        for (index, plot) in section.plots.enumerated() {
            output.open("figure")
            PlotDrawing(plot, of: table).write(to: &output, id: "\(anchor ?? "plot")-plot\(index + 1)")
            writeLegend(plot)
            output.close("figure")
            output.line()
        }
        guard !section.plots.isEmpty || section.isFolded else { return write(table, named: name) }
        output.open("details", table.rows.count <= Self.openRows ? [("open", "")] : [])
        output.element("summary", text: section.isFolded ? "All \(table.rows.count.grouped)" : "The figures")
        write(table, named: name)
        output.close("details")
        output.line()
    }

    private mutating func writeLegend(_ plot: ReportPlot) {
        var seen: Set<String> = []
        let series = plot.panels.flatMap(\.series).filter { seen.insert($0.name).inserted }
        output.element("ul", [("class", "legend")]) { output in
            for one in series {
                output.element("li") { output in
                    Self.writeSwatch(width: 12, part: 12, colour: PlotDrawing.colour(of: one.tone), to: &output)
                    output.text(" \(one.name)")
                }
            }
        }
    }

    // A bar that repeats the figure beside it.
    private static func writeSwatch(width: Int, part: Int, colour: String, to output: inout HTMLOutput) {
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "bar"), ("aria-hidden", "true"), ("width", "\(width)"), ("height", "12"),
        ]
        output.element("svg", attributes) { output in
            for (part, opacity) in [(width, "0.15"), (part, "1")] where part > 0 {
                let bar: [HTMLOutput.Attribute] = [
                    ("width", "\(part)"), ("height", "12"), ("fill", colour), ("fill-opacity", opacity),
                ]
                output.element("rect", bar, text: "")
            }
        }
    }

    private mutating func write(_ table: ReportTable, named name: String) {
        output.open("div", [("class", "scroll"), ("role", "region"), ("tabindex", "0"), ("aria-label", name)])
        output.open("table", [("cellpadding", "4")])
        output.element("caption", [("align", "left")], text: name)
        Self.writeTitles(of: table, to: &output)
        output.open("tbody")
        var written = 0
        for row in table.rows where output.bytes.count < Self.tableLimit {
            let anchor = row.anchor.map { anchors.name(for: $0) }
            Self.write(row, of: table, anchor: anchor, to: &output)
            write(row.details, over: table.columns.count)
            written += 1
        }
        for name in ["tbody", "table", "div"] as [StaticString] { output.close(name) }
        output.line()
        let omitted = table.omitted + table.rows.count - written
        guard omitted > 0 else { return }
        output.element(
            "p", [("class", "more")], text: "and \(omitted.grouped) more; the same report as JSON has them all")
    }

    private static func writeTitles(of table: ReportTable, to output: inout HTMLOutput) {
        guard table.hasTitles else { return }
        output.element("thead") { output in
            output.element("tr") { output in
                for column in table.columns {
                    // A cell without a title heads nothing.
                    let name: StaticString = column.title.isEmpty ? "td" : "th"
                    let scope: [HTMLOutput.Attribute] = column.title.isEmpty ? [] : [("scope", "col")]
                    output.element(name, scope + placement(of: column), text: column.title)
                }
            }
        }
        output.line()
    }

    private static func identified(by anchor: String?) -> [HTMLOutput.Attribute] {
        guard let anchor else { return [] }
        return [("id", anchor)]
    }

    private static func placement(of column: ReportTable.Column) -> [HTMLOutput.Attribute] {
        // Attributes for what a style would do, where no style is let in.
        column.isFigure ? [("class", "figure"), ("align", "right")] : [("align", "left")]
    }

    private static func write(
        _ row: ReportTable.Row, of table: ReportTable, anchor: String?, to output: inout HTMLOutput
    ) {
        output.element("tr", identified(by: anchor)) { output in
            for (index, column) in table.columns.enumerated() {
                let cell = index < row.cells.count ? row.cells[index] : .text("")
                let isHead = index == 0 && !cell.text.isEmpty
                let name: StaticString = isHead ? "th" : "td"
                var attributes: [HTMLOutput.Attribute] = isHead ? [("scope", "row")] : []
                if case .time = cell { attributes.append(("nowrap", "")) }
                output.element(name, attributes + placement(of: column)) { write(cell, to: &$0) }
            }
        }
        output.line()
    }

    // Writes the details of a single row, over all columns.
    private mutating func write(_ details: [ReportList], over columns: Int) {
        guard !details.isEmpty else { return }
        output.open("tr")
        output.open("td", [("colspan", "\(columns)")])
        for list in details { write(list) }
        output.close("td")
        output.close("tr")
        output.line()
    }

    private static func write(_ cell: ReportTable.Cell, to output: inout HTMLOutput) {
        switch cell {
        case .code(let text): write(code: text, to: &output)
        case .share(let part, let total):
            output.text(cell.text)
            guard total > 0 else { return }
            let width = min(barWidth, part * barWidth / total)
            writeSwatch(width: barWidth, part: width, colour: PlotDrawing.colour(of: .neutral), to: &output)
        case .text, .time, .number, .seconds: write(cell.text, cell.emphasis, to: &output)
        }
    }

    private static let barWidth = 64

    // Long words without a space may end a line here and there, which a copy of them does not show.
    private static func write(code text: String, to output: inout HTMLOutput) {
        guard !text.isEmpty else { return }
        let pieces = text.contains(" ") ? [text[...]] : pieces(of: text)
        output.element("code") { output in
            for (index, piece) in pieces.enumerated() {
                if index > 0 { output.open("wbr") }
                output.text(String(piece))
            }
        }
    }

    private static func pieces(of text: String) -> [Substring] {
        var (pieces, rest) = ([Substring](), text[...])
        while !rest.isEmpty {
            pieces.append(rest.prefix(pieceLength))
            rest = rest.dropFirst(pieceLength)
        }
        return pieces
    }

    private static let pieceLength = 12
}
