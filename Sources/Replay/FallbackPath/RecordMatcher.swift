internal import PolicyEngine

/// A matcher that looks at the attributes of records as they are read, wherever and whenever that is.
protocol RecordMatcher {
    /// The findings that are handed to the evaluator in place of the attributes.
    associatedtype Matches: RecordMatches

    /// The columns that it looks at for each record, where equal values mean the same.
    var examinedColumns: [Int] { get }

    /// Finds what accounts need in the attributes of some records.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - matches: Takes what is found, in their order.
    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches])

    /// The apps of the records matched last, in their order, by the numbers of an ``AppRegistry``.
    var apps: [AppNumbers] { get }

    /// The values of the records matched last by numbers; `nil` for a matcher that does not number them.
    var numbered: NumberedRows? { get }
}

extension RecordMatcher {
    var examinedColumns: [Int] { [] }
    var apps: [AppNumbers] { [] }
    var numbered: NumberedRows? { nil }
}

/// The findings in the attributes of a record.
protocol RecordMatches: Sendable {
    /// The app that it came with.
    var app: AppNumbers { get set }

    /// The matches of an account's filters.
    ///
    /// - Parameter account: Its index in ``ReplayWork/filteringAccounts``.
    subscript(account: Int) -> AttributeMatches { get set }
}

/// The valid records of a block, before anybody looked at their attributes.
struct RecordBatch {
    /// The heads of the records.
    let heads: [RecordHead]
    /// Their values, in the same order.
    let rows: ValueRows
    /// The fields whose values are looked for as one.
    let groups: ValueGroups

    /// A value as text; `nil` where it is absent.
    ///
    /// - Parameters:
    ///   - row: The record, by its index.
    ///   - column: The column of the key (``CaptureFields``).
    func text(_ row: Int, column: Int) -> String? { rows.text(row, column) }
}

/// The app that an attestation came with, and the app in its version, by their numbers.
package struct AppNumbers: Hashable, Sendable {
    private let appNumber: Int32
    private let versionNumber: Int32

    /// The numbers of an attestation without an app.
    package static let none = AppNumbers(app: nil, version: nil)
    /// The numbers of an attestation with an app in a version that is not kept.
    static let other = AppNumbers(app: otherNumber, version: otherNumber)
    /// The number of all that are not kept.
    static let otherNumber = 0

    init(app: Int?, version: Int?) {
        appNumber = app.map(Int32.init) ?? -1
        versionNumber = version.map(Int32.init) ?? -1
    }

    /// The app; `nil` where the attestation does not have it.
    var app: Int? { appNumber < 0 ? nil : Int(appNumber) }

    /// The app in its version; `nil` where the attestation does not have it.
    var version: Int? { versionNumber < 0 ? nil : Int(versionNumber) }
}
