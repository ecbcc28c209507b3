package import Documents

/// A file of assumptions: a YAML document with the list `assumptions`.
package enum AssumptionFile {
    /// Reads the assumptions of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - devices: Reads a file that names a device ID on each line.
    ///   - diagnostics: Gets all that is wrong with the file.
    /// - Returns: The assumptions, in their order; those that cannot be read are left out.
    package static func read(
        path: String, devices: (String) throws(RecordExpressionError) -> [String], diagnostics: inout Diagnostics
    ) -> [SignalAssumption] {
        guard let document = TextFile.parse(path: path, as: .assumptions, diagnostics: &diagnostics) else { return [] }
        var reader = DocumentReader(document)
        defer { diagnostics.merge(reader.shownDiagnostics) }
        guard let root = document.root else {
            if !reader.diagnostics.hasErrors {
                reader.error("the file is empty", at: SourcePosition(line: 1, column: 1), hint: example)
            }
            return []
        }
        guard var fields = reader.mapping(root, "the file") else { return [] }
        let entries = fields.require(key, &reader).flatMap { reader.sequence($0, key.quoted) }
        fields.finish(&reader)
        if entries?.isEmpty == true {
            reader.error("\(key.quoted) is empty", at: root.position, hint: example)
        }
        return (entries ?? []).compactMap { assumption($0, devices, &reader) }
    }

    fileprivate static let key = "assumptions"
    private static let example = "such as `assumptions: [\"add frida to 1%\"]`"

    private static func assumption(
        _ node: Node, _ devices: (String) throws(RecordExpressionError) -> [String], _ reader: inout DocumentReader
    ) -> SignalAssumption? {
        guard let text = reader.text(node, "an assumption") else { return nil }
        do throws(RecordExpressionError) {
            var assumption = try SignalAssumption(text, file: devices)
            assumption.place = SourcePlace(source: reader.source, position: node.position)
            return assumption
        } catch {
            reader.error(error.description, at: node.position, hint: error.hint)
            return nil
        }
    }
}

extension DocumentKind {
    /// A file of assumptions about signals.
    fileprivate static let assumptions = DocumentKind(name: "a list of assumptions", keys: [AssumptionFile.key])
}
