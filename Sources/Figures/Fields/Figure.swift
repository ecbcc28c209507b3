internal import Documents
package import PolicyEngine

/// A value of several fields, each declared once: in a table that the value is written, read, reported and added up by.
package protocol Figure: FigureValue, Sendable {
    /// The fields, in the order of partial results.
    static var fields: [FigureField<Self>] { get }

    /// A value of nothing, which is filled in field by field.
    init()

    /// The members of the object that reports have.
    func reportedMembers(_ unit: ComparedUnit) -> [ExactText: JSONValue]

    /// False for values that no part can have.
    var isPossible: Bool { get }
}

/// The unit of a report's counts.
package enum ComparedUnit: Sendable {
    /// Attestations alone, as captures have them.
    case attestations
    /// Fetches of a scenario, and the attestations among them.
    case fetches
}

extension Figure {
    /// Makes a value and fills it in.
    package init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    package var partial: JSONValue {
        .ordered(Self.fields.compactMap { field in field.write(self).map { (field.name, $0) } })
    }

    package init?(partial content: JSONContent) {
        self.init()
        for field in Self.fields where !field.read(&self, content) { return nil }
        guard isPossible else { return nil }
    }

    package var isPossible: Bool { true }

    package func reported(_ unit: ComparedUnit) -> JSONValue { .sorted(reportedMembers(unit)) }

    package func reportedMembers(_ unit: ComparedUnit) -> [ExactText: JSONValue] { memberFields(unit) }

    /// The members that the table says.
    func memberFields(_ unit: ComparedUnit) -> [ExactText: JSONValue] {
        var members: [ExactText: JSONValue] = [:]
        for field in Self.fields {
            if let name = field.label.name(field.name, unit) { members[ExactText(name)] = field.report(self, unit) }
        }
        return members
    }
}

/// A field of a figure, by its name in partial results.
package struct FigureField<Root>: Sendable {
    let name: String
    /// The meaning of the value, in a sentence for people; empty for a field that no report has.
    let description: String
    let label: FieldLabel
    /// The value in a partial result; `nil` where it follows from other fields.
    let write: @Sendable (Root) -> JSONValue?
    /// Reads the value from the members of an object; false where it is missing, or makes no sense.
    let read: @Sendable (inout Root, JSONContent) -> Bool
    /// The value in a report; `nil` where there is none.
    let report: @Sendable (Root, ComparedUnit) -> JSONValue?
    let add: @Sendable (inout Root, Root) -> Void
    /// The form of the value in a report.
    let form: @Sendable () -> JSONSchema
    /// True if a report may lack it.
    let isOptional: Bool

    /// A field that is the same for all devices, or is added up in a way of its own.
    static func value<Value: FigureValue>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ description: String = "",
        as label: FieldLabel = .same,
        adding: @escaping @Sendable (inout Root, Root) -> Void = { _, _ in }
    ) -> FigureField {
        FigureField(
            name: name, description: description, label: label, write: { $0[keyPath: path].partial },
            read: { root, members in
                guard let value: Value = members.member(name) else { return false }
                root[keyPath: path] = value
                return true
            },
            report: { $0[keyPath: path].reported($1) }, add: adding, form: { Value.reportedForm }, isOptional: false)
    }

    /// A field that adds up over devices.
    static func sum<Value: FigureValue & Addable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ description: String = "",
        as label: FieldLabel = .same
    ) -> FigureField {
        value(name, path, description, as: label) { $0[keyPath: path].add($1[keyPath: path]) }
    }

    /// A field of things that are counted apart, in any order: it is written in the order of their bytes, so that equal sums are
    /// written alike, whoever counted first.
    static func set<Element: FigureValue & Addable & Keyed>(
        _ name: String, _ path: any WritableKeyPath<Root, [Element]> & Sendable, _ description: String = "",
        as label: FieldLabel = .same
    ) -> FigureField {
        sum(name, path, description, as: label).writing { .set($0[keyPath: path].map(\.partial)) }
    }

    private func writing(_ write: @escaping @Sendable (Root) -> JSONValue?) -> FigureField {
        FigureField(
            name: name, description: description, label: label, write: write, read: read, report: report, add: add,
            form: form,
            isOptional: isOptional)
    }

    /// A member of reports that follows from other fields; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - form: The form of its value.
    ///   - isOptional: True if a report may lack it.
    static func derived(
        _ name: String, _ description: String, _ form: JSONSchema, isOptional: Bool = false,
        _ report: @escaping @Sendable (Root) -> JSONValue?
    ) -> FigureField {
        FigureField(
            name: name, description: description, label: .same, write: { _ in nil }, read: { _, _ in true },
            report: { root, _ in report(root) },
            add: { _, _ in }, form: { form }, isOptional: isOptional)
    }

    /// The field of a part of another value.
    func of<Whole>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> FigureField<Whole> {
        FigureField<Whole>(
            name: name, description: description, label: label, write: { write($0[keyPath: path]) },
            read: { whole, members in read(&whole[keyPath: path], members) },
            report: { report($0[keyPath: path], $1) }, add: { add(&$0[keyPath: path], $1[keyPath: path]) }, form: form,
            isOptional: isOptional)
    }
}

/// The name of a field in reports.
enum FieldLabel {
    /// The name that partial results have.
    case same
    case named(String)
    /// `fetches`, of scenarios alone.
    case fetches
    /// Reports do not have it.
    case none

    func name(_ partial: String, _ unit: ComparedUnit) -> String? {
        switch self {
        case .same: partial
        case .named(let name): name
        case .fetches: unit == .fetches ? "fetches" : nil
        case .none: nil
        }
    }
}
