internal import Accounts
internal import Documents
internal import Scenarios

/// A text of a file with its tree, its tokens and its names, as far as it can be read.
struct AnalysedFile: Sendable {
    /// The kinds of files that are understood here.
    enum Kind: Sendable {
        case account, scenario

        static let schemas: [Kind: DocumentSchema] = [
            .account: DocumentSchema(AccountSchema.schema),
            .scenario: DocumentSchema(ScenarioSchema.schema, definitions: ScenarioSchema.definitions),
        ]

        var schema: DocumentSchema { Self.schemas[self] ?? DocumentSchema(.anything) }
    }

    let path: String
    let positions: TextPositions
    let document: ParsedDocument
    /// `nil` for a file of others.
    let kind: Kind?
    private(set) var tokens: [TextToken] = []

    /// - Parameter isWalked: False if its tokens are not needed yet.
    init(path: String, positions: TextPositions, isWalked: Bool = true) {
        (self.path, self.positions) = (path, positions)
        document = YAMLParser.parse(bytes: positions.bytes, path: path, as: .scenario)
        kind = Self.kind(of: document, positions)
        if isWalked { walk() }
    }

    /// Finds the tokens.
    ///
    /// - Parameter places: The Unicode scalars whose tokens are wanted, in their order; `nil` for those of all.
    mutating func walk(at places: [Int]? = nil) {
        if let kind { tokens = TokenWalk.tokens(of: document.root, by: kind.schema, at: places) }
    }

    /// A file, or the text in its place; `nil` if it cannot be read.
    init?(path: String, over overlay: FileOverlay) {
        guard let bytes = try? overlay.bytes(path: path) else { return nil }
        self.init(path: path, positions: TextPositions(bytes))
    }

    // MARK: Kind

    private static let accountKeys: Set = ["account", "policy", "filters", "reject-flags", "rules"]
    private static let scenarioKeys: Set = ["scenario", "steps", "accounts"]

    /// The kind of a document: by its keys, and by the beginnings of its lines while it cannot be read.
    private static func kind(of document: ParsedDocument, _ positions: TextPositions) -> Kind? {
        let keys: Set<String>
        if let root = document.root {
            guard case .mapping(let entries) = root.content else { return nil }
            keys = Set(entries.map(\.key))
        } else {
            keys = beginnings(of: positions)
        }
        if !keys.isDisjoint(with: scenarioKeys) { return .scenario }
        return keys.isDisjoint(with: accountKeys) ? nil : .account
    }

    private static func beginnings(of positions: TextPositions) -> Set<String> {
        var words: Set<String> = []
        for number in 0..<positions.lineCount {
            let line = positions.bytes[positions.line(number)].drop { $0 == UInt8(ascii: "{") || $0 > 0x7F }
            let word = line.prefix { $0 == UInt8(ascii: "-") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
            if word.count < 20, line.dropFirst(word.count).first == UInt8(ascii: ":") {
                words.insert(String(decoding: word, as: UTF8.self))
            }
        }
        return words
    }

    // MARK: Tokens

    /// The token with a character, if one has it.
    func token(at scalar: Int) -> TextToken? {
        var (low, high) = (0, tokens.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if tokens[middle].range.lowerBound <= scalar { low = middle } else { high = middle }
        }
        guard tokens.indices.contains(low) else { return nil }
        // The end counts, so that a cursor behind a word is at the word.
        return tokens[low].range.lowerBound <= scalar && scalar <= tokens[low].range.upperBound ? tokens[low] : nil
    }

    /// The scalars of a token whose text is just that of the token; `nil` if it is written otherwise than it is read.
    func content(of token: TextToken) -> Range<Int>? {
        let source = positions.text(positions.bytes(ofScalars: token.range))
        if source.utf8.elementsEqual(token.text.utf8) { return token.range }
        let inner = source.unicodeScalars.dropFirst().dropLast()
        let first = source.unicodeScalars.first
        guard first == "'" || first == "\"", String(inner).utf8.elementsEqual(token.text.utf8) else { return nil }
        return token.range.lowerBound + 1..<token.range.upperBound - 1
    }

    // MARK: Accounts

    /// The values of the keys `account` and `accounts` of a scenario: paths of files, and accounts.
    var accountNodes: [Node] {
        guard kind == .scenario, let root = document.root else { return [] }
        var nodes = [root["account"]].compactMap(\.self)
        if case .mapping(let entries)? = root["accounts"]?.content { nodes += entries.map(\.value) }
        return nodes
    }

    /// The path of a file that the file names.
    func location(of name: String) -> String {
        if name.hasPrefix("/") { return name }
        return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + name
    }

    /// The paths of the account files that a scenario names.
    var accountFiles: [String] { accountNodes.compactMap(\.text).map(location) }
}
