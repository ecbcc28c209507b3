import Synchronization
import Testing

@testable import Documents
@testable import Reports
@testable import TestSupport
@testable import scenario

@Suite struct ProgressLineTests {
    struct Row: LabelledRow {
        let records: Int
        let share: Double?
        let elapsed: Duration
        let text: String
    }

    static let rows = [
        Row(records: 4096, share: nil, elapsed: .zero, text: "4,096 records"),
        Row(records: 12_288, share: nil, elapsed: .seconds(2), text: "12,288 records, 6,144/s"),
        Row(records: 4096, share: nil, elapsed: .milliseconds(500), text: "4,096 records, 8,192/s"),
        Row(
            records: 1_000_000, share: 0.25, elapsed: .seconds(10), text: "1,000,000 records, 100,000/s, 25 %, 30s left"
        ),
        Row(records: 1000, share: 1, elapsed: .seconds(10), text: "1,000 records, 100/s, 100 %, 0s left"),
        Row(records: 1000, share: 0.001, elapsed: .seconds(10), text: "1,000 records, 100/s"),
        Row(records: 6000, share: 0.01, elapsed: .seconds(60), text: "6,000 records, 100/s, 1 %, 1h39m left"),
    ]

    @Test(arguments: rows) func saysRecordsRateAndTheTimeLeft(_ row: Row) {
        let position = Progress.Position(records: row.records, share: row.share)
        expect(ProgressLine.text(position, after: row.elapsed), equals: row.text)
    }

    @Test func showsNothingInTheFirstSecond() {
        let written = Mutex("")
        let console = Console(
            output: { _ in }, error: { text in written.withLock { $0 += text } }, style: .plain, showsProgress: true)
        let line = ProgressLine(console: console)
        line.show(Progress.Position(records: 4096, share: nil))
        line.clear()
        expect(written.withLock { $0 }, equals: "")
    }
}
