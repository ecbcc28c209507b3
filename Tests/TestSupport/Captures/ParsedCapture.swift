import PolicyEngine

@testable import Replay

/// The records of a capture as they are parsed, valid and malformed, in their order.
struct ParsedCapture {
    /// A record with the attributes that are listed.
    struct Record {
        let head: RecordHead
        let flags: FlagSet
        let attributes: [(name: String, value: String)]
    }

    enum Entry {
        case record(Record, line: Int)
        case malformed(RecordProblem)
    }

    private(set) var entries: [Entry] = []
    private(set) var catalogue = FlagCatalogue()
    private(set) var lacksFinalNewline = false

    init(
        path: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = [],
        blockBytes: Int = CaptureLimits.blockBytes
    ) throws {
        var file = try CaptureFile(path: path, format: format, blockBytes: blockBytes)
        guard file.format != .fetches else { throw CaptureFailure.wrongKind(path: path, found: .fetches) }
        var parser = BlockParser(
            RecordNeeds(carriedKeys: attributes), zones: TimeZones(fallback: fallback), catalogue: catalogue)
        var (block, parsed, lines) = (CaptureBlock(), ParsedBlock(), 0)
        while try Self.next(&file, into: &block, lines: lines) {
            parser.parse(block, format: file.format, into: &parsed)
            resolveFlags(of: &parsed)
            add(parsed, attributes, lines: lines)
            lines += parsed.lineCount
            lacksFinalNewline = block.isLast && block.lacksFinalNewline
        }
    }

    private static func next(_ file: inout CaptureFile, into block: inout CaptureBlock, lines: Int) throws -> Bool {
        do throws(CaptureFailure) {
            return try file.next(into: &block)
        } catch {
            throw error.moved(by: lines)
        }
    }

    private mutating func resolveFlags(of parsed: inout ParsedBlock) {
        var refused: [Int: FlagListError] = [:]
        for new in parsed.newFlags {
            do throws(FlagListError) {
                parsed.setFlags(try FlagList.read(new.text, catalogue: &catalogue), ofRecordAt: new.index)
            } catch {
                refused[new.index] = error
            }
        }
        parsed.refuse(refused)
    }

    private mutating func add(_ parsed: ParsedBlock, _ attributes: [String], lines: Int) {
        let records = parsed.records.indices.map { index in
            let (record, carried) = (parsed.records[index], parsed.records.carried(index))
            let listed = attributes.enumerated().compactMap { number, name in
                carried?.withValue(of: number) { (name: name, value: $0.text($1)) }
            }
            let line = record.head.line
            return (
                line,
                Entry.record(Record(head: record.head, flags: record.flags, attributes: listed), line: lines + line)
            )
        }
        let malformed = parsed.malformed.map { ($0.problem.line, Entry.malformed($0.problem.moved(by: lines))) }
        entries += (records + malformed).sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// The records of a capture, each as a line that can be compared.
struct ReadCapture: Equatable {
    /// Such as `1: 2020-07-23T10:51:26Z qZka0yfv+ExvOq3PRh6pGw== rooted,xposed`, or `4! what is wrong; hint: …`.
    private(set) var lines: [String] = []
    /// True if the last line lacks its newline.
    private(set) var lacksFinalNewline = false

    /// Reads a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: The kind; found by the content if `nil`.
    ///   - fallback: Seconds ahead of UTC for unknown time zones.
    ///   - attributes: Attributes to list of each record.
    init(
        path: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        let capture = try ParsedCapture(path: path, format: format, fallback: fallback, attributes: attributes)
        for entry in capture.entries {
            switch entry {
            case .record(let record, let line): lines.append(Self.line(record, at: line, capture.catalogue))
            case .malformed(let problem):
                lines.append("\(problem.line)! \(problem.message)" + (problem.hint.map { "; hint: \($0)" } ?? ""))
            }
        }
        lacksFinalNewline = capture.lacksFinalNewline
    }

    /// Reads a capture that is given as bytes.
    init(
        bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        try self.init(
            path: try folder.write(bytes, to: "capture"), format: format, fallback: fallback, attributes: attributes)
    }

    /// Reads a capture that is given as text.
    init(
        _ text: String, format: CaptureFormat? = nil, fallback: Int? = nil, attributes: [String] = []
    ) throws {
        try self.init(bytes: text.utf8, format: format, fallback: fallback, attributes: attributes)
    }

    private static func line(_ record: ParsedCapture.Record, at line: Int, _ catalogue: FlagCatalogue) -> String {
        var parts = [
            "\(line): \(record.head.time)", record.head.id.description,
            catalogue.names(of: record.flags).joined(separator: ","),
        ]
        if let verdict = record.head.capturedVerdict { parts.append(verdict ? "service:pass" : "service:fail") }
        let system = record.head.system
        if system != .unknown { parts.append("os:\(system.metricName)") }
        for (name, value) in record.attributes { parts.append("\(name)=\(value)") }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
