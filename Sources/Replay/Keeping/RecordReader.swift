package import PolicyEngine

/// Reads single records of captures in JSON Lines form, as a replay does, with names in place of numbers.
///
/// For one thread at a time.
package struct RecordReader {
    private var parser: BlockParser
    private let keys: [String]
    private let catalogue: FlagCatalogue

    /// A record that was read; its time is that of its sender.
    package struct Record: Sendable {
        /// Whose it is.
        package let device: DeviceID
        package let time: Instant
        /// The device's system (R13.1).
        package let system: OperatingSystem
        /// The flags as far as they were known when the reader was made.
        package let flags: FlagSet
        /// The whole list of flags, where it has a name that was not known then.
        package let newFlags: String?
        /// True if the service passed it; `nil` where the record does not say.
        package let capturedVerdict: Bool?
        /// The attributes that were asked for, where the record has them.
        package let attributes: [KeptRecord.Attribute]
        /// A key that nobody knows, and the one that it looks like.
        package let misspeltKey: (name: String, meant: String)?
    }

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - keys: The attributes that are wanted.
    ///   - catalogue: The flags that are known.
    package init(keys: [String], catalogue: FlagCatalogue) {
        (self.catalogue, self.keys) = (catalogue, keys)
        parser = BlockParser(RecordNeeds(carriedKeys: keys), zones: TimeZones(), catalogue: catalogue)
    }

    /// Reads a record.
    ///
    /// - Parameter text: A JSON object; line breaks between its members are taken as white space.
    /// - Throws: ``RecordRefusal``: the first thing that is wrong with it.
    /// - Complexity: O(length).
    package mutating func read(_ text: [UInt8]) throws(RecordRefusal) -> Record {
        var block = CaptureBlock()
        // A line break within a text is no JSON, and so none of a record gets lost.
        block.bytes = text.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        block.bytes.append(UInt8(ascii: "\n"))
        (block.end, block.isLast) = (block.bytes.count, true)
        block.bytes += [UInt8](repeating: 0, count: CaptureLimits.blockPadding)
        var parsed = ParsedBlock()
        parser.parse(block, format: .jsonl, into: &parsed)
        if let problem = parsed.malformed.first?.problem {
            throw RecordRefusal(description: problem.message, hint: problem.hint)
        }
        guard let record = parsed.records.first else { throw RecordRefusal(description: "there is no record") }
        return Record(
            device: record.head.id, time: record.head.time, system: record.head.system, flags: record.flags,
            newFlags: parsed.newFlags.first?.text, capturedVerdict: record.head.capturedVerdict,
            attributes: parsed.records.carried(0).map { attributes($0) } ?? [],
            misspeltKey: parsed.mistakes.all.lazy.compactMap(\.kind.key).first)
    }

    private func attributes(_ carried: CarriedValues) -> [KeptRecord.Attribute] {
        keys.enumerated().compactMap { index, key in
            carried.withValue(of: index) { KeptRecord.Attribute(key: key, value: $0.text($1)) }
        }
    }
}

/// Why a record is refused.
package struct RecordRefusal: Error, Hashable, Sendable {
    /// The error: lower case, no final period.
    package let description: String
    /// Advice that might help.
    package let hint: String?

    package init(description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }
}
