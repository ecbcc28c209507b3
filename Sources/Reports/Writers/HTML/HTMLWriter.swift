internal import Documents

/// Writes a report as one page of HTML: no script, nothing from elsewhere, the same bytes for the same report.
///
/// The page stays below ``limit`` bytes: tables are cut, and say how much they leave out.
package struct HTMLWriter {
    private var output = HTMLOutput()
    private var anchors = HTMLAnchors()
    private let page: ReportPage
    private let blocks: [Block]
    private let scales: BarScales

    /// A section with the name by which it is linked to.
    private struct Placed {
        let section: ReportSection
        let anchor: String?
    }

    /// A section, and those that belong to it.
    private struct Block {
        let head: Placed
        var parts: [Placed] = []
        var isHalf = false
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
        scales = BarScales(of: page.sections.compactMap { $0.table?.onPage })
        blocks = Self.blocks(of: page.sections, &anchors)
    }

    // Of narrow blocks that follow each other two are beside each other; one that is left over has all of the width.
    private static func blocks(of sections: [ReportSection], _ anchors: inout HTMLAnchors) -> [Block] {
        var blocks = sections.blocks.map { block in
            let placed = block.map { section in
                let title = if case .title(let title) = section.heading { title } else { String?.none }
                return Placed(section: section, anchor: title.map { anchors.name(for: $0) })
            }
            return Block(head: placed[0], parts: Array(placed.dropFirst()))
        }
        var start = 0
        while start < blocks.count {
            let halves = blocks[start...].prefix { $0.head.section.place == .half }.count
            for index in start..<(start + halves / 2 * 2) { blocks[index].isHalf = true }
            start += max(1, halves)
        }
        return blocks
    }

    private mutating func write() {
        output.raw("<!DOCTYPE html>\n")
        output.open("html", [("lang", "en")])
        output.line()
        writeHead()
        output.open("body")
        output.open("div", [("class", "page")])
        output.line()
        writeTitle()
        output.open("main")
        output.line()
        if let head = page.head { write(head) }
        for block in blocks { write(block) }
        for name in ["main", "div", "body", "html"] as [StaticString] { output.close(name) }
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
            output.element("style") {
                $0.raw(PageStyle.base)
                $0.raw(PageStyle.sheet)
            }
            output.line()
        }
        output.line()
    }

    private mutating func writeTitle() {
        output.element("header", [("class", "title")]) { output in
            output.element("h1") { $0.title(page.title) }
            if !page.scope.isEmpty { output.element("p", text: page.scope.joined(separator: " · ")) }
        }
        output.line()
    }
}

// MARK: Head

extension HTMLWriter {
    private mutating func write(_ head: ReportHead) {
        let tone: String =
            switch head.emphasis {
            case .bad: " bad"
            case .good: " good"
            case .plain, .strong: ""
            }
        let attributes: [HTMLOutput.Attribute] = [
            ("class", "answer\(tone)\(head.intervals == nil ? "" : " two")"), ("id", anchors.name(for: "result")),
        ]
        output.element("section", attributes) { output in
            output.element("div", [("class", "says-it")]) { output in
                if let verdict = head.verdict {
                    output.element("h2", [("class", "verdict")]) { $0.write(verdict.withoutEmphasis) }
                }
                output.element("p", [("class", "says")]) { $0.write(head.answer.capitalized) }
                for detail in head.details { output.element("p", [("class", "sub")]) { $0.write(detail.capitalized) } }
                for note in head.notes { output.element("p", [("class", "note")]) { $0.write(note.capitalized) } }
            }
            if let plot = head.intervals { IntervalPlotDrawing(plot: plot).draw(in: &output) }
        }
        output.line()
        write(head.facts)
        if !head.zeros.isEmpty { writeNote(ReportText(head.zeros.joined(separator: ", ") + "."), "zeros") }
    }

    private mutating func write(_ facts: [ReportHead.Fact]) {
        guard !facts.isEmpty else { return }
        output.element("div", [("class", facts.count % 3 == 0 ? "facts three" : "facts")]) { output in
            for fact in facts {
                output.element("div") { output in
                    output.element("p", [("class", "k")], text: fact.name)
                    output.element("p", [("class", "v")]) { output in
                        output.text(fact.figure)
                        guard !fact.whole.isEmpty else { return }
                        output.text(" ")
                        output.element("small", text: fact.whole)
                    }
                    output.element("p", [("class", "w")]) { $0.write(fact.words) }
                }
                output.line()
            }
        }
        output.line()
    }

    private mutating func writeNote(_ text: ReportText, _ name: String) {
        output.element("p", [("class", name)]) { $0.write(text.capitalized) }
        output.line()
    }
}

// MARK: Sections

extension HTMLWriter {
    private mutating func write(_ block: Block) {
        output.open(
            "section", [("class", block.isHalf ? "block half" : "block")] + Self.identified(by: block.head.anchor))
        writeContent(of: block.head, heading: "h2")
        var rest = block.parts[...]
        while let first = rest.first {
            let beside = rest.prefix { $0.section.place == .beside }
            rest = rest.dropFirst(max(1, beside.count))
            if beside.count > 1 { output.open("div", [("class", "columns")]) }
            for placed in beside.isEmpty ? [first] : Array(beside) { write(placed) }
            if beside.count > 1 { output.close("div") }
        }
        output.close("section")
        output.line()
    }

    private mutating func write(_ part: Placed) {
        output.open("section", Self.identified(by: part.anchor))
        writeContent(of: part, heading: "h3")
        output.close("section")
        output.line()
    }

    private mutating func writeContent(of placed: Placed, heading: StaticString) {
        let section = placed.section
        switch section.heading {
        case .title(let title): output.element(heading, text: title)
        case .notice(let sentence): writeNote(sentence, "notice")
        case .continuation: break
        }
        output.line()
        for sentence in section.sentences { writeNote(sentence, "lead") }
        if section.termsFold == nil { write(section.terms) }
        if let curve = section.curve { CurveDrawing(curve).draw(in: &output) }
        if let dots = section.dots { DotPlotDrawing(dots).draw(in: &output) }
        if let table = section.table, !table.rows.isEmpty { write(table, of: section) }
        for note in section.notes { writeNote(note, "note") }
        if let fold = section.termsFold, !section.terms.isEmpty {
            writeFolded(fold) { writer in writer.write(section.terms) }
        }
        if let plot = section.intervals { IntervalPlotDrawing(plot: plot).draw(in: &output) }
        writeLists(of: section)
    }

    private mutating func write(_ terms: [ReportSection.Term]) {
        guard !terms.isEmpty else { return }
        // Sentences of which some have names are named after the one before.
        let areNamed = terms.contains { !$0.name.isEmpty }
        output.element(areNamed ? "dl" : "ul", areNamed ? [("class", "rests")] : []) { output in
            for term in terms {
                if areNamed {
                    let name = term.name.isEmpty ? "·" : ReportText(term.name).capitalized.spans.map(\.text).joined()
                    output.element("dt", text: name)
                }
                output.element(areNamed ? "dd" : "li") { $0.write(term.words.capitalized) }
                output.line()
            }
        }
        output.line()
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
            "p", [("class", "note")], text: "And \(count.grouped) more; the same report as JSON has them all")
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
        guard lines.count > 1 || list.isAligned else {
            return output.element("p", [("class", "cmd")]) { output in
                output.element("code") { $0.command(lines.first.map(String.init) ?? "") }
            }
        }
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
            let drawing = PlotDrawing(plot: plot, table: table)
            output.open("figure", [("class", "plot")])
            writeLegend(drawing.legend)
            drawing.write(to: &output)
            output.close("figure")
            output.line()
        }
        let isRepeated = !section.plots.isEmpty && !section.showsTable
        if let fold = isRepeated ? "The figures" : section.fold {
            return writeFolded(fold) { writer in writer.write(table, named: name) }
        }
        guard section.place == .half || section.place == .beside else { return write(table, named: name) }
        let (first, rest) = table.split
        write(first, named: name)
        guard let rest else { return }
        writeFolded("\(rest.rows.count.grouped) more") { writer in writer.write(rest, named: "\(name), continued") }
    }

    private mutating func writeFolded(_ words: String, _ content: (inout HTMLWriter) -> Void) {
        output.open("details")
        output.element("summary", text: words)
        content(&self)
        output.close("details")
        output.line()
    }

    private mutating func writeLegend(_ legend: [(name: String, tone: ReportPlot.Tone)]) {
        guard !legend.isEmpty else { return }
        output.element("figcaption") { output in
            for (name, tone) in legend {
                output.element("span", [("class", "key")]) { output in
                    output.element("svg", [("width", "12"), ("height", "12"), ("aria-hidden", "true")]) { output in
                        let size: [HTMLOutput.Attribute] = [("width", "12"), ("height", "12"), ("rx", "2")]
                        output.element("rect", size + PlotDrawing.paint(tone), text: "")
                    }
                    output.text(name)
                }
                output.text(" ")
            }
        }
    }

    private mutating func write(_ table: ReportTable, named name: String) {
        let (table, sentence) = table.onPage.withoutEqualColumns
        let drawn = HTMLTable(table, scales)
        // Without titles, a browser gives no width to the columns below a caption that is hidden.
        output.open("table", [("aria-label", name)] + drawn.attributes)
        drawn.writeTitles(to: &output)
        output.open("tbody")
        var written = 0
        for row in table.rows where output.bytes.count < Self.tableLimit {
            let anchor = row.anchor.map { anchors.name(for: $0) }
            drawn.write(row, Self.identified(by: anchor), to: &output)
            write(row.details, over: drawn.columnCount)
            written += 1
        }
        for name in ["tbody", "table"] as [StaticString] { output.close(name) }
        output.line()
        if let sentence { writeNote(ReportText(sentence), "note") }
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
