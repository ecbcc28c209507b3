package import Documents
package import PolicyEngine

// The forms of values as JSON reports have them.
extension JSONSchema {
    /// A whole number.
    package static let wholeNumber = JSONSchema([("type", .text("integer"))])

    /// A number, whole or not.
    package static let number = JSONSchema([("type", .text("number"))])

    /// Any text.
    package static let string = JSONSchema([("type", .text("string"))])

    /// `true` or `false`.
    package static let truth = JSONSchema([("type", .text("boolean"))])

    /// A time: `2020-07-23T10:00:00Z`.
    package static let time = JSONSchema([
        ("type", .text("string")), ("pattern", .text("^[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")),
    ])

    /// `pass` or `fail`.
    package static let verdict = words(["pass", "fail"])

    /// The value, or null.
    package var orNull: JSONSchema { .any(of: [self, JSONSchema([("type", .text("null"))])]) }

    /// An object with these members and no others.
    ///
    /// - Parameters:
    ///   - members: The members that are always there.
    ///   - optional: Those that may be missing.
    ///   - others: The form of members with names of their own; `nil` where there are none.
    package static func members(
        _ members: [(name: String, schema: JSONSchema)], optional: [(name: String, schema: JSONSchema)] = [],
        others: JSONSchema? = nil
    ) -> JSONSchema {
        .object(members + optional, required: members.map(\.name), others: others)
    }
}

extension Figure {
    package static var reportedForm: JSONSchema {
        .members(reportedFields().members, optional: reportedFields().optional)
    }

    /// The forms of the members that the table says, and of those that reports of scenarios alone have.
    package static func reportedFields() -> (
        members: [(name: String, schema: JSONSchema)], optional: [(name: String, schema: JSONSchema)]
    ) {
        var (members, optional): ([(name: String, schema: JSONSchema)], [(name: String, schema: JSONSchema)]) = ([], [])
        for field in fields {
            let form = field.form().described(as: field.description)
            if let name = field.label.name(field.name, .attestations) {
                if field.isOptional { optional.append((name, form)) } else { members.append((name, form)) }
            } else if let name = field.label.name(field.name, .fetches) {
                optional.append((name, form))
            }
        }
        return (members, optional)
    }
}

extension Array where Element: FigureValue {
    package static var reportedForm: JSONSchema { .list(of: Element.reportedForm) }
}

extension Optional where Wrapped: FigureValue {
    package static var reportedForm: JSONSchema { Wrapped.reportedForm.orNull }
}

extension Dictionary where Key: FigureValue, Value: FigureValue {
    package static var reportedForm: JSONSchema { .map(of: Value.reportedForm) }
}

extension Int {
    package static var reportedForm: JSONSchema { .wholeNumber }
}

extension Bool {
    package static var reportedForm: JSONSchema { .truth }
}

extension Instant {
    package static var reportedForm: JSONSchema { .time }
}
