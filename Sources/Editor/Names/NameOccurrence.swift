internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

/// A name in a document, and where it is.
struct NameOccurrence: Sendable {
    let kind: NameKind
    let name: String
    /// The Unicode scalars of the name alone; `nil` where it is written otherwise than it is read.
    let range: Range<Int>?
    let isDeclaration: Bool
}

extension AnalysedFile {
    /// All names of the file, in the order of the text.
    var names: [NameOccurrence] { tokens.flatMap(names) }

    /// The name at a character; `nil` if there is none.
    func name(at scalar: Int) -> NameOccurrence? {
        guard let token = token(at: scalar) else { return nil }
        let names = names(in: token)
        if let exact = names.first(where: { $0.range.map { $0.contains(scalar) || $0.upperBound == scalar } ?? false })
        {
            return exact
        }
        return names.count == 1 && names[0].range == nil ? names[0] : nil
    }

    /// The names in a token.
    func names(in token: TextToken) -> [NameOccurrence] {
        let kinds = Set(token.uses.map(\.kind))
        guard !kinds.isEmpty else { return [] }
        let reader = NameReader(text: token.text, content: content(of: token))
        if kinds.contains(.command) { return reader.namesOfCommand() }
        if kinds.contains(.rejection) { return reader.namesOfRejection() }
        if kinds.contains(.metric) { return reader.namesOfMetric() }
        if kinds.contains(.policy) { return reader.namesOfPolicy() }
        guard let use = token.uses.first(where: { NameReader.whole.contains($0.kind) }) else { return [] }
        return reader.whole(use)
    }
}

/// Finds the names in the text of a token.
private struct NameReader {
    let text: String
    /// The Unicode scalars at which that text is.
    let content: Range<Int>?

    /// The kinds of names that are a text of their own.
    static let whole: Set<NameKind> = [
        .filter, .group, .groupOrDevice, .flag, .account, .domain, .device, .attribute, .accountFile,
    ]

    private func part(_ name: some StringProtocol, from offset: Int, _ kind: NameKind, declares: Bool = false)
        -> NameOccurrence
    {
        let range = content.map { $0.lowerBound + offset..<$0.lowerBound + offset + name.unicodeScalars.count }
        return NameOccurrence(kind: kind, name: String(name), range: range, isDeclaration: declares)
    }

    private func end(_ name: some StringProtocol, _ kind: NameKind) -> NameOccurrence {
        part(name, from: text.unicodeScalars.count - name.unicodeScalars.count, kind)
    }

    func whole(_ use: NameUse) -> [NameOccurrence] {
        var kind = use.kind
        if kind == .groupOrDevice { kind = DeviceID(text) == nil ? .group : .device }
        // Not a group, but all of them.
        guard kind != .group || text != "all" else { return [] }
        return [part(text, from: 0, kind, declares: use.isDeclaration)]
    }

    func namesOfRejection() -> [NameOccurrence] {
        if text.hasPrefix("filter:") { return [end(text.dropFirst("filter:".count), .filter)] }
        return text.hasPrefix("policy:") ? [] : [part(text, from: 0, .flag)]
    }

    func namesOfMetric() -> [NameOccurrence] {
        let prefix = Metric.windowPrefixes.first(where: text.hasPrefix) ?? ""
        let rest = text.dropFirst(prefix.count)
        for (start, kind) in [
            ("filter-", NameKind.filter), ("rejection-filter-", .filter), ("rejection-flag-", .flag),
            ("pass-flag-", .flag), ("fail-flag-", .flag),
        ] where rest.hasPrefix(start) {
            return [end(rest.dropFirst(start.count), kind)]
        }
        return []
    }

    func namesOfPolicy() -> [NameOccurrence] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, !AnnotationPolicy.presetNames.contains(String(parts[2])) else { return [] }
        var offset = parts[0].unicodeScalars.count + parts[1].unicodeScalars.count + 2
        return parts[2].split(separator: "+", omittingEmptySubsequences: false).map { flag in
            defer { offset += flag.unicodeScalars.count + 1 }
            return part(flag, from: offset, .flag)
        }
    }

    // MARK: Commands

    func namesOfCommand() -> [NameOccurrence] {
        guard let words = CommandText(text), let topic = words.all.first else { return [] }
        var names: [NameOccurrence] = []
        for (option, value) in words.options {
            switch (topic.text, option) {
            case ("filter", "-add"): names.append(name(value, .filter, declares: true))
            case ("filter", "-remove"): names.append(name(value, .filter))
            case ("filter", "-key"): names.append(name(value, .attribute))
            case ("filter", "-conjunction"):
                var offset = value.offset
                for input in value.text.split(separator: "+", omittingEmptySubsequences: false) {
                    names.append(name(CommandText.Word(text: String(input), offset: offset), .filter))
                    offset = offset.map { $0 + input.unicodeScalars.count + 1 }
                }
            case ("policy", "-addRejectFlag"), ("policy", "-removeRejectFlag"): names.append(name(value, .flag))
            case ("api", "-add"): names.append(name(value, .domain, declares: true))
            case ("api", "-remove"): names.append(name(value, .domain))
            default: break
            }
        }
        return names
    }

    private func name(_ word: CommandText.Word, _ kind: NameKind, declares: Bool = false) -> NameOccurrence {
        guard let offset = word.offset else {
            return NameOccurrence(kind: kind, name: word.text, range: nil, isDeclaration: declares)
        }
        return part(word.text, from: offset, kind, declares: declares)
    }
}
