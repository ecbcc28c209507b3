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

    // The number of bytes from which tables and lists are cut; only headings and ends follow.
    private static let tableLimit = 240_000

    // The number of lines of a command's output that are shown.
    private static let lineLimit = 200

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
        writeHeader()
        output.open("main")
        output.line()
        if let card = page.card { write(card) }
        // The result comes first, and then where to find what.
        let result = sections.prefix { $0.anchor == nil }
        for placed in result { write(placed) }
        writeContents()
        write(sections.dropFirst(result.count))
        for name in ["main", "body", "html"] as [StaticString] { output.close(name) }
        output.line()
    }

    private mutating func writeHead() {
        output.element("head") { output in
            output.raw("\n<meta charset=\"utf-8\">\n")
            output.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            // Without styles, too, the page is dark where the reader wants it.
            output.raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
            output.element("title", text: page.fullTitle)
            output.line()
            output.element("style") { $0.raw(PageStyle.sheet) }
            output.line()
        }
        output.line()
    }

    private mutating func writeHeader() {
        output.element("header") { output in
            output.element("h1") { $0.title(page.title) }
            if !page.scope.isEmpty { output.element("p", text: page.scope.joined(separator: " · ")) }
        }
        output.line()
    }

    // Sections that are narrow enough are put beside each other.
    private mutating func write(_ sections: ArraySlice<Placed>) {
        var rest = sections
        while let first = rest.first {
            let beside = rest.prefix { $0.section.place == .beside }
            rest = rest.dropFirst(max(1, beside.count))
            guard beside.count > 1 else {
                write(first)
                continue
            }
            output.open("div", [("class", "parts")])
            output.line()
            for placed in beside { write(placed) }
            output.close("div")
            output.line()
        }
    }

    private mutating func writeContents() {
        let entries = sections.compactMap { placed -> (String, String)? in
            guard let anchor = placed.anchor, placed.section.place == .alone,
                case .title(let title) = placed.section.heading
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

// MARK: Card

extension HTMLWriter {
    private mutating func write(_ card: ReportCard) {
        let name = card.emphasis.className
        output.element("section", [("class", "card \(name)"), ("id", anchors.name(for: "result"))]) { output in
            if let verdict = card.verdict {
                output.element("h2", [("class", "verdict")]) { $0.write(verdict) }
                output.line()
            }
            output.element("div", [("class", "facts")]) { output in
                for fact in card.facts { Self.write(fact, to: &output) }
            }
            for note in card.notes {
                output.line()
                output.element("p", [("class", "muted")]) { $0.write(note.capitalized) }
            }
        }
        output.line()
    }

    private static func write(_ fact: ReportCard.Fact, to output: inout HTMLOutput) {
        output.line()
        output.element("p", [("class", "fact")]) { output in
            output.element("b", [("class", fact.emphasis.className)], text: fact.figure)
            output.text(" ")
            output.element("span") { $0.write(ReportText(fact.words)) }
        }
    }
}

// MARK: Sections

extension HTMLWriter {
    private mutating func write(_ placed: Placed) {
        let section = placed.section
        let heading: StaticString = section.place == .alone ? "h2" : "h3"
        output.open("section", Self.identified(by: placed.anchor))
        switch section.heading {
        case .title(let title): output.element(heading, text: title)
        case .notice(let sentence): write(sentence, [("class", "notice")])
        case .continuation: break
        }
        output.line()
        for sentence in section.sentences {
            write(sentence, [])
            output.line()
        }
        if let table = section.table, !table.rows.isEmpty { write(table, of: section) }
        writeLists(of: section)
        output.close("section")
        output.line()
    }

    private mutating func write(_ sentence: ReportText, _ attributes: [HTMLOutput.Attribute]) {
        output.element("p", attributes) { $0.write(sentence.capitalized) }
    }

    private mutating func writeLists(of section: ReportSection) {
        var written = 0
        for list in section.lists where output.bytes.count < Self.tableLimit {
            write(list)
            written += 1
        }
        writeOmitted(section.lists.count - written)
    }

    private mutating func writeOmitted(_ count: Int) {
        guard count > 0 else { return }
        output.element(
            "p", [("class", "more")], text: "And \(count.grouped) more; the same report as JSON has them all")
    }

    private mutating func write(_ list: ReportList) {
        let anchor = list.anchor.map { anchors.name(for: $0) }
        output.open("div", Self.identified(by: anchor))
        if let head = list.head { output.element("p") { $0.write(head.capitalized) } }
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
        let layout: [HTMLOutput.Attribute] = list.isAligned ? [("class", "aligned")] : []
        output.element("pre", layout + [("tabindex", "0")]) { output in
            for line in shown {
                output.command(String(line))
                output.line()
            }
            if lines.count > shown.count { output.text("… and \((lines.count - shown.count).grouped) more lines") }
        }
    }
}

// MARK: Tables

extension HTMLWriter {
    private mutating func write(_ table: ReportTable, of section: ReportSection) {
        let name = if case .title(let title) = section.heading { title } else { page.title }
        for plot in section.plots {
            output.open("figure")
            PlotDrawing(plot: plot, table: table).write(to: &output)
            writeLegend(PlotDrawing(plot: plot, table: table).legend)
            output.close("figure")
            output.line()
        }
        let isRepeated = !section.plots.isEmpty && !section.showsTable
        guard let fold = isRepeated ? "The figures" : section.fold else { return write(table, named: name) }
        output.open("details")
        output.element("summary", text: fold)
        write(table, named: name)
        output.close("details")
        output.line()
    }

    private mutating func writeLegend(_ legend: [(name: String, tone: ReportPlot.Tone)]) {
        guard !legend.isEmpty else { return }
        output.element("ul", [("class", "legend")]) { output in
            for (name, tone) in legend {
                output.element("li") { output in
                    output.bar(width: 12, part: 12, tone)
                    output.text(" \(name)")
                }
            }
        }
    }

    private mutating func write(_ table: ReportTable, named name: String) {
        output.open("div", [("class", "scroll"), ("role", "region"), ("tabindex", "0"), ("aria-label", name)])
        output.open("table")
        output.element("caption", text: name)
        let greatest = table.greatest
        output.titles(of: table, greatest)
        output.open("tbody")
        var written = 0
        for row in table.rows where output.bytes.count < Self.tableLimit {
            let anchor = row.anchor.map { anchors.name(for: $0) }
            output.row(row, of: table, greatest, Self.identified(by: anchor))
            write(row.details, over: table.columns.count)
            written += 1
        }
        for name in ["tbody", "table", "div"] as [StaticString] { output.close(name) }
        output.line()
        writeOmitted(table.omitted + table.rows.count - written)
    }

    private static func identified(by anchor: String?) -> [HTMLOutput.Attribute] {
        guard let anchor else { return [] }
        return [("id", anchor)]
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
}

/// Names for the parts of a page that can be linked to: each once, of letters, digits and hyphens.
struct HTMLAnchors {
    private var taken: Set<String> = []
    // The highest number that was given behind a name.
    private var numbers: [String: Int] = [:]

    /// The number of characters after which a name is cut; the number of a repeated one comes behind that.
    static let limit = 80

    /// The name for what a text says; a second one of the same text gets a number.
    ///
    /// - Complexity: O(1) on average, however many names are equal.
    mutating func name(for text: String) -> String {
        let plain = Self.plain(text)
        var number = (numbers[plain] ?? 0) + 1
        var name = number == 1 ? plain : "\(plain)-\(number)"
        // Another text may say the same with its number.
        while !taken.insert(name).inserted {
            number += 1
            name = "\(plain)-\(number)"
        }
        numbers[plain] = number
        return name
    }

    private static func plain(_ text: String) -> String {
        var name = ""
        for byte in text.utf8.prefix(limit) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if !name.hasSuffix("-") { name += "-" }
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name.isEmpty ? "part" : name
    }
}
