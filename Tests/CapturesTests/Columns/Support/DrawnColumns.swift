@testable import Columns
@testable import TestSupport

/// A drawn table as our writer has it, and the lines that it has to give.
struct DrawnColumns {
    let name: String
    let bytes: [UInt8]
    /// The lines with times in their units.
    let lines: [String]
    /// The lines with times in nanoseconds, as other programs compare them.
    let linesInNanoseconds: [String]

    private static let texts = [
        "", "a", "rooted,xposed", "thirteen byte", "äöü", "😀😀😀", String(repeating: "x", count: 300),
    ]
    private static let zones = [nil, "UTC", "Etc/UTC", "+00:00"]

    private enum Kind { case text, device, time, number, textKeys, deviceKeys }

    init(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        let form = chance.pick([ColumnWriter.Form.file, .stream])
        let level = chance.pick([nil, 1, 1, 5])
        let kinds = (0...chance.below(6)).map { _ in
            chance.pick([Kind.text, .device, .time, .number, .textKeys, .textKeys, .deviceKeys])
        }
        let fields = kinds.enumerated().map { index, kind in Self.field(index, kind, &chance) }
        let schema = ColumnSchema(fields, metadata: [ColumnNote("seed", "\(seed)"), ColumnNote("ü", "")])
        var bytes: [UInt8] = []
        var writer = ColumnWriter(schema, as: form, level: level, to: &bytes)
        var entries: [Int64: [String]] = [:]
        let header = fields.map { field in
            if case .time(let unit, let zone) = field.type {
                "\(field.name):\(unit.rawValue):\(zone ?? "")"
            } else {
                field.name
            }
        }
        var lines = [header.joined(separator: "\t")]
        var precise = lines
        for _ in 0..<chance.below(5) {
            let rows = chance.pick([0, 1, 7, 8, 64, 150])
            var cells = Array(repeating: [(String, String)](), count: rows)
            let columns = zip(kinds, fields).map { kind, field in
                Self.column(kind, field, rows, &chance, &writer, &entries, &cells)
            }
            writer.write(columns, to: &bytes)
            lines += cells.map { $0.map(\.0).joined(separator: "\t") }
            precise += cells.map { $0.map(\.1).joined(separator: "\t") }
        }
        writer.finish(to: &bytes)
        (self.bytes, self.lines, linesInNanoseconds) = (bytes, lines, precise)
        name = "ours-\(seed)-\(form)-\(level.map { "zstd\($0)" } ?? "plain")"
    }

    private static func field(_ index: Int, _ kind: Kind, _ chance: inout SplitMix64) -> ColumnField {
        let id = Int64(index * 3)
        // The dictionaries of a table have fewer than 128 values; larger ones have a test of their own.
        let keys = DictionaryKeys(dictionary: id, bits: chance.pick([8, 16, 32]))
        let units: [ColumnType.TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
        return switch kind {
        case .text: ColumnField("c\(index)", .text(.small))
        case .device: ColumnField("c\(index)", .fixedBytes(16))
        case .time: ColumnField("c\(index)", .time(chance.pick(units), zone: chance.pick(zones)))
        case .number: ColumnField("c\(index)", .integer(bits: 64, isSigned: true))
        case .textKeys: ColumnField("c\(index)", .text(.small), keys: keys)
        case .deviceKeys: ColumnField("c\(index)", .fixedBytes(16), keys: keys)
        }
    }

    private static func column(
        _ kind: Kind, _ field: ColumnField, _ rows: Int, _ chance: inout SplitMix64, _ writer: inout ColumnWriter,
        _ entries: inout [Int64: [String]], _ cells: inout [[(String, String)]]
    ) -> ColumnData {
        let absent = chance.pick([0, 10, 100])
        var (values, numbers, keys) = (ValueList(), [Int64](), [Int32]())
        if let id = field.keys?.dictionary {
            for _ in 0..<chance.below(20) where entries[id, default: []].count < 100 {
                let number = entries[id, default: []].count
                if kind == .textKeys {
                    writer.dictionaries[id]?.append("value \(number)")
                    entries[id, default: []].append(ColumnLines.cell("value \(number)".utf8, isText: true))
                } else {
                    let device = [UInt8](repeating: UInt8(number), count: 16)
                    writer.dictionaries[id]?.append(device.span)
                    entries[id, default: []].append(ColumnLines.cell(device, isText: false))
                }
            }
        }
        for row in 0..<rows {
            let isAbsent = chance.happens(absent)
            var (cell, precise) = ("-", String?.none)
            switch kind {
            case .text:
                let text = isAbsent ? nil : chance.pick(texts)
                values.append(text)
                if let text { cell = ColumnLines.cell(text.utf8, isText: true) }
            case .device:
                let device = (0..<16).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
                if isAbsent { values.appendAbsent(width: 16) } else { values.append(device.span) }
                if !isAbsent { cell = ColumnLines.cell(device, isText: false) }
            case .number:
                let number = Int64(bitPattern: chance.next()) >> Int64(chance.below(60))
                numbers.append(isAbsent ? Column.absentNumber : number)
                // A number that nobody asked for as such is text; other programs have a number, and write it alike.
                if !isAbsent { cell = ColumnLines.cell("\(number)".utf8, isText: true) }
            case .time:
                // Of microseconds, since one program has no smaller unit; and of milliseconds, since another has no larger one.
                guard case .time(let unit, _) = field.type else { preconditionFailure("the column has times") }
                let seconds = Int64(chance.below(4_000_000_000)) - 1_000_000_000
                let part = Int64(chance.below(1_000_000)) * 1000
                let nanoseconds = seconds * 1_000_000_000 + part
                let size = 1_000_000_000 / unit.perSecond
                let number = unit == .seconds ? seconds : nanoseconds >= 0 ? nanoseconds / size : -(-nanoseconds / size)
                numbers.append(isAbsent ? Column.absentNumber : number)
                if !isAbsent { (cell, precise) = ("n\(number)", "n\(number * size)") }
            case .textKeys, .deviceKeys:
                let known = field.keys.flatMap { entries[$0.dictionary] } ?? []
                let key = isAbsent || known.isEmpty ? -1 : Int32(chance.below(known.count))
                keys.append(key)
                if key >= 0 { cell = known[Int(key)] }
            }
            cells[row].append((cell, precise ?? cell))
        }
        return switch kind {
        case .text, .device: .values(values)
        case .time, .number: .numbers(numbers)
        case .textKeys, .deviceKeys: .keys(keys)
        }
    }
}
