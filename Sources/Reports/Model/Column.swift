package import Documents
package import Figures
package import PolicyEngine

/// A column of a table, declared once for all forms of a report: a member of the object that a row is as JSON, with its
/// description in the schema; one or more fields of the line that a row is as CSV; and a column that people read.
package struct Column<Row>: Sendable {
    /// Reads something of a row.
    package typealias Reading<Value> = @Sendable (Row) -> Value

    /// The name of the member, and of the field.
    let key: String
    /// The form of the member, and the words about it.
    let schema: JSONSchema
    /// True if an object may lack the member.
    let isOptional: Bool
    /// The value of the member; `nil` where an object lacks it.
    let value: Reading<JSONValue?>
    /// False for a column that JSON does not have.
    private(set) var isMember = true
    /// The fields as CSV; none for lists and maps.
    private(set) var fields: [Field]
    /// The columns for people; none where they read the value elsewhere.
    private(set) var shown: [Shown] = []

    /// A field of a line as CSV.
    struct Field: Sendable {
        let path: String
        let name: String
        let value: Reading<CSVOutput.Field>
    }

    /// A column of a table for people.
    struct Shown: Sendable {
        let path: String
        let column: ReportTable.Column
        let cell: Reading<ReportTable.Cell>
    }

    fileprivate init(
        _ key: String, _ description: String, _ schema: JSONSchema, isOptional: Bool = false, hasField: Bool = true,
        _ value: @escaping Reading<JSONValue?>
    ) {
        (self.key, self.schema, self.isOptional) = (key, schema.described(as: description), isOptional)
        self.value = value
        fields = hasField ? [Field(path: key, name: key) { CSVOutput.Field(value($0) ?? .null) }] : []
    }
}

// MARK: Values

extension Column {
    /// The version of a report's form.
    package static var version: Column {
        value("version", "The version of the form of the report.", JSONSchema([("const", .number(1))])) { _ in
            .integer(1)
        }
    }

    /// A value whose type says its form: a number, text, time or figure, a list of such, or one of them or null.
    package static func field<Value: FigureValue>(
        _ key: String, _ description: String, _ read: @escaping Reading<Value>
    ) -> Column {
        Column(key, description, Value.reportedForm, hasField: Value.reportedForm.isSimple) { read($0).reported }
    }

    /// The same, missing where there is no value.
    package static func optional<Value: FigureValue>(
        _ key: String, _ description: String, _ read: @escaping Reading<Value?>
    ) -> Column {
        let form = Value.reportedForm
        return Column(key, description, form, isOptional: true, hasField: form.isSimple) { read($0)?.reported }
    }

    /// A value of a form that has no type of its own.
    package static func value(
        _ key: String, _ description: String, _ schema: JSONSchema, _ read: @escaping Reading<JSONValue>
    ) -> Column { Column(key, description, schema, hasField: schema.isSimple, read) }

    /// The same, missing where there is no value.
    package static func optional(
        _ key: String, _ description: String, _ schema: JSONSchema, _ read: @escaping Reading<JSONValue?>
    ) -> Column { Column(key, description, schema, isOptional: true, hasField: schema.isSimple, read) }

    /// One of some words.
    package static func word(
        _ key: String, _ description: String, of words: [String], _ read: @escaping Reading<String>
    ) -> Column { Column(key, description, .words(words)) { .string(read($0)) } }

    /// `pass` or `fail`.
    package static func verdict(_ key: String, _ description: String, passed read: @escaping Reading<Bool>) -> Column {
        Column(key, description, .verdict) { .string(read($0) ? "pass" : "fail") }
    }

    /// A number of six significant digits; null for one that is not finite.
    package static func number(_ key: String, _ description: String, _ read: @escaping Reading<Double>) -> Column {
        Column(key, description, .number.orNull) { .reported(read($0)) }
    }

    /// The same, null where there is none.
    package static func number(_ key: String, _ description: String, _ read: @escaping Reading<Double?>) -> Column {
        Column(key, description, .number.orNull) { .reported(read($0)) }
    }
}

// MARK: Objects and lists

extension Column {
    /// An object; its fields as CSV have its name in front of their own.
    package static func object<Part>(
        _ key: String, _ description: String, _ columns: Columns<Part>, _ read: @escaping Reading<Part>
    ) -> Column {
        Column(key, description, columns.schema, hasField: false) { columns.value(of: read($0)) }
            .holding(columns, read)
    }

    /// An object, or null.
    package static func object<Part>(
        orNull key: String, _ description: String, _ columns: Columns<Part>, _ read: @escaping Reading<Part?>
    ) -> Column {
        Column(key, description, columns.schema.orNull, hasField: false) { read($0).map(columns.value) ?? .null }
            .holding(columns, read)
    }

    /// An object, missing where there is none.
    package static func optional<Part>(
        _ key: String, _ description: String, _ columns: Columns<Part>, _ read: @escaping Reading<Part?>
    ) -> Column {
        Column(key, description, columns.schema, isOptional: true, hasField: false) { read($0).map(columns.value) }
            .holding(columns, read)
    }

    /// A list of objects.
    package static func list<Part>(
        _ key: String, _ description: String, _ columns: Columns<Part>, _ read: @escaping Reading<[Part]>
    ) -> Column { Column(key, description, .list(of: columns.schema), hasField: false) { columns.list(of: read($0)) } }

    /// A list of objects, missing where there is none.
    package static func optionalList<Part>(
        _ key: String, _ description: String, _ columns: Columns<Part>, _ read: @escaping Reading<[Part]?>
    ) -> Column {
        Column(key, description, .list(of: columns.schema), isOptional: true, hasField: false) {
            read($0).map(columns.list)
        }
    }

    /// A long list of objects, each of which is made when it is written.
    package static func longList<Parts: Sequence & SendableMetatype>(
        _ key: String, _ description: String, _ columns: Columns<Parts.Element>, _ read: @escaping Reading<Parts>
    ) -> Column {
        Column(key, description, .list(of: columns.schema), hasField: false) {
            .written(columns.writtenList(of: read($0)))
        }
    }

    // The fields and the columns for people are those of the object, of which there may be none.
    private func holding<Part>(_ columns: Columns<Part>, _ read: @escaping Reading<Part?>) -> Column {
        var column = self
        column.fields = columns.all.flatMap(\.fields).map { field in
            Field(path: "\(key).\(field.path)", name: "\(key)-\(field.name)") { row in
                read(row).map(field.value) ?? .plain("")
            }
        }
        column.shown = columns.all.flatMap(\.shown).map { shown in
            Shown(path: "\(key).\(shown.path)", column: shown.column) { row in
                read(row).map(shown.cell) ?? .text("–")
            }
        }
        return column
    }
}

extension Column {
    /// The column of a whole of which this one has a part.
    package func of<Whole>(_ part: any KeyPath<Whole, Row> & Sendable) -> Column<Whole> {
        Column<Whole>(self, part)
    }

    private init<Part>(_ column: Column<Part>, _ part: any KeyPath<Row, Part> & Sendable) {
        (key, schema, isOptional, isMember) = (column.key, column.schema, column.isOptional, column.isMember)
        value = { column.value($0[keyPath: part]) }
        fields = column.fields.map { field in
            Field(path: field.path, name: field.name) { field.value($0[keyPath: part]) }
        }
        shown = column.shown.map { shown in
            Shown(path: shown.path, column: shown.column) { shown.cell($0[keyPath: part]) }
        }
    }
}

// MARK: CSV and people

extension Column {
    /// The same object, whose fields as CSV have no name in front of their own.
    package var csvWithoutPrefix: Column {
        var column = self
        column.fields = fields.map {
            Field(path: $0.path, name: String($0.name.dropFirst(key.utf8.count + 1)), value: $0.value)
        }
        return column
    }

    /// The same object, of which CSV has some fields only.
    package func csv(only names: Set<String>) -> Column {
        var column = self
        column.fields.removeAll { field in !names.contains { field.path == "\(key).\($0)" } }
        return column
    }

    /// The same column, which CSV does not have.
    package var withoutCSV: Column {
        var column = self
        column.fields = []
        return column
    }

    /// A field that CSV alone has, because it has no room for all that JSON has.
    ///
    /// - Parameter object: The object that JSON has in its place.
    package static func onlyCSV(_ name: String, of object: String, _ read: @escaping Reading<CSVOutput.Field>) -> Column
    {
        var column = Column(notInJSON: object)
        column.fields = [Field(path: "\(object).\(name)", name: name, value: read)]
        return column
    }

    /// A column that people alone read, because other forms have its parts.
    package static func shown(_ key: String, _ column: ReportTable.Column, _ cell: @escaping Reading<ReportTable.Cell>)
        -> Column
    {
        Column(notInJSON: key).shown(column, cell)
    }

    private init(notInJSON key: String) {
        self.init(key, "", .anything, hasField: false) { _ in nil }
        isMember = false
    }

    /// The same column, which people read as words.
    package func text(_ title: String, page: String? = nil, as cell: Reading<ReportTable.Cell>? = nil) -> Column {
        shown(.text(title, page: page), cell ?? usual(absent: ""))
    }

    /// The same column, which people read as figures.
    ///
    /// - Parameters:
    ///   - drawsIntervals: True if a page draws the intervals of the column.
    ///   - absent: The words where there is no figure.
    ///   - cell: The figure of a row, if it is not the value itself: a share.
    package func figure(
        _ title: String, page: String? = nil, bars: ReportPlot.Tone? = nil, drawsIntervals: Bool = false,
        absent: String = "–", as cell: Reading<ReportTable.Cell>? = nil
    ) -> Column {
        var column = ReportTable.Column.figure(title, page: page, bars: bars)
        column.drawsIntervals = drawsIntervals
        return shown(column, cell ?? usual(absent: absent))
    }

    private func shown(_ column: ReportTable.Column, _ cell: @escaping Reading<ReportTable.Cell>) -> Column {
        var result = self
        result.shown = [Shown(path: key, column: column, cell: cell)]
        return result
    }

    private func usual(absent: String) -> Reading<ReportTable.Cell> {
        { [value] row in
            switch value(row) {
            case .integer(let number): .number(number)
            case .string(let text), .number(let text): .text(text)
            default: .text(absent)
            }
        }
    }
}

extension JSONSchema {
    /// A member of an object, and its form.
    package typealias Member = (name: String, schema: JSONSchema)

    // True for the form of a value that is one field as CSV: no list and no object.
    fileprivate var isSimple: Bool {
        members.allSatisfy { name, value in
            switch (name, value) {
            case ("type", .text("object")), ("type", .text("array")), ("$ref", _): false
            case ("anyOf", .list(let forms)):
                forms.allSatisfy { form in
                    if case .map(let members) = form { JSONSchema(members).isSimple } else { true }
                }
            default: true
            }
        }
    }
}

extension JSONValue {
    /// A number of six significant digits; null where there is none, or none that is finite.
    static func reported(_ number: Double?) -> JSONValue {
        guard let number, number.isFinite, number.magnitude < 1e9 else { return .null }
        return .number(number.sixDigits)
    }
}
