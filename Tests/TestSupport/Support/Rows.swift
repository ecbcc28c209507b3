extension Collection {
    /// The same rows, which must have that count.
    ///
    /// For a table that is computed or read from a file: a parameterised test without rows is skipped, and the run
    /// succeeds. `static let all = FlagFact.rows(of: text).rows(37)` stops the tests where the text lost a row. A table that
    /// is written out needs no such check.
    func rows(_ count: Int, file: StaticString = #file, line: UInt = #line) -> Self {
        precondition(self.count == count, "\(self.count) rows instead of \(count)", file: file, line: line)
        return self
    }

    /// The same rows, of which there must be that number or more.
    func rows(atLeast count: Int, file: StaticString = #file, line: UInt = #line) -> Self {
        precondition(self.count >= count, "\(self.count) rows, fewer than \(count)", file: file, line: line)
        return self
    }
}
