internal import Documents
package import PolicyEngine

/// The captures that were split by device. The file of each part says the same of them.
///
/// Lines and records are counted from the start of what was split, which may be a range of one capture: how many come before
/// it is known once the files of all ranges are there.
package struct SplitOrigin: Figure, Hashable {
    /// The captures, in the order of the records.
    package var captures: [Capture] = []
    /// The flags that are not built in, in the order of first sight (R2.3).
    package var flags: [String] = []
    /// The first malformed records.
    package var problems: [Problem] = []
    private var form = Self.currentForm

    // The version of the form.
    private static let currentForm = 1

    package static let fields: [FigureField<SplitOrigin>] = [
        .value("form", \.form), .value("captures", \.captures), .value("flags", \.flags),
        .value("problems", \.problems),
    ]

    package init() {}

    /// Reads what ``text`` has.
    ///
    /// - Throws: ``PartialFailure`` for anything else.
    package init(text: String) throws(PartialFailure) {
        let content = try JSONContent.partial(Array(text.utf8))
        let form: Int? = content.member("form")
        guard form == Self.currentForm else { throw .form(form, read: Self.currentForm) }
        self = try .read(content)
    }

    /// A line of JSON; equal origins give equal lines.
    package var text: String { String(decoding: partial.bytes, as: UTF8.self) }

    /// A capture, or a range of one.
    package struct Capture: Figure, Hashable {
        package var identity = CaptureIdentity()
        /// The bytes in which the records start: the first, and the one behind the last; `nil` for all.
        package var from: Int?
        package var to: Int?
        /// The number of lines, also of one that lacks its newline at the end.
        package var lines = 0
        /// The number of valid records.
        package var records = 0
        package var malformed = 0
        /// The time of the first valid record.
        package var first: Instant?
        /// The line of that record, where it has one.
        package var firstLine: Int?
        /// The time of the last valid record.
        package var latest: Instant?
        /// True if the last line lacks its newline, and the capture may have been cut.
        package var isCut = false

        package static let fields: [FigureField<Capture>] =
            CaptureIdentity.fields.map { $0.of(\.identity) } + [
                .value("from", \.from), .value("to", \.to), .value("lines", \.lines), .value("records", \.records),
                .value("malformed", \.malformed), .value("first", \.first), .value("first-line", \.firstLine),
                .value("latest", \.latest), .value("cut", \.isCut),
            ]

        package init() {}

        package var isPossible: Bool { (from == nil) == (to == nil) && from ?? 0 <= to ?? 0 }
    }

    /// A malformed record.
    package struct Problem: Figure, Hashable {
        package var file = ""
        package var line: Int?
        package var message = ""
        package var hint: String?

        package static let fields: [FigureField<Problem>] = [
            .value("file", \.file), .value("line", \.line), .value("message", \.message), .value("hint", \.hint),
        ]

        package init() {}
    }
}
