package import Documents

/// Rewrites the expectations of a scenario that fail, so that they expect what was found. Comments and layout stay.
package struct ExpectationUpdate {
    /// The expectations that were rewritten.
    package private(set) var changes: [Change] = []
    /// The expectations that fail and cannot be rewritten: devices differ, or nothing happened.
    package private(set) var left: [ExpectationResult] = []
    private var editor: DocumentEditor

    /// An expectation that was rewritten.
    package struct Change: Hashable, Sendable {
        /// Its position before that.
        package let position: SourcePosition
        /// The check and its subject: `verdict of bob`.
        package let message: String
        package let before: String
        package let after: String
    }

    /// Rewrites what fails.
    ///
    /// - Parameters:
    ///   - document: The scenario.
    ///   - results: The results of its expectations.
    /// - Returns: `nil` for a document that is none.
    package init?(_ document: ParsedDocument, results: [ExpectationResult]) {
        guard let root = document.root else { return nil }
        editor = DocumentEditor(text: document.source.text, root: root)
        let original = editor
        for result in results where !result.passed {
            guard let correction = result.correction, let value = correction.value,
                let path = original.path(toKeyAt: result.position),
                (try? editor.replace(at: path, with: value)) != nil
            else {
                left.append(result)
                continue
            }
            changes.append(
                Change(
                    position: result.position, message: result.message, before: result.expected,
                    after: correction.text))
        }
    }

    /// The text of the scenario with what was rewritten.
    package var text: String { editor.text.string }

    /// True if the text is a scenario in which the rewritten expectations hold.
    ///
    /// - Parameters:
    ///   - path: The scenario's file.
    ///   - boundary: The files that it may name beside those in its own folder.
    ///   - overlay: The texts that take the place of its account files.
    ///   - seed: Goes before the scenario's own.
    package func holds(
        at path: String, within boundary: FileBoundary, over overlay: FileOverlay = FileOverlay(), seed: UInt64?
    ) -> Bool {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: path, text: text))
        guard
            let scenario = ScenarioLoader.load(
                document, within: boundary.adding(folderOf: path), over: overlay, diagnostics: &diagnostics)
        else { return false }
        let results = ScenarioRunner(seed: seed).run([scenario], diagnostics: &diagnostics)
        let failures = results.flatMap(\.expectations).count { !$0.passed }
        return !diagnostics.hasErrors && failures <= left.count
    }
}
