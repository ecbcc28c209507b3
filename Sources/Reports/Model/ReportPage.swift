internal import PolicyEngine
internal import Replay

/// A report as a page: its title, the head with the answer, its sections, and its origin.
package struct ReportPage: Sendable {
    /// The subject of the page: `example-bank: default → strict`.
    let title: String
    /// The extent of the data: `23 July 2020, 07–12 UTC` and `2,000 devices`.
    var scope: [String] = []
    /// The answer; `nil` where the sections begin with it.
    var head: ReportHead?
    var sections: [ReportSection]
    let origin: ReportOrigin

    /// - Parameters:
    ///   - title: The subject of the page: `example-bank: default → strict`.
    ///   - scope: The extent of the data: `23 July 2020, 07–12 UTC` and `2,000 devices`.
    ///   - head: The answer; `nil` where the sections begin with it.
    ///   - sections: What the answer consists of; the last of them repeat the report (``ReportOrigin/sections(explaining:)``).
    package init(
        title: String, scope: [String] = [], head: ReportHead? = nil, sections: [ReportSection], origin: ReportOrigin
    ) {
        (self.title, self.scope, self.head, self.sections, self.origin) = (title, scope, head, sections, origin)
    }

    /// The subject and the extent in one line.
    var fullTitle: String { ([title] + scope).joined(separator: " · ") }

    /// The page without device IDs and addresses, before its names become anchors and its words are cut.
    func redacted(by redactor: Redactor?) -> ReportPage {
        guard let redactor else { return self }
        return ReportPage(
            title: redactor.text(title), scope: scope, head: head?.mapping { redactor.text($0) },
            sections: sections.map { $0.mapping { redactor.text($0) }.notingHiddenNames }, origin: origin)
    }
}

extension [ReportSection] {
    /// The sections with those that belong to them: each block begins with one that has a place of its own.
    var blocks: [[ReportSection]] {
        reduce(into: []) { blocks, section in
            switch section.place {
            case .below,
                .beside where !blocks.isEmpty:
                blocks[blocks.count - 1].append(section)
            default: blocks.append([section])
            }
        }
    }
}

/// The command and the inputs of a report, so that it can be made again.
package struct ReportOrigin: Sendable {
    /// The command line, as a shell takes it; options without influence on the report are left out.
    package var command = ""
    /// The version of the tool; empty where it does not matter.
    package var version = ""
    package var inputs: [Input] = []
    /// The part of the inputs that the report is of, which the command leaves out; `nil` for all of them.
    package var part: String?
    /// The command that explains a device of the report, up to the device; `nil` where none does.
    package var explanation: String?
    /// The places of the change of a comparison, for forms that point at them.
    package var change: ChangePlaces?

    /// The command that explains a device; `nil` where none does.
    func explanation(of device: DeviceID?) -> String? {
        guard let explanation, let device else { return nil }
        return "\(explanation) \(device)"
    }

    /// A file that was read.
    package struct Input: Sendable {
        /// As it was named.
        let path: String
        /// In bytes; `nil` for what can be read once only.
        let size: Int?
        /// The SHA-256 of its bytes in hexadecimal digits; `nil` where it was not worked out.
        let digest: String?

        package init(path: String, size: Int?, digest: String?) {
            self.path = path
            self.size = size
            self.digest = digest
        }
    }

    package init() {}
}

extension ReportHead {
    fileprivate func mapping(_ change: (String) -> String) -> ReportHead {
        var head = self
        (head.verdict, head.answer) = (verdict?.mapping(change), answer.mapping(change))
        (head.details, head.notes) = (details.map { $0.mapping(change) }, notes.map { $0.mapping(change) })
        head.facts = facts.map { Fact(change($0.name), $0.figure, of: $0.whole, $0.words.mapping(change)) }
        head.zeros = zeros.map(change)
        return head
    }
}

extension ReportSection {
    /// The same section with other texts.
    fileprivate func mapping(_ change: (String) -> String) -> ReportSection {
        let heading: Heading =
            switch heading {
            case .title(let title): .title(change(title))
            case .notice(let text): .notice(text.mapping(change))
            case .continuation: .continuation
            }
        // Plots name columns and times only.
        var section = self
        (section.heading, section.table) = (heading, table?.mapping(change))
        (section.sentences, section.notes) = (sentences.map { $0.mapping(change) }, notes.map { $0.mapping(change) })
        section.lists = lists.map { $0.mapping(change) }
        section.terms = terms.map { ReportSection.Term($0.name, $0.words.mapping(change)) }
        return section
    }
}

extension ReportSection {
    // With a sentence where a command in it has a name in place of what is hidden; `explain` takes such names.
    fileprivate var notingHiddenNames: ReportSection {
        let cells = table?.rows.flatMap(\.cells).compactMap(\.command) ?? []
        let commands = lists.filter(\.isOutput).flatMap(\.items) + cells
        guard commands.contains(where: { Redactor.hasName(in: $0) && !$0.hasPrefix("scenario explain ") }) else {
            return self
        }
        var section = self
        section.notes.append("a command with a name for what is hidden here cannot be run as it is printed")
        return section
    }
}

extension ReportTable.Cell {
    // A text of several words in code; `nil` for any other cell.
    fileprivate var command: String? {
        guard case .code(let text) = self, text.contains(" ") else { return nil }
        return text
    }
}

extension ReportTable {
    fileprivate func mapping(_ change: (String) -> String) -> ReportTable {
        let rows = rows.map { row in
            Row(
                cells: row.cells.map { $0.mapping(change) }, details: row.details.map { $0.mapping(change) },
                note: row.note.map(change), anchor: row.anchor.map(change))
        }
        return ReportTable(columns, rows: rows, omitted: omitted)
    }
}

extension ReportTable.Cell {
    fileprivate func mapping(_ change: (String) -> String) -> ReportTable.Cell {
        switch self {
        case .text(let text, let emphasis): .text(change(text), emphasis)
        case .code(let text): .code(change(text))
        case .name(let text, let spoken): .name(change(text), spoken: change(spoken))
        case .difference(let expected, let actual): .difference(expected: change(expected), actual: change(actual))
        case .time, .number, .share, .seconds, .interval: self
        }
    }
}

extension ReportList {
    fileprivate func mapping(_ change: (String) -> String) -> ReportList {
        ReportList(
            head: head?.mapping(change), items: items.map(change), isOutput: isOutput, isAligned: isAligned,
            anchor: anchor.map(change))
    }
}

/// The places where a change of an account was made: lines of a file, or words of the command line.
package struct ChangePlaces: Sendable {
    /// The file that was changed, or that names the changes; else the account's; `nil` where there is none.
    let file: String?
    /// The lines that make the change, in their order; empty if the command line does.
    let lines: [Line]
    /// The change as it was typed, if the command line makes it.
    let words: [String]

    package struct Line: Hashable, Sendable {
        /// Counted from 1.
        package let number: Int
        package let text: String

        package init(number: Int, text: String) { (self.number, self.text) = (number, text) }

        /// True if the text has a name as a whole word: `default` does not name a filter `a`, nor `allow-root` a flag `root`.
        func names(_ name: String) -> Bool {
            text.ranges(of: name).contains { range in
                !text[..<range.lowerBound].suffix(1).contains(where: Self.isOfWords)
                    && !text[range.upperBound...].prefix(1).contains(where: Self.isOfWords)
            }
        }

        private static func isOfWords(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "-" || character == "_"
        }
    }

    package init(file: String?, lines: [Line] = [], words: [String] = []) {
        (self.file, self.lines, self.words) = (file, lines, words)
    }

    /// The line of a part of the change: the first one that has the name of the flag or filter, or else the first one of all;
    /// `nil` if there are no lines.
    func line(naming name: String? = nil) -> Int? {
        let named = name.flatMap { name in lines.first { $0.names(name) } }
        return (named ?? lines.first)?.number
    }
}
