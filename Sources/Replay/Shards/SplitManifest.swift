internal import Figures
package import PolicyEngine

/// The contents of a folder of split captures: the file `manifest.json` in it, which is written last.
///
/// Lines and indices are counted from the start of what was split, which may be a part of a capture: how many come before is
/// known once the folders of all parts are there.
package struct SplitManifest: Hashable, Sendable {
    /// The number of parts of the devices.
    package var shards: Int
    /// Seconds ahead of UTC for time zones that have no known name.
    package var zone: Int?
    /// The captures that were split, in the order of the records.
    package var captures: [Capture] = []
    /// The flags that are not built in, in the order of first sight (R2.3).
    package var flags: [String] = []
    /// The errors in records: the first of each kind.
    package var problems: [Problem] = []
    /// A file for each part, in their order.
    package var files: [File] = []

    /// A capture, or a part of one.
    package struct Capture: Hashable, Sendable {
        /// The path as it was given.
        package var path: String
        package var format: CaptureFormat
        /// The length of the file; `nil` for a pipe.
        package var bytes: Int?
        /// The bytes in which the records start; `nil` for all.
        package var range: Range<Int>?
        /// The lines, and what lacks its newline at the end.
        package var lines = 0
        /// The number of valid records.
        package var records = 0
        package var malformed = 0
        /// Records of a time before that of an earlier one.
        package var disordered = 0
        /// The time of the first valid record.
        package var first: Instant?
        /// The line of that record.
        package var firstLine = 0
        /// The latest time of a valid record.
        package var latest: Instant?
        /// True if its last line lacks the newline.
        package var isCut = false
        /// The SHA-256 of some bytes of the file, and of all of them where they are few (``CaptureIdentity``).
        package var sample: String?
        package var digest: String?
    }

    /// Something that is wrong with a record.
    package struct Problem: Hashable, Sendable {
        /// The capture, by its index.
        package var capture: Int
        package var line: Int
        /// The kind of the error.
        package var kind: Kind

        package enum Kind: Hashable, Sendable {
            case malformed(message: String, hint: String?)
            case disorder(time: Instant, latest: Instant)
        }
    }

    /// The records of one part of the devices.
    package struct File: Hashable, Sendable {
        package var name: String
        package var records: Int
        package var bytes: Int
        /// The SHA-256 in hexadecimal digits.
        package var digest: String
    }

    package init(shards: Int, zone: Int?) {
        (self.shards, self.zone) = (shards, zone)
    }

    /// The name of the file in the folder.
    package static let name = "manifest.json"
    // The version of the form.
    private static let form = 1
}

// MARK: Writing

extension SplitManifest {
    /// The file; equal manifests give equal bytes.
    package var bytes: [UInt8] { Array(document.indented(by: 1).utf8) }

    private var document: JSONValue {
        .ordered([
            ("scenario-split", .integer(Self.form)), ("shards", .integer(shards)), ("zone", Self.value(zone)),
            ("captures", .array(captures.map(\.document))), ("flags", .array(flags.map(JSONValue.string))),
            ("problems", .array(problems.map(\.document))), ("files", .array(files.map(\.document))),
        ])
    }

    fileprivate static func value(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
}

extension SplitManifest.Capture {
    fileprivate var document: JSONValue {
        .ordered([
            ("path", .string(path)), ("format", .string(format.rawValue)), ("bytes", SplitManifest.value(bytes)),
            ("from", SplitManifest.value(range?.lowerBound)), ("to", SplitManifest.value(range?.upperBound)),
            ("lines", .integer(lines)), ("records", .integer(records)), ("malformed", .integer(malformed)),
            ("disordered", .integer(disordered)), ("first", SplitManifest.value(first?.secondsSinceEpoch)),
            ("first-line", .integer(firstLine)), ("latest", SplitManifest.value(latest?.secondsSinceEpoch)),
            ("cut", .boolean(isCut)), ("sample", sample.map(JSONValue.string) ?? .null),
            ("sha256", digest.map(JSONValue.string) ?? .null),
        ])
    }
}

extension SplitManifest.Problem {
    fileprivate var document: JSONValue {
        let position = [("capture", JSONValue.integer(capture)), ("line", .integer(line))]
        return switch kind {
        case .malformed(let message, let hint):
            .ordered(position + [("message", .string(message)), ("hint", hint.map(JSONValue.string) ?? .null)])
        case .disorder(let time, let latest):
            .ordered(
                position + [("time", .integer(time.secondsSinceEpoch)), ("latest", .integer(latest.secondsSinceEpoch))])
        }
    }
}

extension SplitManifest.File {
    fileprivate var document: JSONValue {
        .ordered([
            ("file", .string(name)), ("records", .integer(records)), ("bytes", .integer(bytes)),
            ("sha256", .string(digest)),
        ])
    }
}

// MARK: Reading

extension SplitManifest {
    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: Its path, for failures.
    /// - Throws: ``SplitFailure`` where it is none, or has another form.
    package init(_ bytes: [UInt8], path: String) throws(SplitFailure) {
        let reader: ManifestReader
        do throws(JSONFailure) {
            reader = ManifestReader(try JSONParser.parse(bytes), path: path)
        } catch {
            throw SplitFailure(file: path, message: "is not a manifest of split captures: \(error.message)")
        }
        let form = try reader.count("scenario-split")
        guard form == Self.form else {
            throw SplitFailure(
                file: path, message: "has the form \(form), and this version reads the form \(Self.form)")
        }
        self.init(shards: try reader.count("shards"), zone: try reader.number("zone"))
        for item in try reader.items("captures") { captures.append(try Capture(item)) }
        flags = try reader.texts("flags")
        for item in try reader.items("problems") {
            let problem = try Problem(item)
            guard captures.indices.contains(problem.capture) else { throw reader.failure("problems") }
            problems.append(problem)
        }
        for item in try reader.items("files") {
            files.append(
                File(
                    name: try item.text("file"), records: try item.count("records"), bytes: try item.count("bytes"),
                    digest: try item.text("sha256")))
        }
        guard files.count == shards, (1...DeviceShard.limit).contains(shards) else { throw reader.failure("files") }
    }
}

extension SplitManifest.Capture {
    fileprivate init(_ reader: ManifestReader) throws(SplitFailure) {
        guard let format = CaptureFormat(rawValue: try reader.text("format")) else { throw reader.failure("format") }
        self.init(path: try reader.text("path"), format: format, bytes: try reader.number("bytes"))
        if let from = try reader.number("from") {
            let end = try reader.count("to")
            guard from >= 0, from <= end else { throw reader.failure("from") }
            range = from..<end
        }
        lines = try reader.count("lines")
        records = try reader.count("records")
        malformed = try reader.count("malformed")
        disordered = try reader.count("disordered")
        first = try reader.number("first").map(Instant.init(secondsSinceEpoch:))
        firstLine = try reader.count("first-line")
        latest = try reader.number("latest").map(Instant.init(secondsSinceEpoch:))
        isCut = try reader.truth("cut")
        // Older versions do not say these.
        (sample, digest) = (try reader.optionalText("sample"), try reader.optionalText("sha256"))
    }
}

extension SplitManifest.Problem {
    fileprivate init(_ reader: ManifestReader) throws(SplitFailure) {
        (capture, line) = (try reader.count("capture"), try reader.count("line"))
        if let time = try reader.number("time"), let latest = try reader.number("latest") {
            kind = .disorder(
                time: Instant(secondsSinceEpoch: time), latest: Instant(secondsSinceEpoch: latest))
        } else {
            kind = .malformed(message: try reader.text("message"), hint: try reader.optionalText("hint"))
        }
    }
}

/// An object of a manifest that is being read.
private struct ManifestReader {
    private let content: JSONContent
    private let path: String

    init(_ content: JSONContent, path: String) {
        (self.content, self.path) = (content, path)
    }

    private func value(_ name: String) -> JSONContent? { content[ExactText(name)] }

    // Sums of two of them fit.
    private static let numbers = -(1 << 60)...(1 << 60)

    /// A whole number; `nil` where there is none.
    func number(_ name: String) throws(SplitFailure) -> Int? {
        guard let value = value(name), value != .null else { return nil }
        guard let number = value.integer, Self.numbers.contains(number) else { throw failure(name) }
        return number
    }

    /// A whole number that is not negative.
    func count(_ name: String) throws(SplitFailure) -> Int {
        guard let number = try number(name), number >= 0 else { throw failure(name) }
        return number
    }

    func text(_ name: String) throws(SplitFailure) -> String {
        guard let text = value(name)?.text else { throw failure(name) }
        return text
    }

    func optionalText(_ name: String) throws(SplitFailure) -> String? {
        guard let value = value(name), value != .null else { return nil }
        return try text(name)
    }

    func truth(_ name: String) throws(SplitFailure) -> Bool {
        guard case .boolean(let value)? = value(name) else { throw failure(name) }
        return value
    }

    func items(_ name: String) throws(SplitFailure) -> [ManifestReader] {
        guard case .array(let items)? = value(name) else { throw failure(name) }
        return items.map { ManifestReader($0, path: path) }
    }

    func texts(_ name: String) throws(SplitFailure) -> [String] {
        guard case .array(let items)? = value(name) else { throw failure(name) }
        let texts = items.compactMap(\.text)
        guard texts.count == items.count else { throw failure(name) }
        return texts
    }

    func failure(_ name: String) -> SplitFailure {
        SplitFailure(file: path, message: "is not a manifest of split captures: `\(name)` is missing or not valid")
    }
}
