import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Files of labels, and every mistake in them with its position.
@Suite struct LabelFileTests {
    private static func read(_ text: String, isSecret: Bool = false) throws -> (labels: Labels?, problems: [String]) {
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let path = try folder.write(text.utf8, to: "labels")
        let labels = Labels.read(path: path, isSecret: isSecret, diagnostics: &diagnostics)
        return (labels, diagnostics.all.map { "\($0.position.map(\.description) ?? "-"): \($0.message)" })
    }

    @Test func formsSayTheSame() throws {
        let table = try #require(
            try Self.read(
                "user-property,label,from,until\r\n\"a, \"\"b\"\"\nc\",bad,2020-07-23T10:00:00Z,\r\n\r\nd,good,,\r\nd2,,,"
            ).labels)
        let lines = try #require(
            try Self.read(
                #"{"user-property":"a, \"b\"\nc","label":"bad","from":"2020-07-23T10:00:00Z","until":null}"# + "\n\n"
                    + #"{"label":"good","user-property":"d"}"# + "\n"
            ).labels)
        for labels in [table, lines] {
            #expect(labels.rows.map(\.value) == ["a, \"b\"\nc", "d"] && labels.rows.map(\.label) == [.bad, .good])
            #expect(labels.rows[0].from == Instant(rfc3339: "2020-07-23T10:00:00Z") && labels.rows[0].until == nil)
        }
        #expect(table.rows.map(\.line) == [2, 5] && lines.rows.map(\.line) == [1, 3])
    }

    /// A period includes its start, and not its end; the same value can change its label.
    @Test func periodsThatTouchDoNotContradict() throws {
        let text = "ip,label,from,until\n1,bad,,2020-07-23T10:00:00Z\n1,good,2020-07-23T10:00:00Z,\n"
        let labels = try #require(try Self.read(text).labels)
        let time = try #require(Instant(rfc3339: "2020-07-23T10:00:00Z"))
        expect(labels.rows.map { $0.isInForce(at: time) }, equals: [false, true])
        expect(labels.rows.map { $0.isInForce(at: time + -1) }, equals: [true, false])
    }
}
