import PolicyEngine

@testable import Replay

/// The records of a capture as they are parsed, valid and malformed, in their order.
struct ParsedCapture {
    typealias Record = ParsedRecord<ListingMatcher.Matches>

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
            zones: TimeZones(fallback: fallback), catalogue: catalogue,
            matcher: { ListingMatcher(attributes, fields: &$0) })
        var (block, parsed, lines) = (CaptureBlock(), ParsedBlock<ListingMatcher.Matches>(), 0)
        while try Self.next(&file, into: &block, lines: lines) {
            parser.parse(block, format: file.format, into: &parsed)
            resolveFlags(of: &parsed)
            add(parsed, lines: lines)
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

    private mutating func resolveFlags(of parsed: inout ParsedBlock<ListingMatcher.Matches>) {
        var refused: [Int: String] = [:]
        for new in parsed.newFlags {
            do throws(FlagListError) {
                parsed.setFlags(try FlagList.read(new.text, catalogue: &catalogue), ofRecordAt: new.index)
            } catch {
                refused[new.index] = error.description
            }
        }
        parsed.refuse(refused)
    }

    private mutating func add(_ parsed: ParsedBlock<ListingMatcher.Matches>, lines: Int) {
        let records = parsed.records.map { ($0.head.line, Entry.record($0, line: lines + $0.head.line)) }
        let malformed = parsed.malformed.map { ($0.problem.line, Entry.malformed($0.problem.moved(by: lines))) }
        entries += (records + malformed).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
