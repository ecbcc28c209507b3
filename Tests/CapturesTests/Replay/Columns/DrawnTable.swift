import PolicyEngine

@testable import Columns
@testable import TestSupport

/// Drawn records as a table, which is written as JSON Lines, as device information, and in many forms of columns.
struct DrawnTable {
    /// The keys, in the order of their columns.
    let keys: [String]
    /// By record and key the value; `nil` where the record has none.
    let rows: [[String?]]
    /// True if no record has a mistake.
    let isSound: Bool

    private static let badTimes = ["today", "", "2020-13-01T00:00:00Z", "2020-02-29T00:00:00"]
    private static let badDevices = [
        "*4mmGFZkpz5oPz6w6gl1Cw==", "", "w4mmGFZkpz5oPz6w6gl1Cw=", DeviceID.filteredPolicyText,
    ]
    private static let lists = ["rooted,,frida", "rooted, frida", ",", "rooted;frida"]

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - count: The number of records.
    ///   - isSound: True for records without any mistake.
    init(seed: UInt64, count: Int, isSound: Bool) {
        var capture = RandomCapture(seed: seed, flags: ["extra-one", "aa-unknown", "zz-unknown"])
        var chance = SplitMix64(seed: seed ^ 0xC01)
        let flagKeys = isSound ? [chance.pick(["public-flags", "flags-all", "flags"])] : ["public-flags", "flags"]
        let more = isSound ? [] : ["App-ID", "other"]
        let keys = chance.shuffled(
            ["time", "device-id", "rejection-flags", "appid", "app-version", "device", "ip", "user-property"]
                + flagKeys + more)
        let records = capture.records(count)
        rows = records.map { record in
            var values = record.attributes.mapValues { Optional($0) }
            (values["time"], values["device-id"]) = (record.time, record.device)
            values[chance.pick(flagKeys)] = record.flags.joined(separator: ",")
            if let verdict = record.verdict { values["rejection-flags"] = verdict ? "" : "rooted" }
            if !isSound, chance.happens(40) {
                switch chance.below(9) {
                case 0: values["time"] = chance.pick(Self.badTimes)
                case 1: values["time"] = nil
                case 2: values["device-id"] = chance.pick(Self.badDevices)
                case 3: values["device-id"] = chance.pick([nil, Sample.odd])
                case 4: values["rejection-flags"] = chance.pick(Self.lists)
                case 5: values[chance.pick(flagKeys)] = chance.pick(Self.lists + ["rooted"])
                case 6: values["App-ID"] = "com.a"
                case 7: values["ip"] = "Ünï 😀"
                default: for key in flagKeys { values[key] = nil }
                }
            }
            return keys.map { values[$0] ?? nil }
        }
        (self.keys, self.isSound) = (keys, isSound)
    }

    /// JSON Lines.
    var lines: [UInt8] {
        rows.flatMap { row in
            JSONValue.ordered(zip(keys, row).compactMap { key, value in value.map { (key, .string($0)) } }).line
        }
    }

    /// The records that device information can express: those whose time and device are valid.
    var expressible: DrawnTable {
        DrawnTable(
            keys: keys,
            rows: rows.filter { row in
                let values = Dictionary(uniqueKeysWithValues: zip(keys, row))
                guard let device = values["device-id"] ?? nil, let time = values["time"] ?? nil else { return false }
                return DrawnColumn.bytes(ofDevice: device) != nil && device != DeviceID.filteredPolicyText
                    && Instant(rfc3339: time) != nil
            }, isSound: isSound)
    }

    private init(keys: [String], rows: [[String?]], isSound: Bool) {
        (self.keys, self.rows, self.isSound) = (keys, rows, isSound)
    }

    /// Device information, of records whose time and device are valid.
    var information: [UInt8] {
        let texts = rows.map { row in
            let values = Dictionary(uniqueKeysWithValues: zip(keys, row))
            let (device, time) = ((values["device-id"] ?? nil) ?? "", (values["time"] ?? nil) ?? "")
            let pairs = zip(keys, row).filter { !["device-id", "time"].contains($0.0) }.compactMap { key, value in
                value.map { "\(key): \($0)\n" }
            }
            return "--- \(device) \(time.prefix(19).replacing("T", with: " ")) UTC ---\n" + pairs.joined()
        }
        return Array(texts.joined().utf8)
    }

    /// Columns in a form that is drawn.
    ///
    /// - Parameters:
    ///   - seed: The seed of the form.
    ///   - hasOrigins: True for a column with the lines of the records.
    func columns(seed: UInt64, hasOrigins: Bool = true) -> [UInt8] {
        var chance = SplitMix64(seed: seed)
        let form: ColumnWriter.Form = chance.pick([.file, .stream])
        let level = chance.pick([nil, 1, 3])
        let plain = columns(form, level: level, hasOrigins: hasOrigins, &chance)
        guard form == .stream, level == nil, chance.happens(75) else { return plain }
        do throws(ColumnFailure) {
            return try RecodedStream(plain, isPacked: chance.happens(60), hasDeltas: chance.happens(60)).bytes
        } catch {
            preconditionFailure("a stream that was written can be read: \(error)")
        }
    }

    /// Columns in some form.
    ///
    /// - Parameters:
    ///   - form: A file or a stream.
    ///   - level: The level of zstd; `nil` for plain bytes.
    ///   - hasOrigins: True for a column with the lines of the records.
    ///   - chance: Draws the forms of the columns, and the ends of batches.
    func columns(
        _ form: ColumnWriter.Form, level: Int?, hasOrigins: Bool = true, _ chance: inout SplitMix64
    ) -> [UInt8] {
        let columns = keys.indices.map { index in
            DrawnColumn(Int64(index), keys[index], rows.map { $0[index] }, &chance)
        }
        let origin = ColumnField("origin-line", .integer(bits: 64, isSigned: true))
        let schema = ColumnSchema(columns.map(\.field) + (hasOrigins ? [origin] : []))
        var bytes: [UInt8] = []
        var writer = ColumnWriter(schema, as: form, level: level, to: &bytes)
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + chance.pick([0, 1, 2, 9, 40, 1000]))
            for column in columns { column.extend(&writer, start..<end, &chance) }
            let lines = ColumnData.numbers((start..<end).map { Int64($0 + 1) })
            writer.write(columns.map { $0.data(start..<end) } + (hasOrigins ? [lines] : []), to: &bytes)
            start = end
        }
        writer.finish(to: &bytes)
        return bytes
    }
}

/// A column of a drawn table.
private final class DrawnColumn {
    let field: ColumnField
    private let values: [String?]
    // The keys of the values so far; doubled values have several.
    private var keys: [String: [Int32]] = [:]
    private var count: Int32 = 0
    private var rowKeys: [Int32] = []

    init(_ id: Int64, _ key: String, _ values: [String?], _ chance: inout SplitMix64) {
        self.values = values
        let dictionary = DictionaryKeys(dictionary: id, bits: chance.pick([16, 32]))
        let plain = values.compactMap(\.self)
        var types: [ColumnType] = [.text(.small)]
        if key == "time", plain.allSatisfy({ Instant(rfc3339: $0)?.description == $0 }) {
            let units: [ColumnType.TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
            types.append(.time(chance.pick(units), zone: chance.pick(["UTC", "Etc/UTC", "+00:00", "Europe/Berlin"])))
        }
        let isDevice = { (text: String) in Self.bytes(ofDevice: text) != nil && text != DeviceID.filteredPolicyText }
        if key == "device-id", plain.allSatisfy(isDevice) {
            types += [.fixedBytes(16), .bytes(.small)]
        }
        let type = chance.pick(types)
        if case .time = type {
            field = ColumnField(key, type)
        } else {
            field = ColumnField(key, type, keys: chance.happens(60) ? dictionary : nil)
        }
    }

    // Adds the values of some rows to the dictionary, with others that no row has, some twice, and absent ones.
    func extend(_ writer: inout ColumnWriter, _ rows: Range<Int>, _ chance: inout SplitMix64) {
        guard let id = field.keys?.dictionary else { return }
        func append(_ value: String?) {
            if let value {
                writer.dictionaries[id]?.append(bytes(value).span)
                keys[value, default: []].append(count)
            } else {
                writer.dictionaries[id]?.appendAbsent(width: width)
            }
            count += 1
        }
        for row in rows {
            if chance.happens(10) { append(chance.happens(50) ? nil : values[row]) }
            if let value = values[row] {
                if keys[value] == nil { append(value) }
                rowKeys.append(chance.pick(keys[value] ?? []))
            } else {
                rowKeys.append(-1)
            }
        }
    }

    func data(_ rows: Range<Int>) -> ColumnData {
        if field.keys != nil { return .keys(Array(rowKeys[rows])) }
        if case .time(let unit, _) = field.type {
            return .numbers(
                values[rows].map { value in
                    value.flatMap { Instant(rfc3339: $0) }.map { Int64($0.secondsSinceEpoch) * unit.perSecond }
                        ?? Column.absentNumber
                })
        }
        var list = ValueList()
        for value in values[rows] {
            if let value { list.append(bytes(value).span) } else { list.appendAbsent(width: width) }
        }
        return .values(list)
    }

    private var width: Int { if case .fixedBytes(let width) = field.type { width } else { 0 } }

    private func bytes(_ value: String) -> [UInt8] {
        if case .text = field.type { return Array(value.utf8) }
        return Self.bytes(ofDevice: value) ?? []
    }

    // The 16 bytes of canonical base64, worked out digit by digit.
    static func bytes(ofDevice text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        guard text.count == 24, text.hasSuffix("==") else { return nil }
        var bits: UInt128 = 0
        for (index, digit) in text.dropLast(2).enumerated() {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            // The last of the 132 bits are no part of the ID.
            if index == 21, value & 15 != 0 { return nil }
            bits = index == 21 ? bits << 2 | UInt128(value >> 4) : bits << 6 | UInt128(value)
        }
        return (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) }
    }
}
