internal import Documents

/// A part of a report, whatever form it is written in: a heading, sentences, a table and lists, in this order.
///
/// A report, a comparison, an explanation and a table of policies are sections; each writer writes any sections.
package struct ReportSection: Sendable {
    let heading: Heading
    var sentences: [ReportText] = []
    var table: ReportTable?
    var lists: [ReportList] = []
    /// Whether it belongs to the section with a title before it.
    var isPart = false
    /// Pictures of the table, for forms that have pictures.
    var plots: [ReportPlot] = []
    /// Whether few readers look into the table, so that a page shows it only when it is asked to.
    var isFolded = false

    /// How a section begins.
    enum Heading: Sendable {
        /// With a title, such as `Token lifetimes`.
        case title(String)
        /// With a whole sentence that stands out, such as the result of a comparison.
        case notice(ReportText)
        /// With nothing: it says something of what stands before it, such as a sum.
        case continuation
    }

    init(_ heading: Heading, sentences: [ReportText] = [], table: ReportTable? = nil, lists: [ReportList] = []) {
        self.heading = heading
        self.sentences = sentences
        self.table = table
        self.lists = lists
    }

    /// Whether nothing follows the heading.
    var isBare: Bool { sentences.isEmpty && (table?.rows.isEmpty ?? true) && lists.isEmpty }
}

/// A text of which parts can stand out: `fail` in red, a device ID in bold.
struct ReportText: Sendable, ExpressibleByStringInterpolation {
    let spans: [Span]

    struct Span: Sendable {
        let text: String
        let emphasis: Emphasis
    }

    enum Emphasis: Sendable {
        case plain, strong
        /// For what is as it should be.
        case good
        /// For what is not as it should be.
        case bad
    }

    init(_ text: String, _ emphasis: Emphasis = .plain) {
        spans = [Span(text: text, emphasis: emphasis)]
    }

    init(stringLiteral text: String) { self.init(text) }

    private init(spans: [Span]) { self.spans = spans }

    /// The same with other words, which stand out in the same way.
    func mapping(_ change: (String) -> String) -> ReportText {
        ReportText(spans: spans.map { Span(text: change($0.text), emphasis: $0.emphasis) })
    }

    static func + (first: ReportText, second: ReportText) -> ReportText {
        ReportText(spans: first.spans + second.spans)
    }
}

/// A table of typed cells.
struct ReportTable: Sendable {
    let columns: [Column]
    let rows: [Row]
    /// How many further entries there are that the table leaves out.
    var omitted = 0

    /// How many entries of a ranking are shown.
    static let rankingLimit = 20

    struct Column: Sendable {
        /// Empty where the cells say themselves what they are.
        let title: String
        let isFigure: Bool

        /// A column of words, which stand to the left.
        static func text(_ title: String = "") -> Column { Column(title: title, isFigure: false) }

        /// A column of figures, which stand to the right, and of what stands among them.
        static func figure(_ title: String = "") -> Column { Column(title: title, isFigure: true) }
    }

    /// A row; cells that it lacks at its end are empty.
    struct Row: Sendable {
        let cells: [Cell]
        /// What is said of this row alone, below it.
        var details: [ReportList] = []
        /// What the row is about, such as `flag rooted`, for forms in which a row can be linked to.
        var anchor: String?
    }

    enum Cell: Sendable {
        case text(String, ReportText.Emphasis = .plain)
        /// What is copied as it stands: a device ID, a digest, a command.
        case code(String)
        /// An hour, a day or another time, which stands on one line.
        case time(String)
        case number(Int)
        case share(Int, of: Int)
        case seconds(Int)

        /// The cell in words: `1,234`, `12.5 %`, `300 s`.
        var text: String {
            switch self {
            case .text(let text, _), .code(let text), .time(let text): text
            case .number(let number): number.grouped
            case .share(let part, let total): part.share(of: total)
            case .seconds(let seconds): "\(seconds) s"
            }
        }

        /// How the cell stands out; figures do not.
        var emphasis: ReportText.Emphasis {
            if case .text(_, let emphasis) = self { emphasis } else { .plain }
        }
    }

    init(_ columns: [Column], _ rows: [[Cell]]) { self.init(columns, rows: rows.map { Row(cells: $0) }) }

    init(_ columns: [Column], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// The first entries of a ranking, and how many more there are.
    ///
    /// - Parameter rows: All entries, the largest first.
    static func ranking(_ columns: [Column], rows: [Row]) -> ReportTable {
        var table = ReportTable(columns, rows: Array(rows.prefix(rankingLimit)))
        table.omitted = rows.count - table.rows.count
        return table
    }

    /// Whether any column has a title.
    var hasTitles: Bool { columns.contains { !$0.title.isEmpty } }
}

/// Entries that belong together.
struct ReportList: Sendable {
    /// What they are, such as `to pass, any of:`.
    var head: ReportText?
    var items: [String] = []
    /// Whether the items are what a command printed, of which line breaks and tabs are kept.
    var isOutput = false
    /// What the entries are about, for forms in which they can be linked to.
    var anchor: String?
}
