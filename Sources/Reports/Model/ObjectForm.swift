internal import Documents
internal import Figures
internal import PolicyEngine

/// An object of a report as JSON. Each member is declared once; the object of a subject follows from that, and its schema.
struct ObjectForm<Subject>: Sendable {
    // In the order of the schema.
    private let members: [Member]
    // In the order of the object.
    private let written: [Member]

    /// A member: its name, its form, and its value in a subject.
    struct Member: Sendable {
        fileprivate let name: String
        fileprivate let schema: JSONSchema
        fileprivate let isOptional: Bool
        // `nil` where the object lacks it.
        fileprivate let value: @Sendable (Subject) -> JSONValue?
    }

    /// An object whose members are in the order of their names.
    init(byName members: [Member]) {
        (self.members, written) = (members, members.sorted { ExactText($0.name) < ExactText($1.name) })
    }

    /// An object whose members are in this order.
    init(inOrder members: [Member]) { (self.members, written) = (members, members) }

    /// The members of a subject.
    func members(of subject: Subject) -> [(key: String, value: JSONValue)] {
        written.compactMap { member in member.value(subject).map { (member.name, $0) } }
    }

    /// The object of a subject.
    func value(of subject: Subject) -> JSONValue { .ordered(members(of: subject)) }

    /// The objects of subjects.
    func list(of subjects: [Subject]) -> JSONValue { .array(subjects.map(value)) }

    /// The objects of subjects as a list on one line, written one after the other.
    func writtenList(of subjects: some Sequence<Subject>) -> JSONBytes {
        var output = JSONBytes()
        output.raw("[")
        for (index, subject) in subjects.enumerated() {
            if index > 0 { output.raw(",") }
            value(of: subject).write(to: &output)
        }
        output.raw("]")
        return output
    }

    /// The schema.
    var schema: JSONSchema { schema() }

    /// The schema of an object that has more members, which something else writes.
    ///
    /// - Parameters:
    ///   - more: Those that are always there.
    ///   - optional: Those that may be missing.
    ///   - others: The form of members with names of their own; `nil` where there are none.
    func schema(
        and more: [JSONSchema.Member] = [], optional: [JSONSchema.Member] = [], others: JSONSchema? = nil
    ) -> JSONSchema {
        func forms(_ isOptional: Bool) -> [JSONSchema.Member] {
            members.filter { $0.isOptional == isOptional }.map { ($0.name, $0.schema) }
        }
        return .members(forms(false) + more, optional: forms(true) + optional, others: others)
    }
}

extension JSONSchema {
    /// A member of an object, and its form.
    typealias Member = (name: String, schema: JSONSchema)
}

extension ObjectForm.Member {
    /// Reads something of a subject.
    typealias Reading<Value> = @Sendable (Subject) -> Value

    /// The version of a report's form.
    static var version: Self { value("version", JSONSchema([("const", .number(1))])) { _ in .integer(1) } }

    /// A value of a form that has no type of its own.
    static func value(_ name: String, _ schema: JSONSchema, _ read: @escaping Reading<JSONValue>) -> Self {
        Self(name: name, schema: schema, isOptional: false, value: read)
    }

    /// The same, missing where there is no value.
    static func optional(_ name: String, _ schema: JSONSchema, _ read: @escaping Reading<JSONValue?>) -> Self {
        Self(name: name, schema: schema, isOptional: true, value: read)
    }

    /// A value whose type says its form: a number, text, time or figure, a list of such, or one of them or null.
    static func field<Value: PartialCodable>(_ name: String, _ read: @escaping Reading<Value>) -> Self {
        value(name, Value.reportedForm) { read($0).reported }
    }

    /// The same, missing where there is no value.
    static func optional<Value: PartialCodable>(_ name: String, _ read: @escaping Reading<Value?>) -> Self {
        optional(name, Value.reportedForm) { read($0)?.reported }
    }

    /// One of some words.
    static func word(_ name: String, of words: [String], _ read: @escaping Reading<String>) -> Self {
        value(name, .words(words)) { .string(read($0)) }
    }

    /// `pass` or `fail`.
    static func verdict(_ name: String, passed read: @escaping Reading<Bool>) -> Self {
        value(name, .verdict) { .string(read($0) ? "pass" : "fail") }
    }

    /// A number of six significant digits; null for one that is not finite.
    static func number(_ name: String, _ read: @escaping Reading<Double>) -> Self {
        value(name, .number.orNull) { .reported(read($0)) }
    }

    /// An object.
    static func object<Part>(_ name: String, _ form: ObjectForm<Part>, _ read: @escaping Reading<Part>) -> Self {
        value(name, form.schema) { form.value(of: read($0)) }
    }

    /// An object, or null.
    static func object<Part>(orNull name: String, _ form: ObjectForm<Part>, _ read: @escaping Reading<Part?>) -> Self {
        value(name, form.schema.orNull) { read($0).map(form.value) ?? .null }
    }

    /// An object, missing where there is none.
    static func optional<Part>(_ name: String, _ form: ObjectForm<Part>, _ read: @escaping Reading<Part?>) -> Self {
        optional(name, form.schema) { read($0).map(form.value) }
    }

    /// A list of objects.
    static func list<Part>(_ name: String, _ form: ObjectForm<Part>, _ read: @escaping Reading<[Part]>) -> Self {
        value(name, .list(of: form.schema)) { form.list(of: read($0)) }
    }

    /// A long list of objects, each of which is made when it is written.
    static func longList<Parts: Sequence & SendableMetatype>(
        _ name: String, _ form: ObjectForm<Parts.Element>, _ read: @escaping Reading<Parts>
    ) -> Self {
        value(name, .list(of: form.schema)) { .written(form.writtenList(of: read($0))) }
    }
}
