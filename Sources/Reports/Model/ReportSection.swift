internal import Documents
package import Statistics

/// A part of a report, whatever form it is written in: a heading, sentences, a table and lists, in this order.
///
/// A report, a comparison, an explanation and a table of policies are sections; each writer writes any sections.
package struct ReportSection: Sendable {
    package var heading: Heading
    package var sentences: [ReportText] = []
    /// Names with a sentence each, such as the grounds of an answer.
    package var terms: [Term] = []
    /// The words behind which a page folds these away, which texts then leave out.
    package var termsFold: String?
    package var table: ReportTable?
    /// Sentences below the table.
    package var notes: [ReportText] = []
    package var lists: [ReportList] = []
    package var place = Place.alone
    /// Shares on one axis, below the table.
    var intervals: IntervalPlot?
    /// Counts that grow over time, above the table.
    var curve: CurvePlot?
    /// Edits between what they catch and what they block, above the table.
    var dots: DotPlot?
    /// Pictures of the table, for forms that have pictures.
    package var plots: [ReportPlot] = []
    /// True if the table is open below its plots, because they leave out much of it: a dot does not say which edit it is.
    package var showsTable = false
    /// True if sections that belong to it follow, so that its title is written although it says nothing itself.
    var holdsParts = false
    /// The words behind which a page folds the table away, where few readers look into it: `34 edits`.
    package var fold: String?

    /// The place of a section on a page.
    package enum Place: Sendable {
        /// A block of its own.
        case alone
        /// A block of its own, which is narrow enough for another one beside it.
        case half
        /// It belongs to the section with a title before it.
        case below
        /// So it does, and it is narrow enough for another one beside it.
        case beside
    }

    /// A name, and the sentence on it.
    package struct Term: Sendable {
        package let name: String
        package let words: ReportText

        package init(_ name: String, _ words: ReportText) { (self.name, self.words) = (name, words) }
    }

    /// The beginning of a section.
    package enum Heading: Sendable {
        /// With a title, such as `Token lifetimes`.
        case title(String)
        /// With a whole emphasised sentence, such as the result of a comparison.
        case notice(ReportText)
        /// With nothing: it continues the section before it, such as a sum.
        case continuation
    }

    package init(
        _ heading: Heading, sentences: [ReportText] = [], table: ReportTable? = nil, lists: [ReportList] = [],
        place: Place = .alone, plots: [ReportPlot] = []
    ) {
        (self.heading, self.sentences, self.table, self.lists) = (heading, sentences, table, lists)
        (self.place, self.plots) = (place, plots)
    }

    /// The same section in another place of a page.
    package func placed(_ place: Place) -> ReportSection {
        var section = self
        section.place = place
        return section
    }

    /// True if nothing follows the heading.
    var isBare: Bool {
        !holdsParts && sentences.isEmpty && terms.isEmpty && notes.isEmpty && (table?.rows.isEmpty ?? true)
            && lists.isEmpty
    }
}

/// A text of which parts can be emphasised: `fail` in red, a device ID in bold.
package struct ReportText: Sendable, ExpressibleByStringInterpolation {
    let spans: [Span]

    struct Span: Sendable {
        let text: String
        let emphasis: Emphasis
    }

    package enum Emphasis: String, Sendable {
        case plain, strong
        /// For a desired result.
        case good
        /// For an undesired result.
        case bad
    }

    package init(_ text: String, _ emphasis: Emphasis = .plain) {
        spans = [Span(text: text, emphasis: emphasis)]
    }

    package init(stringLiteral text: String) { self.init(text) }

    private init(spans: [Span]) { self.spans = spans }

    /// The same with other words, which are emphasised in the same way.
    func mapping(_ change: (String) -> String) -> ReportText {
        ReportText(spans: spans.map { Span(text: change($0.text), emphasis: $0.emphasis) })
    }

    /// True if there are no words.
    var isEmpty: Bool { spans.allSatisfy(\.text.isEmpty) }

    /// The same words without their emphasis.
    var withoutEmphasis: ReportText { ReportText(spans: spans.map { Span(text: $0.text, emphasis: .plain) }) }

    /// The same with a capital letter, where it begins with a word rather than a name.
    var capitalized: ReportText {
        guard let first = spans.first, let letter = first.text.first, letter.isASCII, letter.isLowercase else {
            return self
        }
        let word = first.text.prefix { $0 != " " }
        let end = word.last.map { ",;:".contains($0) } == true ? 1 : 0
        guard word.dropLast(end).allSatisfy({ $0.isASCII && $0.isLowercase }) else { return self }
        let text = letter.uppercased() + first.text.dropFirst()
        return ReportText(spans: [Span(text: text, emphasis: first.emphasis)] + spans.dropFirst())
    }

    package static func + (first: ReportText, second: ReportText) -> ReportText {
        ReportText(spans: first.spans + second.spans)
    }
}

/// A table of typed cells.
package struct ReportTable: Sendable {
    package var columns: [Column]
    package var rows: [Row]
    /// The number of further entries that the table leaves out.
    package var omitted = 0

    /// The number of entries of a ranking that are shown.
    package static let rankingLimit = 20

    package struct Column: Sendable {
        /// Empty where the cells say themselves what they are.
        package let title: String
        let isFigure: Bool
        /// The title that a page shows, also where a text needs none.
        let pageTitle: String
        /// The meaning of the figures where a page shows them as bars, too.
        package var bars: ReportPlot.Tone?
        /// The meaning of the lengths of bars: all of a page with the same meaning have one scale.
        package var scale = ""
        /// The share of all devices, which a line through all bars shows; `nil` for none.
        package var reference: ReportTable.Cell?
        /// True if a page draws the intervals of the column beside their words.
        package var drawsIntervals = false
        /// False where a page has another place for the column.
        package var isOnPage = true

        /// The same column with another meaning of its bars.
        package func scaled(as scale: String) -> Column {
            var column = self
            column.scale = scale
            return column
        }

        /// The same column with a line for the share of all devices.
        package func referring(to share: Cell) -> Column {
            var column = self
            column.reference = share
            return column
        }

        /// The same column, which a page leaves out.
        package var onlyText: Column {
            var column = self
            column.isOnPage = false
            return column
        }

        /// A column of words, aligned to the left.
        package static func text(_ title: String = "", page: String? = nil) -> Column {
            Column(title: title, isFigure: false, pageTitle: page ?? title)
        }

        /// A column of figures, aligned to the right, and of other cells among them.
        package static func figure(_ title: String = "", page: String? = nil, bars: ReportPlot.Tone? = nil) -> Column {
            Column(title: title, isFigure: true, pageTitle: page ?? title, bars: bars, scale: page ?? title)
        }
    }

    /// A row; cells that it lacks at its end are empty.
    package struct Row: Sendable {
        package var cells: [Cell]
        /// Lists about this row alone, below it.
        package var details: [ReportList] = []
        /// A sentence about the row, for pages: the meaning of a flag.
        package var note: String?
        /// The subject of the row, such as `flag rooted`, for forms in which a row can be linked to.
        package var anchor: String?

        package init(
            cells: [Cell], details: [ReportList] = [], note: String? = nil, anchor: String? = nil
        ) { (self.cells, self.details, self.note, self.anchor) = (cells, details, note, anchor) }
    }

    package enum Cell: Sendable {
        case text(String, ReportText.Emphasis = .plain)
        /// A text that is copied unchanged: a device ID, a digest, a command.
        case code(String)
        /// The name of an app, a version or a system as metrics have it, and as people say it.
        case name(String, spoken: String)
        /// An hour, a day or another time, which is never broken over lines.
        case time(String)
        case number(Int)
        case share(Int, of: Int)
        case seconds(Int)
        /// The expected value, and the actual one.
        case difference(expected: String, actual: String)
        /// A text about an interval; a share has numbers, too, as which pages draw it.
        case interval(String, estimate: Double?, ConfidenceInterval?)

        /// The cell in words: `1,234`, `12.5 %`, `300 s`.
        var text: String {
            switch self {
            case .text(let text, _), .code(let text), .time(let text), .name(_, let text), .interval(let text, _, _):
                text
            case .number(let number): number.grouped
            case .share(let part, let total): part.share(of: total)
            case .seconds(let seconds): "\(seconds) s"
            case .difference(let expected, let actual): "expected \(expected), actual \(actual)"
            }
        }

        /// A figure as the difference from the account as it is: `+40` for the better, `±0`.
        package static func change(_ difference: Int, more: ReportText.Emphasis = .plain) -> Cell {
            let text = difference == 0 ? "±0" : (difference > 0 ? "+" : "−") + abs(difference).grouped
            let fewer: ReportText.Emphasis = more == .bad ? .good : more == .good ? .bad : .plain
            return .text(text, difference == 0 ? .plain : difference > 0 ? more : fewer)
        }

        /// The emphasis of the cell; figures have none.
        var emphasis: ReportText.Emphasis {
            if case .text(_, let emphasis) = self { emphasis } else { .plain }
        }
    }

    package init(_ columns: [Column], _ rows: [[Cell]]) { self.init(columns, rows: rows.map { Row(cells: $0) }) }

    package init(_ columns: [Column], rows: [Row], omitted: Int = 0) {
        (self.columns, self.rows, self.omitted) = (columns, rows, omitted)
    }

    /// The first entries of a ranking, and how many more there are.
    ///
    /// - Parameter rows: All entries, the largest first.
    package static func ranking(_ columns: [Column], rows: [Row]) -> ReportTable {
        ReportTable(columns, rows: rows).ranking
    }

    /// The first rows, and how many more there are.
    package var ranking: ReportTable {
        ReportTable(
            columns, rows: Array(rows.prefix(Self.rankingLimit)), omitted: max(0, rows.count - Self.rankingLimit))
    }

    /// True if any column has a title.
    var hasTitles: Bool { columns.contains { !$0.title.isEmpty } }
}

/// Entries that belong together.
package struct ReportList: Sendable {
    /// The heading of the list, such as `to pass, any of:`.
    package var head: ReportText?
    package var items: [String] = []
    /// True if the items are the output of a command, of which line breaks and tabs are kept.
    package var isOutput = false
    /// True if a line of the output points at a character of the line above it, so that lines stay whole.
    package var isAligned = false
    /// The subject of the entries, for forms in which they can be linked to.
    package var anchor: String?

    package init(
        head: ReportText? = nil, items: [String] = [], isOutput: Bool = false, isAligned: Bool = false,
        anchor: String? = nil
    ) {
        (self.head, self.items, self.anchor) = (head, items, anchor)
        (self.isOutput, self.isAligned) = (isOutput, isAligned)
    }
}
