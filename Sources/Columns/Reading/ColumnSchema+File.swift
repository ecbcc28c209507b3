extension ColumnSchema {
    /// Reads the schema of a file, and nothing else of it.
    ///
    /// - Parameter source: The file.
    /// - Returns: `nil` for what is no file of columns.
    /// - Throws: ``ColumnFailure`` for a file that is damaged or cut.
    package init?(ofFile source: any ColumnSource) throws(ColumnFailure) {
        var start = [UInt8](repeating: 0, count: ColumnReader.magic.count)
        let count = try source.read(into: &start, range: start.indices, at: 0)
        guard count == start.count, start == ColumnReader.magic else { return nil }
        self = try FileFooter(source).schema
    }
}
