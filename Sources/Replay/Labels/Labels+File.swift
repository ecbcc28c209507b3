package import Documents
internal import Figures
internal import PolicyEngine

extension Labels {
    /// Reads a file of labels (formats: Labels).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isSecret: True if messages show none of its lines.
    ///   - diagnostics: Gets all mistakes in it.
    /// - Returns: `nil` after noting an error.
    package static func read(path: String, isSecret: Bool, diagnostics: inout Diagnostics) -> Labels? {
        let bytes = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes else { return nil }
        guard bytes.count <= DocumentLimits.maximumBytes else {
            diagnostics.add(Diagnostic(file: path, message: "the file is larger than 16 MiB"))
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            diagnostics.add(Diagnostic(file: path, message: "the file is not UTF-8"))
            return nil
        }
        var reader = LabelReader(path: path, text, isSecret: isSecret)
        let rows = reader.rows()
        diagnostics.merge(reader.diagnostics)
        return reader.diagnostics.hasErrors ? nil : Labels(rows, path: path)
    }
}

/// Understands the lines of a file of labels.
private struct LabelReader {
    private let source: SourceFile
    private let text: LabelText
    private(set) var diagnostics = Diagnostics()

    private static let (label, from, until) = ("label", "from", "until")

    // A file whose first line has no label is another file than was meant, so none of its lines is shown.
    init(path: String, _ text: String, isSecret: Bool) {
        let source = SourceFile(path: path, text: text)
        self.text = LabelText(source.text)
        let names = self.text.names?.map(\.text) ?? self.text.lines.first?.fields.map(\.name) ?? []
        let isLabelled = names.contains(Self.label)
        self.source = isSecret || !isLabelled ? SourceFile(path: path, text: text, isSecret: true) : source
    }

    mutating func rows() -> [Labels.Row] {
        for mistake in text.mistakes { note(mistake.message, at: mistake.position) }
        guard checkNames(text) else { return [] }
        let rows = text.lines.compactMap { row($0) }
        noteContradictions(rows)
        if rows.isEmpty, !diagnostics.hasErrors {
            diagnostics.add(Diagnostic(file: source.path, message: "there is no label"))
        }
        return rows
    }

    private mutating func note(_ message: String, at position: SourcePosition, hint: String? = nil) {
        diagnostics.add(Diagnostic(in: source, at: position, message: message, hint: hint))
    }

    // The names of the columns of a table. An object says its own.
    private mutating func checkNames(_ text: LabelText) -> Bool {
        guard let names = text.names else { return true }
        var known: Set<ExactText> = []
        for name in names {
            let position = SourcePosition(line: 1, column: name.column)
            if name.text.isEmpty { note("a column has no name", at: position) }
            if !known.insert(ExactText(name.text)).inserted {
                note("there are two columns \(name.text.quoted)", at: position)
            }
            if !name.text.isEmpty { checkName(name.text, at: position) }
        }
        if !known.contains(ExactText(Self.label)) {
            note(
                "there is no column `label`", at: SourcePosition(line: 1, column: 1),
                hint: "the first line names the columns, such as `device-id,label`")
        }
        return !diagnostics.hasErrors
    }

    // True if a name is one of a label, or of an attribute that records may have.
    @discardableResult
    private mutating func checkName(_ name: String, at position: SourcePosition) -> Bool {
        let meant = Self.names.name(like: name).flatMap { ExactText($0) == ExactText(name) ? nil : $0 }
        guard meant != nil || InformationKeys.ofRecord.contains(name) && name != Labels.deviceKey else { return true }
        note(
            "\(name.quoted) is no attribute that a label can name", at: position,
            hint: meant.map { "did you mean \($0.quoted)?" } ?? "such as `device-id` or `ip`")
        return false
    }

    private static let names = NameLikeness([label, from, until] + InformationKeys.all)

    private mutating func row(_ line: LabelLine) -> Labels.Row? {
        let start = SourcePosition(line: line.line, column: 1)
        let others = line.fields.filter { ![Self.label, Self.from, Self.until].contains($0.name) && !$0.text.isEmpty }
        guard others.count == 1, let field = others.first else {
            note(
                others.isEmpty ? "the label names no attribute" : "the label names several attributes", at: start,
                hint: "a label is about one value of one attribute, such as `device-id`")
            return nil
        }
        let position = SourcePosition(line: line.line, column: field.column)
        guard checkName(field.name, at: position) else { return nil }
        if field.name == Labels.deviceKey, DeviceID(field.text) == nil { note("this is not a device ID", at: position) }
        let (from, until) = (instant(Self.from, of: line), instant(Self.until, of: line))
        if let from, let until, until <= from {
            note("the label ends before it starts", at: start, hint: "`until` is the first instant after it")
        }
        guard let word = line[Self.label] else { return nil }
        guard let label = DeviceLabel(rawValue: word.text), label != .unknown else {
            note(
                "\(word.text.quoted) is no label", at: SourcePosition(line: line.line, column: word.column),
                hint: "a label is `bad`, `good` or empty")
            return nil
        }
        return Labels.Row(
            attribute: field.name, value: field.text, label: label, from: from, until: until, line: line.line)
    }

    private mutating func instant(_ name: String, of line: LabelLine) -> Instant? {
        guard let field = line[name] else { return nil }
        let instant = Instant(rfc3339: field.text)
        if instant == nil {
            note(
                "\(field.text.quoted) is no time", at: SourcePosition(line: line.line, column: field.column),
                hint: "such as `2020-07-23T10:00:00Z`")
        }
        return instant
    }

    // Two labels of one value that are in force at the same time.
    private mutating func noteContradictions(_ rows: [Labels.Row]) {
        var groups: [[ExactText]: [Labels.Row]] = [:]
        for row in rows {
            // Device IDs are equal whatever their case of writing is.
            let value = row.attribute == Labels.deviceKey ? DeviceID(row.value)?.description ?? row.value : row.value
            groups[[ExactText(row.attribute), ExactText(value)], default: []].append(row)
        }
        let pairs = groups.values.compactMap { Self.contradiction(among: $0) }.map { first, second in
            (earlier: min(first.line, second.line), later: max(first.line, second.line))
        }
        for pair in pairs.sorted(by: { $0.later < $1.later }) {
            note(
                "the label contradicts that of line \(pair.earlier): one says bad and the other good of the same value",
                at: SourcePosition(line: pair.later, column: 1), hint: "periods that do not overlap can differ")
        }
    }

    // The first pair in the order in which labels come into force.
    private static func contradiction(among rows: [Labels.Row]) -> (Labels.Row, Labels.Row)? {
        let sorted = rows.sorted { ($0.start, $0.line) < ($1.start, $1.line) }
        var latest: [DeviceLabel: Labels.Row] = [:]
        for row in sorted {
            if let other = latest[row.label == .bad ? .good : .bad], other.end > row.start { return (other, row) }
            if row.end > latest[row.label]?.end ?? .min { latest[row.label] = row }
        }
        return nil
    }
}

extension Labels.Row {
    fileprivate var start: Int { from?.secondsSinceEpoch ?? .min }
    fileprivate var end: Int { until?.secondsSinceEpoch ?? .max }
}
