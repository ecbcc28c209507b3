/// The columns that somebody wants, and their form.
package struct ColumnChoice: Sendable {
    /// The names of the columns that are decoded; `nil` for all. The others are neither unpacked nor checked.
    package var names: Set<String>?
    /// The columns of whole numbers that are wanted as numbers, not as text.
    package var numbers: Set<String>
    /// True to keep text that is not UTF-8 and list it (``Column/damaged``); false to refuse it.
    package var keepsDamagedText: Bool

    package init(names: Set<String>? = nil, numbers: Set<String> = [], keepsDamagedText: Bool = false) {
        (self.names, self.numbers, self.keepsDamagedText) = (names, numbers, keepsDamagedText)
    }

    func includes(_ field: ColumnField) -> Bool { names?.contains(field.name) ?? true }
}
