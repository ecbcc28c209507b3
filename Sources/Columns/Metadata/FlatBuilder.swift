/// A value of a field in a FlatBuffer that is written.
indirect enum FlatValue {
    case int8(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case text(String)
    /// The fields of a table in their order; `nil` for absent ones.
    case table([FlatValue?])
    case tables([[FlatValue?]])
    /// Structures, each of some numbers of 8 bytes.
    case structures([Int64], each: Int)

    // The bytes in the table; of what is elsewhere, those of the offset.
    fileprivate var size: Int {
        switch self {
        case .int8: 1
        case .int16: 2
        case .int64: 8
        default: 4
        }
    }
}

/// Writes a FlatBuffer from its root down, so that each offset leads on.
struct FlatBuilder {
    private var bytes: [UInt8] = [0, 0, 0, 0]

    /// The FlatBuffer with a root, padded to a multiple of 8 bytes.
    static func bytes(root fields: [FlatValue?]) -> [UInt8] {
        var builder = FlatBuilder()
        let root = builder.append(table: fields)
        builder.set(UInt32(root), at: 0)
        builder.bytes.pad(to: 8)
        return builder.bytes
    }

    private mutating func append(table fields: [FlatValue?]) -> Int {
        var (places, end): ([UInt16], Int) = ([], 4)
        for field in fields {
            guard let field else {
                places.append(0)
                continue
            }
            end += (field.size - end % field.size) % field.size
            places.append(UInt16(end))
            end += field.size
        }
        // The list of the fields' places is right before the table, which is at a multiple of 8.
        let listBytes = 4 + 2 * places.count
        pad(before: listBytes, to: 8)
        let position = bytes.count + listBytes
        for number in [UInt16(listBytes), UInt16(end)] + places { bytes.append(number: number) }
        bytes.append(number: Int32(listBytes))
        bytes.append(contentsOf: repeatElement(0, count: end - 4))
        for (field, place) in zip(fields, places) {
            if let field { append(field, at: position + Int(place)) }
        }
        return position
    }

    private mutating func append(_ value: FlatValue, at place: Int) {
        switch value {
        case .int8(let number): set(number, at: place)
        case .int16(let number): set(number, at: place)
        case .int32(let number): set(number, at: place)
        case .int64(let number): set(number, at: place)
        case .text(let text):
            let bytes = Array(text.utf8)
            beginVector(bytes.count, at: place, alignment: 4)
            self.bytes += bytes + [0]
        case .table(let fields):
            let position = append(table: fields)
            set(UInt32(position - place), at: place)
        case .tables(let tables):
            let start = beginVector(tables.count, at: place, alignment: 4)
            bytes.append(contentsOf: repeatElement(0, count: 4 * tables.count))
            for (index, table) in tables.enumerated() { append(.table(table), at: start + 4 * index) }
        case .structures(let numbers, let each):
            beginVector(numbers.count / each, at: place, alignment: 8)
            for number in numbers { bytes.append(number: number) }
        }
    }

    // Starts a vector to which an offset leads; the place of its elements.
    @discardableResult
    private mutating func beginVector(_ count: Int, at place: Int, alignment: Int) -> Int {
        pad(before: 4, to: alignment)
        set(UInt32(bytes.count - place), at: place)
        bytes.append(number: UInt32(count))
        return bytes.count
    }

    // Appends zeros so that what follows some bytes is at a multiple of a size.
    private mutating func pad(before count: Int, to size: Int) {
        bytes.append(contentsOf: repeatElement(0, count: (size - (bytes.count + count) % size) % size))
    }

    private mutating func set(_ number: some FixedWidthInteger, at place: Int) {
        var field: [UInt8] = []
        field.append(number: number)
        bytes.replaceSubrange(place..<place + field.count, with: field)
    }
}
