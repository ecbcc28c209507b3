/// What became of a document: its tree, and what was wrong with it.
package struct ParsedDocument: Sendable {
    /// The file, for the excerpts of later diagnostics.
    package let source: SourceFile
    /// The outermost value; `nil` for an empty document, and for one that could not be read as a whole.
    package let root: Node?
    /// What was wrong; keys given twice are here while `root` is there.
    package let diagnostics: Diagnostics

    /// Makes a result.
    package init(source: SourceFile, root: Node?, diagnostics: Diagnostics) {
        self.source = source
        self.root = root
        self.diagnostics = diagnostics
    }
}
