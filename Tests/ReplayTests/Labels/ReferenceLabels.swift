import PolicyEngine

@testable import Figures
@testable import TestSupport

/// Labels that are drawn for a random capture, and a plain count of what they say.
struct ReferenceLabels {
    struct Row {
        let attribute, value: String
        /// `bad`, `good` or empty.
        let label: String
        let from, until: Int?
        let line: Int

        func fits(_ record: CapturedRecord) -> Bool {
            let shown = attribute == "device-id" ? record.device : record.attributes[attribute]
            guard !label.isEmpty, shown == value else { return false }
            return (from ?? .min) <= record.seconds && record.seconds < (until ?? .max)
        }
    }

    let rows: [Row]
    private let isTable: Bool

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - records: The capture.
    init(seed: UInt64, _ records: [CapturedRecord]) {
        var chance = Chance(seed: seed)
        let isTable = chance.happens(50)
        self.isTable = isTable
        // Mostly one of the two, or nearly every file would contradict itself.
        let usual = chance.happens(50) ? "bad" : "good"
        let other = usual == "bad" ? "good" : "bad"
        let times = records.map(\.seconds)
        rows = (0..<1 + chance.below(9)).map { number in
            let attribute = chance.pick(["device-id", "device-id", "device-id", "ip", "user-property", "app-version"])
            let values: [String]
            switch attribute {
            case "device-id": values = RandomCapture.devices + ["////////////////////AA=="]
            case "ip": values = ["1.2.3.4", "10.0.0.7", "9.9.9.9"]
            case "user-property": values = ["gold", "Gold", "nobody, \"at\" all"]
            default: values = ["1.0", "3.0"]
            }
            let label = chance.happens(attribute == "device-id" ? 40 : 8) ? other : chance.happens(5) ? "" : usual
            let from = chance.happens(25) ? chance.pick(times) + chance.pick([0, 1, 100_000]) : nil
            let until = chance.happens(25) ? (from ?? chance.pick(times)) + chance.pick([1, 5000]) : nil
            return Row(
                attribute: attribute, value: chance.pick(values), label: label, from: from, until: until,
                line: number + (isTable ? 2 : 1))
        }
    }

    /// The rows as a file.
    var text: String {
        func time(_ seconds: Int?) -> String { seconds.map { Instant(secondsSinceEpoch: $0).description } ?? "" }
        guard isTable else {
            return rows.map { row in
                let value = row.value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
                let from = row.from.map { _ in #","from":"\#(time(row.from))""# } ?? ""
                return
                    #"{"\#(row.attribute)":"\#(value)","label":"\#(row.label)"\#(from),"until":"\#(time(row.until))"}"#
                    + "\n"
            }.joined()
        }
        let keys = ["device-id", "ip", "user-property", "app-version"]
        let lines = rows.map { row in
            let value = row.value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            let cells = keys.map { $0 == row.attribute ? "\"\(value)\"" : "" }
            return (cells + [row.label, time(row.from), time(row.until)]).joined(separator: ",")
        }
        return ([(keys + ["label", "from", "until"]).joined(separator: ",")] + lines).joined(separator: "\r\n")
    }

    /// True if two rows of one value contradict each other at some time, whatever the capture is; or no row has a label.
    var isRefused: Bool {
        let labelled = rows.filter { !$0.label.isEmpty }
        return labelled.isEmpty
            || labelled.contains { one in
                labelled.contains { other in
                    one.attribute == other.attribute && one.value == other.value && one.label != other.label
                        && (one.from ?? .min) < (other.until ?? .max) && (other.from ?? .min) < (one.until ?? .max)
                }
            }
    }

    /// The labels of a device.
    func labels(of device: String, _ records: [CapturedRecord]) -> Set<String> {
        Set(records.filter { $0.device == device }.flatMap { record in rows.filter { $0.fits(record) }.map(\.label) })
    }

    /// The lines of the labels that fit no record.
    func unmatched(_ records: [CapturedRecord]) -> [Int] {
        rows.filter { row in !row.label.isEmpty && !records.contains { row.fits($0) } }.map(\.line)
    }

    /// The devices that have both labels.
    func contradicted(_ records: [CapturedRecord]) -> Set<String> {
        Set(records.map(\.device)).filter { labels(of: $0, records).count == 2 }
    }

    /// The counts of one account.
    ///
    /// - Parameters:
    ///   - number: The number of its lane.
    ///   - records: The capture.
    ///   - before: For each record, true if the account as it is passes it; then without what depends on new devices.
    ///   - after: The same of the account.
    ///   - isDoubtful: True if no record says which devices are new.
    func lane(
        _ number: Int, _ records: [CapturedRecord], before: ([Bool], [Bool]), after: ([Bool], [Bool]),
        isDoubtful: Bool
    ) -> LabelLane {
        var lane = LabelLane { $0.number = number }
        for device in Set(records.map(\.device)) {
            let label = labels(of: device, records).first.flatMap { DeviceLabel(rawValue: $0) } ?? .unknown
            let own = records.indices.filter { records[$0].device == device }
            let isKnown =
                !isDoubtful || own.allSatisfy { before.0[$0] == before.1[$0] && after.0[$0] == after.1[$0] }
            guard isKnown else {
                lane[label].unevaluated += 1
                continue
            }
            let (old, new) = isDoubtful ? (before.1, after.1) : (before.0, after.0)
            let (rejectedBefore, rejected) = (own.contains { !old[$0] }, own.contains { !new[$0] })
            lane[label].devices += 1
            if rejected { lane[label].rejected += 1 }
            if rejected, !rejectedBefore { lane[label].newlyRejected += 1 }
            if !rejected, rejectedBefore { lane[label].noLongerRejected += 1 }
            let days = Dictionary(grouping: own) { records[$0].time.prefix(10) }
            for indices in days.values {
                lane[label].days += 1
                if indices.contains(where: { !new[$0] }) { lane[label].rejectedDays += 1 }
                if indices.contains(where: { !old[$0] }) { lane[label].rejectedDaysBefore += 1 }
            }
        }
        return lane
    }
}
