internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// The words that may be typed at a place: keys and words of the schema, and names that only the files know.
struct Completion {
    /// A word that is offered.
    struct Offer: Hashable {
        let label: String
        /// A few words beside it; may be empty.
        var detail = ""
        /// The text that is put in.
        var text: String
        var kind = Kind.value

        init(_ label: String, _ detail: String = "", text: String? = nil, kind: Kind = .value) {
            (self.label, self.detail, self.text, self.kind) = (label, detail, text ?? label, kind)
        }

        /// The kind of a word, by its number in LSP.
        enum Kind: Int {
            case key = 10
            case value = 12
            case keyword = 14
            case name = 18
        }
    }

    let workspace: Workspace
    let place: CursorPlace
    private let schema: DocumentSchema

    init?(_ file: AnalysedFile, byte: Int, in workspace: Workspace) {
        guard let kind = file.kind, let place = CursorPlace(file, byte: byte) else { return nil }
        (self.workspace, self.place, schema) = (workspace, place, kind.schema)
    }

    /// The words, and the part of what is typed that they replace.
    var result: (offers: [Offer], typed: String) {
        let forms = place.forms(schema)
        if place.token.isKey {
            let typed = place.typed
            return (
                keys(of: forms) + schema.keyUses(of: forms).flatMap { names($0, text: typed) }.map(\.asKey), typed
            )
        }
        // Behind `filter:` no flag can follow.
        let prefix = place.typed.hasPrefix("filter:") ? "filter:" : ""
        let uses = schema.uses(of: forms).filter { prefix.isEmpty || $0.kind == .rejection }
        if uses.contains(where: { $0.kind == .command }) { return command }
        if uses.contains(where: { $0.kind == .policy }) { return policy }
        var offers = schema.words(of: forms).map { Offer($0, kind: .keyword) }.filter { !isFlag($0.label) }
        offers += uses.flatMap { names($0, text: place.typed) }
        // A mapping may begin here.
        let isAlone = place.typed.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "-" }
        if isAlone, place.rest.isEmpty { offers += keys(of: forms) }
        var seen: Set<String> = []
        return (offers.filter { seen.insert($0.label).inserted }, String(place.typed.dropFirst(prefix.count)))
    }

    private func isFlag(_ word: String) -> Bool { FlagCatalogue().namedFlag(word) != nil }

    // Without those that the mapping has.
    private func keys(of forms: [Int]) -> [Offer] {
        var path = place.token.path
        if place.token.isKey { path.removeLast() }
        let node = place.document.document.root.flatMap { root in
            path.reduce(Optional(root)) { node, step in node?[step] }
        }
        var given: Set<String> = []
        if case .mapping(let entries)? = node?.content { given = Set(entries.map(\.key)) }
        return schema.keys(of: forms).filter { !given.contains($0.name) }
            .map { Offer($0.name, $0.summary ?? "", text: "\($0.name): ", kind: .key) }
    }

    // MARK: Names

    private var accounts: [Account] { workspace.accounts(of: place.document) }

    private func declared(_ kind: NameKind) -> [String] {
        place.document.names.filter { $0.kind == kind && $0.isDeclaration }.map(\.name)
    }

    private func names(_ use: NameUse, text: String) -> [Offer] {
        guard !use.isDeclaration else { return [] }
        switch use.kind {
        case .flag: return flags
        case .filter: return filters
        case .rejection:
            return text.hasPrefix("filter:")
                ? filters : flags + filters.map { Offer("filter:\($0.label)", $0.detail, kind: .name) }
        case .metric: return filters.flatMap { [Offer("filter-\($0.label)"), Offer("rejection-filter-\($0.label)")] }
        case .group:
            return declared(.group).map { Offer($0, "group", text: Self.scalar($0), kind: .name) } + [
                Offer("all", "every group")
            ]
        case .groupOrDevice:
            return declared(.group).map { Offer($0, "group", text: Self.scalar($0), kind: .name) } + devices
        case .account: return declared(.account).map { Offer($0, "account", text: Self.scalar($0), kind: .name) }
        case .device: return devices
        case .domain: return domains
        case .attribute: return InformationKeys.all.map { Offer($0, "attribute", kind: .name) }
        default: return []
        }
    }

    private static func scalar(_ text: String) -> String { ScalarText.write(text, isInFlow: true) }

    private var flags: [Offer] {
        var seen: Set<String> = []
        return (accounts.map(\.catalogue) + [FlagCatalogue()]).flatMap { catalogue in
            catalogue.flags.prefix(catalogue.namedCount).map { Offer($0.name, $0.meaning, kind: .name) }
        }.filter { seen.insert($0.label).inserted }
    }

    private var filters: [Offer] {
        let known = accounts.flatMap(\.filters).map { Offer($0.name, "filter on \($0.key ?? "others")", kind: .name) }
        return known
            + declared(.filter).filter { name in !known.contains { $0.label == name } }.map {
                Offer($0, "filter", kind: .name)
            }
    }

    private var devices: [Offer] {
        accounts.flatMap(\.devices).map { Offer($0.id.description, $0.label ?? "device entry", kind: .name) }
    }

    private var domains: [Offer] {
        accounts.flatMap(\.apiDomains).map { Offer($0.name, "API domain", kind: .name) }
    }

    // MARK: Policies

    // A part behind each comma; flags are joined by `+`.
    private var policy: (offers: [Offer], typed: String) {
        let parts = place.typed.split(separator: ",", omittingEmptySubsequences: false)
        let last = String(parts.last ?? "")
        switch parts.count {
        case 0, 1:
            let rules = [SecurityPolicy.defaultRules] + accounts.flatMap(\.declaredRules)
            return (rules.map { Offer($0, "rules") }, last)
        case 2: return (RejectionPreset.allCases.map { Offer($0.rawValue, $0.summary) }, last)
        default:
            let typed = last.split(separator: "+", omittingEmptySubsequences: false).last.map(String.init) ?? ""
            let presets = last.contains("+") ? [] : AnnotationPolicy.presetNames.map { Offer($0, "annotation") }
            return (presets + flags, typed)
        }
    }

    // MARK: Commands

    private var command: (offers: [Offer], typed: String) {
        let words = place.typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let (before, last) = (words.dropLast().filter { !$0.isEmpty }, words.last ?? "")
        guard let topic = before.first(where: { $0 != "$" && $0 != "approov" }) else {
            return (CommandGrammar.topics.map { Offer($0.topic, "management command") }, last)
        }
        guard let grammar = CommandGrammar.topics.first(where: { $0.topic == topic }) else { return ([], last) }
        switch (topic, before.last) {
        case ("filter", "-remove"): return (filters, last)
        case ("filter", "-key"): return (names(NameUse(.attribute), text: ""), last)
        case ("filter", "-conjunction"):
            return (filters, last.split(separator: "+", omittingEmptySubsequences: false).last.map(String.init) ?? "")
        case ("api", "-remove"): return (domains, last)
        default: break
        }
        switch grammar.words.first(where: { $0.name == before.last })?.operand {
        case .flag: return (flags, last)
        case .words(let words): return (words.map { Offer($0, kind: .keyword) }, last)
        case .policy:
            let parts = last.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return ([], last) }
            return (RejectionPreset.allCases.map { Offer($0.rawValue, $0.summary) }, String(parts[1]))
        default: return (grammar.words.map { Offer($0.name, kind: .keyword) }, last)
        }
    }
}

extension Completion.Offer {
    fileprivate var asKey: Completion.Offer { Completion.Offer(label, detail, text: "\(text): ", kind: kind) }
}

extension Node {
    /// The value behind a step; `nil` where there is none.
    subscript(step: DocumentStep) -> Node? {
        switch (step, content) {
        case (.key(let key), .mapping): self[key]
        case (.item(let index), .sequence(let items)) where items.indices.contains(index): items[index]
        default: nil
        }
    }
}

/// The place in a document at which something is being typed, also while the document cannot be read.
struct CursorPlace {
    /// The token that is being typed.
    let token: TextToken
    /// The part of its text before the cursor.
    let typed: String
    /// The part of its text behind the cursor.
    let rest: String
    /// The document with a word at the cursor, so that it can be read.
    let document: AnalysedFile

    // A word that nobody writes.
    private static let mark = "qZcursorZq"

    /// Finds the place: a word is put there that makes the document readable in one of several forms.
    init?(_ file: AnalysedFile, byte: Int) {
        guard let kind = file.kind else { return nil }
        let line = file.positions.line(file.positions.line(ofByte: byte))
        let closing = Self.closing(file.positions.text(line.lowerBound..<max(line.lowerBound, byte)))
        for suffix in ["", ":"] + (closing.isEmpty ? [] : [closing, ":" + closing]) {
            let word = Self.mark + suffix
            let bytes = Array(file.positions.bytes[..<byte]) + Array(word.utf8) + file.positions.bytes[byte...]
            let tried = AnalysedFile(path: file.path, positions: TextPositions(bytes))
            guard tried.kind == kind, tried.document.root != nil,
                let token = tried.tokens.first(where: { $0.text.contains(Self.mark) }),
                let range = token.text.range(of: Self.mark)
            else { continue }
            self.token = token
            typed = String(token.text[..<range.lowerBound])
            rest = String(token.text[range.upperBound...])
            document = tried
            return
        }
        return nil
    }

    /// The forms that the value may have that is being typed, or the mapping whose key is being typed.
    func forms(_ schema: DocumentSchema) -> [Int] {
        var forms = schema.root
        for step in token.isKey ? token.path.dropLast() : token.path[...] {
            switch step {
            case .key(let key): forms = schema.value(of: key, in: forms).forms
            case .item: forms = schema.items(of: forms)
            }
        }
        return forms
    }

    // The brackets and braces that are open on a line.
    private static func closing(_ text: String) -> String {
        var (open, quote): ([Character], Character?) = ([], nil)
        for character in text {
            if let current = quote {
                if character == current { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "{" || character == "[" {
                open.append(character)
            } else if character == "}" || character == "]" {
                _ = open.popLast()
            }
        }
        return (quote.map(String.init) ?? "") + open.reversed().map { $0 == "{" ? "}" : "]" }.joined()
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}
