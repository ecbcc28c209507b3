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

    struct Row: LabelledRow {
        let name, text: String
        let problems: [String]
    }

    static let refused = [
        Row(name: "no label column", text: "device-id\n", problems: ["1:1: there is no column `label`"]),
        Row(name: "nothing", text: "", problems: ["-: there is no label"]),
        Row(name: "no rows", text: "ip,label\n1.2.3.4,\n", problems: ["-: there is no label"]),
        Row(name: "an unknown label", text: "ip,label\n1.2.3.4,evil\n", problems: ["2:9: `evil` is no label"]),
        Row(name: "a word of ours", text: "ip,label\n1.2.3.4,unknown\n", problems: ["2:9: `unknown` is no label"]),
        Row(name: "no device ID", text: "device-id,label\nx,bad\n", problems: ["2:1: this is not a device ID"]),
        Row(name: "two columns", text: "ip,ip,label\n", problems: ["1:4: there are two columns `ip`"]),
        Row(name: "no attribute", text: "ip,label\n,bad\n", problems: ["2:1: the label names no attribute"]),
        Row(
            name: "two attributes", text: "ip,appid,label\n1.2.3.4,a,bad\n",
            problems: ["2:1: the label names several attributes"]),
        Row(
            name: "a flag", text: "flags-all,label\nrooted,bad\n",
            problems: ["1:1: `flags-all` is no attribute that a label can name"]),
        Row(
            name: "times", text: "ip,label,from,until\n1.2.3.4,bad,monday,2020-07-23\n",
            problems: ["2:13: `monday` is no time", "2:20: `2020-07-23` is no time"]),
        Row(
            name: "backwards", text: "ip,label,from,until\n1,bad,2020-07-23T10:00:00Z,2020-07-23T10:00:00Z\n",
            problems: ["2:1: the label ends before it starts"]),
        Row(
            name: "an open quote", text: "ip,label\n\"1.2,bad\n",
            problems: ["2:1: a double quote is not closed"]),
        Row(
            name: "text behind a quote", text: "ip,label\n\"1\"2,bad\n",
            problems: ["2:4: there is text behind a closing quote"]),
        Row(
            name: "too many fields", text: "ip,label\n1,bad,x\n",
            problems: ["2:1: there are more fields than columns"]),
        Row(
            name: "a contradiction", text: "ip,label\n1,bad\n2,bad\n1,good\n",
            problems: [
                "4:1: the label contradicts that of line 2: one says bad and the other good of the same value"
            ]),
        Row(name: "no object", text: "{\"ip\":\"1\",\"label\":\"bad\"}\n[]\n", problems: ["2:1: a label is an object"]),
        Row(
            name: "a number", text: "{\"ip\":1,\"label\":\"bad\"}\n",
            problems: ["1:1: `ip` is not text", "1:1: the label names no attribute"]),
    ]

    @Test(arguments: refused) func isRefused(_ row: Row) throws {
        let (labels, problems) = try Self.read(row.text)
        #expect(labels == nil)
        #expect(problems == row.problems)
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
        #expect(labels.rows.map { $0.isInForce(at: time) } == [false, true])
        #expect(labels.rows.map { $0.isInForce(at: time + -1) } == [true, false])
    }

    /// Efficient edits are those that a comparison of every pair leaves.
    @Test(arguments: 1...UInt64(50)) func theFrontierIsThatOfEveryPair(seed: UInt64) {
        var chance = Chance(seed: seed)
        let lanes = (0..<1 + chance.below(30)).map { number in
            LabelLane {
                ($0.number, $0.bad.rejected) = (number, chance.below(6))
                ($0.good.rejected, $0.good.unevaluated) = (chance.below(6), chance.happens(20) ? chance.below(3) : 0)
            }
        }
        let expected = lanes.filter { lane in
            !lanes.contains { other in
                let (caught, blocked) = (other.bad.rejected, other.good.rejected + other.good.unevaluated)
                let (mine, my) = (lane.bad.rejected, lane.good.rejected + lane.good.unevaluated)
                return caught >= mine && blocked <= my && (caught > mine || blocked < my)
            }
        }
        #expect(LabelFigures.frontier(of: lanes) == Set(expected.map(\.number)))
    }

    /// By hand: 3 bad days missed of 10, 2 good ones blocked, 5 unknown ones rejected.
    @Test func costsAreThoseOfDays() {
        let lane = LabelLane {
            ($0.bad.days, $0.bad.rejectedDays, $0.bad.rejectedDaysBefore) = (10, 7, 4)
            ($0.good.days, $0.good.rejectedDays, $0.good.rejectedDaysBefore) = (20, 2, 1)
            ($0.unknown.days, $0.unknown.rejectedDays, $0.unknown.rejectedDaysBefore) = (90, 5, 5)
        }
        var cost = LabelCost()
        (cost.missed, cost.blocked, cost.rejectedUnknown) = (40, 6, 1)
        #expect(cost.cost(of: lane) == 3 * 40 + 2 * 6 + 5)
        #expect(cost.saving(of: lane) == 6 * 40 + 6 + 5 - (3 * 40 + 2 * 6 + 5))
    }
}
