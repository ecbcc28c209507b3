/// A name of a JSON object and its value.
package struct JSONMember: Hashable, Sendable {
    package let name: ExactText
    package let value: JSONContent

    package init(_ name: ExactText, _ value: JSONContent) {
        self.name = name
        self.value = value
    }
}
