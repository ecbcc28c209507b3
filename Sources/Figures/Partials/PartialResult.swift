internal import Documents
package import PolicyEngine

/// The result of one part of a replay or a comparison, and the whole that it is a part of: several machines write such files,
/// and `scenario merge` makes a report of them.
///
/// A file of two lines: a JSON object, and the SHA-256 of its line. So a file that was cut is refused.
package struct PartialResult: Sendable {
    /// The whole that it is a part of.
    package var origin: Origin
    /// The counts of the part.
    package var content: Content

    /// Held by reference: a part has hundreds of fields, and every copy of it would be compiled field by field.
    package indirect enum Content: Sendable {
        case replay(ReplayPart)
        case comparison(ComparisonPart)
    }

    /// The properties that must be the same for all parts of one whole, and the part's own number.
    package struct Origin: Hashable, Sendable {
        /// The version of the tool.
        package var version: String
        /// Which devices.
        package var shard: DeviceShard
        /// The name of the account; empty where it has none.
        package var account: String
        /// The digest of the account, or of the one before a change and the one after it.
        package var accounts: [String]
        /// The settings that were asked for.
        package var settings: [Setting]
        /// The command as it was typed, for the report of the whole.
        package var typed: TypedCommand

        package init(
            version: String, shard: DeviceShard, account: String, accounts: [String] = [], settings: [Setting],
            typed: TypedCommand = TypedCommand()
        ) {
            (self.version, self.shard, self.account, self.accounts) = (version, shard, account, accounts)
            (self.settings, self.typed) = (settings, typed)
        }
    }

    /// The command as a machine that does all parts would be given it. It may differ from part to part, as paths do.
    package struct TypedCommand: Figure, Hashable {
        /// The captures.
        package var captures: [CaptureIdentity] = []
        /// The options with their values, in the order of the command's help.
        package var options: [Setting] = []
        /// The files that options name, in that order.
        package var files: [CaptureIdentity] = []

        package static let fields: [FigureField<TypedCommand>] = [
            .value("captures", \.captures), .value("options", \.options), .value("files", \.files),
        ]

        package init() {}

        /// The first capture without a digest of the whole: it was split by ranges of bytes.
        package var undigested: CaptureIdentity? { captures.first { $0.bytes != nil && $0.digest == nil } }
    }

    /// Something that was asked for, such as `--policy`, and what.
    package struct Setting: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The command that made it.
    var command: String {
        switch content {
        case .replay: "replay"
        case .comparison: "diff"
        }
    }

    package init(origin: Origin, content: Content) {
        (self.origin, self.content) = (origin, content)
    }

    // The version of the form.
    private static let form = 3
}

extension PartialResult {
    /// The file; equal results give equal bytes.
    package var bytes: [UInt8] {
        let line = document.bytes
        return line + Array("\n\(Self.digest(line))\n".utf8)
    }

    private var document: JSONValue {
        var members = [
            ("scenario-partial", Self.form.partial), ("version", origin.version.partial),
            ("shard", origin.shard.number.partial), ("shards", origin.shard.count.partial),
            ("account", origin.account.partial), ("accounts", origin.accounts.partial),
            ("settings", origin.settings.partial), ("typed", origin.typed.partial),
        ]
        switch content {
        case .replay(let part): members.append(("replay", part.partial))
        case .comparison(let part): members.append(("comparison", part.partial))
        }
        return .ordered(members)
    }

    /// Reads a file.
    ///
    /// - Throws: ``PartialFailure``, where it is none, was cut or changed, or has another form.
    package init(_ bytes: [UInt8]) throws(PartialFailure) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty else {
            throw PartialFailure(message: "not a partial result, as `--partial` writes it, or it was cut")
        }
        let line = Array(lines[0])
        guard String(decoding: lines[1], as: UTF8.self) == Self.digest(line) else {
            throw PartialFailure(message: "not a partial result, or it was cut or changed: its SHA-256 is another one")
        }
        let content = try JSONContent.partial(line)
        let form: Int? = content.member("scenario-partial")
        guard form == Self.form else { throw .form(form, read: Self.form) }
        guard let origin = Origin(content) else {
            throw PartialFailure(message: "does not say which part of which whole it is")
        }
        self.origin = origin
        self.content =
            if let replay = content["replay"] {
                .replay(try .read(replay))
            } else {
                .comparison(try .read(content["comparison"] ?? .null))
            }
    }

    private static func digest(_ line: [UInt8]) -> String { "sha256:" + FileDigest(of: line).text }
}

extension PartialResult.Origin {
    fileprivate init?(_ content: JSONContent) {
        guard let version: String = content.member("version"), let number: Int = content.member("shard"),
            let count: Int = content.member("shards"), let shard = DeviceShard(number: number, of: count),
            let account: String = content.member("account"), let accounts: [String] = content.member("accounts"),
            let settings: [PartialResult.Setting] = content.member("settings"),
            let typed: PartialResult.TypedCommand = content.member("typed")
        else { return nil }
        self.init(
            version: version, shard: shard, account: account, accounts: accounts, settings: settings, typed: typed)
    }
}

extension PartialResult.Setting: FigureValue {
    package var partial: JSONValue { .array([name.partial, value.partial]) }

    package init?(partial content: JSONContent) {
        guard let (name, value): (String, String) = content.pair() else { return nil }
        self.init(name: name, value: value)
    }
}
