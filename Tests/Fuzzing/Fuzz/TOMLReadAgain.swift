internal import Documents

@testable import TestSupport

/// Settings of a project: each entry that was read is written in another form and read again.
enum TOMLReadAgain {
    /// Reads, writes, and reads again.
    static func feed(_ bytes: [UInt8]) {
        let first = TOMLParser.parse(bytes: bytes, path: "scenario.toml")
        for diagnostic in first.diagnostics.all { _ = diagnostic.rendered }
        guard !first.diagnostics.hasErrors else { return }
        let again = TOMLParser.parse(bytes: Array(TOMLText.text(of: first.entries).utf8), path: "scenario.toml")
        DifferentialTarget.compare(
            again.entries.map(Content.init), first.entries.map(Content.init),
            ("the settings read again", "the settings as they were read"))
    }

    // An entry without its positions.
    private struct Content: Equatable {
        let table, key: String
        let value: TOMLValue

        init(_ entry: TOMLEntry) { (table, key, value) = (entry.table, entry.key, entry.value) }
    }
}
