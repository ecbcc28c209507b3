internal import PolicyEngine

/// Reads the records of a block whose keys come in the usual order, over an index of its delimiters.
///
/// A record is understood completely here, or left untouched to the scanners (``InfoScanner``, ``JSONScanner``,
/// ``RecordBuilder``), which decide what it is. It is understood only where all of this holds, and then the scanners find
/// the same in it:
///
/// - It is UTF-8, without carriage returns; in JSON Lines without backslashes and control characters.
/// - Its first line is `--- <device-id> <timestamp> ---`; or it is one line `{"…":"…","…":"…"}` with four quotes a member, so
///   that no quote is inside a key or a value.
/// - Each of its keys is one of the ``KeyTemplate``, in that order: keys that the scanners took before, none twice.
/// - Its device ID, its time and its list of rejections are valid, and it ends with a newline.
struct RecordWalk {
    private let zones: TimeZones
    private let isOff: Bool
    private var index: DelimiterIndex
    private var isIndexed = false
    private var revision = 0
    private var hours = HourMemo()
    private var block = Block()
    // The first delimiter and the first irregular byte that were not passed.
    private var delimiter = 0
    private var irregular = 0
    // The states of reading the current capture, and one of the other kind.
    private var form = LearnedForm()
    private var otherForm = LearnedForm()

    private struct Block {
        var end = 0
        var isText = true
        var isUTF8 = true
    }

    /// Bytes that must be readable behind the end of a block.
    static let padding = DelimiterIndex.padding + KeyPattern.limit

    /// - Parameters:
    ///   - zones: The time zones that captures may name.
    ///   - instructions: The instructions that bytes are compared with; `nil` leaves every record to the scanners.
    init(zones: TimeZones, instructions: VectorInstructions?) {
        self.zones = zones
        isOff = instructions == nil
        index = DelimiterIndex(instructions: instructions ?? .none)
    }

    /// Takes a block.
    ///
    /// - Parameters:
    ///   - end: The length of the block.
    ///   - isText: True if it holds device information, rather than JSON Lines.
    ///   - isUTF8: True if it is UTF-8; of any other one nothing is understood.
    mutating func begin(end: Int, isText: Bool, isUTF8: Bool) {
        if isText != block.isText {
            swap(&form, &otherForm)
            // A time in one kind of capture may be none in the other.
            hours = HourMemo()
        }
        block = Block(end: end, isText: isText, isUTF8: isUTF8)
        (isIndexed, delimiter, irregular) = (false, 0, 0)
    }

    /// Takes the keys of a record that the scanners found valid.
    mutating func learn(_ keys: () -> [KeyTemplate.Key]?) { form.learn(keys) }

    /// The fields whose values are looked for as one.
    var groups: ValueGroups { form.groups }

    /// Looks at records, to find out which of their values come together.
    ///
    /// - Parameters:
    ///   - rows: Their values.
    ///   - columns: The fields that matter.
    mutating func observe(_ rows: borrowing ValueRows, columns: [Int]) {
        guard block.isUTF8, form.isOpen else { return }
        form.observe(rows, columns: columns, revision: &revision)
    }

    /// Reads records until one that is not understood, or the end.
    ///
    /// - Parameters:
    ///   - bytes: The memory; the padding lies behind the end of the block.
    ///   - position: The position of the first; becomes that of the one that is not understood.
    ///   - rows: Takes their values.
    ///   - heads: Takes what they say of themselves.
    mutating func read(
        _ bytes: Span<UInt8>, from position: inout BlockPosition, rows: inout ValueRows, heads: inout [RecordHead]
    ) {
        guard !isOff, block.isUTF8, form.isOpen, position.offset < block.end else { return }
        precondition(block.end + Self.padding <= bytes.count, "the padding follows the block")
        if !isIndexed { index.index(bytes, end: block.end, isText: block.isText) }
        isIndexed = true
        let count = heads.count
        if block.isText {
            read(TextSyntax.self, bytes, from: &position, rows: &rows, heads: &heads)
        } else {
            read(JSONSyntax.self, bytes, from: &position, rows: &rows, heads: &heads)
        }
        form.noteUnderstood(heads.count - count)
    }

    private mutating func read<Syntax: RecordSyntax>(
        _ syntax: Syntax.Type, _ bytes: Span<UInt8>, from position: inout BlockPosition, rows: inout ValueRows,
        heads: inout [RecordHead]
    ) {
        let (delimiters, quotes, keys) = (index.delimiters, index.quotes, form.template.keys)
        let marks = delimiters.span.extracting(first: index.counts.delimiters)
        // The scanners may have passed some.
        while delimiter < marks.count, marks[delimiter] < position.offset { delimiter += 1 }
        while position.offset < block.end {
            var next = delimiter
            let head = rows.fillRow { row in
                var walk = MemberWalk(start: position, end: block.end, delimiter: delimiter)
                defer { next = walk.delimiter }
                guard let opening = syntax.opening(&walk, bytes, marks),
                    walk.readMembers(syntax, bytes, marks, keys.span, row: &row),
                    syntax.hasExpectedQuotes(walk, quotes.span), !hasIrregular(in: walk.range)
                else { return RecordHead?.none }
                return self.head(opening, walk.range, line: position.line, bytes, row: &row)
            }
            guard let head else { return }
            heads.append(head)
            rows.keepRow(isUsual: true)
            position = BlockPosition(
                offset: head.range.upperBound, line: position.line + (Syntax.linesAreDelimiters ? next - delimiter : 1))
            delimiter = next
        }
    }

    private mutating func hasIrregular(in range: Range<Int>) -> Bool {
        while irregular < index.counts.irregular, index.irregular[irregular] < range.lowerBound { irregular += 1 }
        return irregular < index.counts.irregular && index.irregular[irregular] < range.upperBound
    }

    // The same checks as those of ``RecordBuilder``; a record that fails one is left to it.
    @inline(__always)
    private mutating func head(
        _ opening: RecordOpening, _ range: Range<Int>, line: Int, _ bytes: Span<UInt8>,
        row: inout MutableSpan<ValueRange>
    ) -> RecordHead? {
        let (givenID, givenTime) = (row[RecordField.deviceID], row[RecordField.time])
        let idRange: Range<Int>
        if let named = opening.id {
            idRange = named
            guard givenID.isAbsent || bytes.hasSameBytes(in: givenID.range, as: bytes, in: named) else { return nil }
            if givenID.isAbsent { row[RecordField.deviceID] = ValueRange(named) }
        } else {
            guard !givenID.isAbsent else { return nil }
            idRange = givenID.range
        }
        guard opening.time != nil || !givenTime.isAbsent,
            let id = DeviceID(bytes, range: idRange), !id.isFilteredPolicy,
            let time = time(opening.time ?? givenTime.range, bytes)
        else { return nil }
        let rejections = row[RecordField.rejections]
        let isPassed = rejections.isAbsent || rejections.range.isEmpty
        guard isPassed || FlagList.isSound(bytes.extracting(rejections.range)) else { return nil }
        let device = row[RecordField.device]
        return RecordHead(
            id: id, time: time,
            system: device.isAbsent ? .unknown : OperatingSystem(deviceAttribute: bytes.extracting(device.range)),
            capturedVerdict: rejections.isAbsent ? nil : isPassed, line: line, range: range)
    }

    @inline(__always)
    private mutating func time(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Instant? {
        hours.instant(range, in: bytes) ?? newTime(range, bytes)
    }

    private mutating func newTime(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Instant? {
        let instant =
            block.isText
            ? Timestamp.read(range, in: bytes, zones: zones).instant : Instant(rfc3339: bytes, range: range)
        guard let instant else { return block.isText ? nil : RecordTime.instant(range, in: bytes, zones: zones) }
        hours.note(range, in: bytes, instant: instant)
        return instant
    }
}

/// The state of reading a capture's records so far. If many are not understood, none is tried for a while.
struct LearnedForm {
    /// The keys in the order in which records give them.
    private(set) var template = KeyTemplate()
    /// The fields whose values are looked for as one.
    private(set) var groups = ValueGroups()
    // `nil` once it is decided.
    private var trial: GroupTrial? = GroupTrial()
    private var trialsLeft = LearnedForm.trials
    // Rises with records that were understood, falls with those that were not; below 0 none is tried.
    private var credit = LearnedForm.limit

    private static let limit = 256
    private static let failure = 16
    private static let pause = 4096
    private static let trials = 8

    /// True if records may be tried.
    var isOpen: Bool { credit >= 0 && !template.keys.isEmpty }

    mutating func noteUnderstood(_ count: Int) { credit = min(credit + count, Self.limit) }

    /// Takes the keys of a record that was not understood and is valid.
    mutating func learn(_ keys: () -> [KeyTemplate.Key]?) {
        guard credit >= 0 else {
            credit += 1
            return
        }
        credit -= Self.failure
        if credit < 0 { credit = -Self.pause }
        guard let keys = keys(), template.learn(keys) else { return }
        groups = ValueGroups()
        trial = trialsLeft > 0 ? GroupTrial() : nil
        trialsLeft -= 1
    }

    /// Looks at records, to find out which of their values come together.
    ///
    /// - Parameter revision: The number of the groups that were found last; rises.
    mutating func observe(_ rows: borrowing ValueRows, columns: [Int], revision: inout Int) {
        trial?.look(at: rows, columns: columns)
        guard let trial, trial.isOver else { return }
        self.trial = nil
        let found = trial.groups(in: template.runs(of: columns)).prefix(ValueGroups.limit)
        guard !found.isEmpty else { return }
        revision += 1
        let first = rows.width - ValueGroups.limit
        groups = ValueGroups(
            found.enumerated().map { number, members in
                ValueGroups.Group(column: first + number, columns: members.map { columns[$0] })
            }, revision: revision)
    }
}

/// Reads timestamps of the hour that was read before, which most are: all but minutes and seconds was understood then.
struct HourMemo {
    // `YYYY-MM-DD hh` as two words that overlap, and the bytes behind the seconds.
    private var head: UInt64 = 0
    private var tail: UInt64 = 0
    private var zone: UInt64 = 0
    // The length of a whole timestamp; 0 while none is known.
    private var length = 0
    // Seconds since 1970 at the start of the hour.
    private var start = 0

    /// `YYYY-MM-DD hh:mm:ss`.
    private static var clockLength: Int { 19 }
    private static var zoneLimit: Int { 8 }

    /// The instant that a timestamp says, if its hour and its zone are those that were noted.
    ///
    /// - Parameters:
    ///   - range: The whole timestamp.
    ///   - bytes: The memory; eight bytes behind the timestamp are readable.
    @inline(__always)
    func instant(_ range: Range<Int>, in bytes: Span<UInt8>) -> Instant? {
        guard range.count == length, bytes.word(at: range.lowerBound) == head,
            bytes.word(at: range.lowerBound + 5) == tail,
            Self.zone(of: range, in: bytes) == zone,
            let seconds = Self.secondsOfHour(range, in: bytes)
        else { return nil }
        return Instant(secondsSinceEpoch: start &+ seconds)
    }

    /// Notes the hour and the zone of a timestamp.
    ///
    /// - Parameter instant: The instant that it says.
    mutating func note(_ range: Range<Int>, in bytes: Span<UInt8>, instant: Instant) {
        guard Self.clockLength...Self.clockLength + Self.zoneLimit ~= range.count,
            let seconds = Self.secondsOfHour(range, in: bytes)
        else { return }
        (head, tail) = (bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound + 5))
        zone = Self.zone(of: range, in: bytes)
        length = range.count
        start = instant.secondsSinceEpoch - seconds
    }

    @inline(__always)
    private static func zone(of range: Range<Int>, in bytes: Span<UInt8>) -> UInt64 {
        let count = range.count &- clockLength
        let word = bytes.word(at: range.lowerBound &+ clockLength)
        return count >= zoneLimit ? word : word & (1 << UInt64(8 &* count) &- 1)
    }

    // `:mm:ss` behind the hour.
    @inline(__always)
    private static func secondsOfHour(_ range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        let colon = UInt64(UInt8(ascii: ":"))
        let word = bytes.word(at: range.lowerBound &+ 11) >> 16
        guard word & 0xFF == colon, word >> 24 & 0xFF == colon else { return nil }
        let (tens, ones) = (word >> 8 & 0xFF &- 48, word >> 16 & 0xFF &- 48)
        let (tensOfSecond, onesOfSecond) = (word >> 32 & 0xFF &- 48, word >> 40 & 0xFF &- 48)
        guard tens < 6, ones < 10, tensOfSecond < 6, onesOfSecond < 10 else { return nil }
        return Int(truncatingIfNeeded: tens &* 600 &+ ones &* 60 &+ tensOfSecond &* 10 &+ onesOfSecond)
    }
}
