package import Figures

extension NarrowedRecords {
    /// The records in a sentence.
    var section: ReportSection {
        ReportSection(.title("Narrowed"), sentences: [ReportText("to \(words)")])
    }

    static let columns = Columns<NarrowedRecords>(inOrder: [
        .optional("from", "The time of the first attestation that counts.", \.from),
        .optional("to", "The time before which attestations count.", \.to),
        .field(
            "only", "Expressions, each of which selects at least one attestation of every device that counts.",
            \.expressions),
    ])
}

extension NarrowedRecords? {
    /// The records as a part of the extent of a page.
    package var scope: [String] { map { [$0.words] } ?? [] }
}

extension [ReportSection] {
    /// The same with what the report was narrowed to, behind the result that the report begins with.
    package func narrowed(to records: NarrowedRecords?) -> [ReportSection] {
        guard let records else { return self }
        guard let first, case .notice = first.heading else { return [records.section] + self }
        return [first, records.section] + dropFirst()
    }
}

extension Column {
    /// The records that the report was narrowed to.
    package static func narrowed(_ read: @escaping Reading<NarrowedRecords?>) -> Self {
        .optional("narrowed", "What the answer was narrowed to.", NarrowedRecords.columns, read)
    }
}
