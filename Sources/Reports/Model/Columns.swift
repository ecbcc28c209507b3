package import Documents
package import Figures
package import PolicyEngine

/// The columns of a table: each row is an object as JSON, a line as CSV, and a row that people read.
package struct Columns<Row>: Sendable {
    /// In the order of CSV and of tables for people.
    let all: [Column<Row>]
    // The members of an object: in the order of the schema, and in that of the object.
    private let members: [Column<Row>]
    private let written: [Column<Row>]

    /// Columns whose members are in this order.
    package init(inOrder all: [Column<Row>]) {
        self.all = all
        members = all.filter(\.isMember)
        written = members
    }

    /// Columns whose members are in the order of their names, and in the schema in this order.
    package init(byName all: [Column<Row>]) {
        self.all = all
        members = all.filter(\.isMember)
        written = members.sorted { ExactText($0.key) < ExactText($1.key) }
    }

    /// Columns whose members are in the order of their names, in the schema, too.
    package init(sorted all: [Column<Row>]) {
        self.all = all
        members = all.filter(\.isMember).sorted { ExactText($0.key) < ExactText($1.key) }
        written = members
    }

    // MARK: JSON

    /// The members of a row.
    func members(of row: Row) -> [(key: String, value: JSONValue)] {
        written.compactMap { column in column.value(row).map { (column.key, $0) } }
    }

    /// The object of a row.
    package func value(of row: Row) -> JSONValue { .ordered(members(of: row)) }

    /// The objects of rows.
    func list(of rows: [Row]) -> JSONValue { .array(rows.map(value)) }

    /// The objects of rows as a list on one line, written one after the other.
    func writtenList(of rows: some Sequence<Row>) -> JSONBytes {
        var output = JSONBytes()
        output.raw("[")
        for (index, row) in rows.enumerated() {
            if index > 0 { output.raw(",") }
            value(of: row).write(to: &output)
        }
        output.raw("]")
        return output
    }

    /// The schema of an object.
    package var schema: JSONSchema { schema() }

    /// The schema of an object that has more members, which something else writes.
    ///
    /// - Parameters:
    ///   - more: Those that are always there.
    ///   - optional: Those that may be missing.
    ///   - others: The form of members with names of their own; `nil` where there are none.
    package func schema(
        and more: [JSONSchema.Member] = [], optional: [JSONSchema.Member] = [], others: JSONSchema? = nil
    ) -> JSONSchema {
        func forms(_ isOptional: Bool) -> [JSONSchema.Member] {
            members.filter { $0.isOptional == isOptional }.map { ($0.key, $0.schema) }
        }
        return .members(forms(false) + more, optional: forms(true) + optional, others: others)
    }

    // MARK: CSV

    /// The rows as CSV.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - omitted: Paths of columns that are left out: of the column itself, or of the object that it is in.
    ///   - narrowed: What the rows were narrowed to, which a last column says; without that column for `nil`.
    package func csv(of rows: some Sequence<Row>, without omitted: Set<String> = [], narrowed: NarrowedRecords?)
        -> [UInt8]
    {
        let fields = all.flatMap(\.fields).filter { !Self.isOmitted($0.path, omitted) }
        var output = CSVOutput(columns: fields.map { .words($0.name) }, narrowed: narrowed)
        for row in rows { output.add(fields.map { $0.value(row) }) }
        return output.bytes
    }

    // MARK: Tables for people

    /// The rows as a table for people.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - chosen: Paths of the columns in their order; `nil` for all as they are declared.
    ///   - omitted: Paths of columns that are left out: of the column itself, or of the object that it is in.
    ///   - details: The lists below a row.
    ///   - anchor: The subject of a row, by which it can be linked to.
    package func table(
        of rows: some Sequence<Row>, showing chosen: [String]? = nil, without omitted: Set<String> = [],
        details: (Row) -> [ReportList] = { _ in [] }, anchor: (Row) -> String? = { _ in nil }
    ) -> ReportTable {
        let known = all.flatMap(\.shown).filter { !Self.isOmitted($0.path, omitted) }
        let shown = chosen.map { $0.flatMap { path in known.filter { $0.path == path } } } ?? known
        return ReportTable(
            shown.map(\.column),
            rows: rows.map { row in
                ReportTable.Row(
                    cells: shown.map { $0.cell(row) }, details: details(row), anchor: anchor(row))
            })
    }

    private static func isOmitted(_ path: String, _ omitted: Set<String>) -> Bool {
        omitted.contains { path == $0 || path.hasPrefix("\($0).") }
    }
}
