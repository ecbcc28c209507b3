internal import Figures

extension NarrowedRecords {
    /// The records in a sentence.
    var section: ReportSection {
        ReportSection(.title("Narrowed"), sentences: [ReportText("to \(words)")])
    }

    static let form = ObjectForm<NarrowedRecords>(inOrder: [
        .optional("from", \.from), .optional("to", \.to), .field("only", \.expressions),
    ])
}

extension NarrowedRecords? {
    /// The records as a part of the extent of a page.
    var scope: [String] { map { [$0.words] } ?? [] }
}

extension [ReportSection] {
    /// The same with what the report was narrowed to, behind the result that the report begins with.
    func narrowed(to records: NarrowedRecords?) -> [ReportSection] {
        guard let records else { return self }
        guard let first, case .notice = first.heading else { return [records.section] + self }
        return [first, records.section] + dropFirst()
    }
}

extension ObjectForm.Member {
    /// The narrowing of the report.
    static func narrowed(_ read: @escaping Reading<NarrowedRecords?>) -> Self {
        .optional("narrowed", NarrowedRecords.form, read)
    }
}
