internal import PolicyEngine

/// The valid records of a block, before anybody looked at their attributes.
struct UnexaminedRecords {
    /// The heads of the records.
    let heads: [RecordHead]
    /// Their values, in the same order.
    let rows: ValueRows
    /// The fields whose values are looked for as one.
    let groups: ValueGroups
    /// The findings in their dictionaries, where they have some.
    let dictionaries: ExaminedDictionaries

    /// A value as text; `nil` where it is absent.
    ///
    /// - Parameters:
    ///   - row: The record, by its index.
    ///   - column: The column of the key (``CaptureFields``).
    func text(_ row: Int, column: Int) -> String? { rows.text(row, column) }
}

/// The findings in the dictionaries of a batch of columns.
struct ExaminedDictionaries: Sendable {
    /// By field (``AttributeExaminer/fields``), what filters and apps look for; `nil` where its column has no dictionary.
    var attributes: [DictionaryFindings<ValueFindings>?] = []
    /// By field (``KeyedValues/fields``), the values of keys for profiles.
    var keyed: [DictionaryFindings<KeyedNumbers>?] = []
    /// The systems of devices.
    var systems: DictionaryFindings<HeadFinding>?
    /// The verdicts of the service.
    var rejections: DictionaryFindings<HeadFinding>?
}
