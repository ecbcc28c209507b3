internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// The meaning of what a client points at, in Markdown.
struct Hover {
    let file: AnalysedFile
    let workspace: Workspace
    /// The counts of the file, an account, in captures; `nil` for none.
    var matches: MatchCountWork.Outcome?

    /// The words on a character, and the scalars that they are about; `nil` if there is nothing to say.
    func words(at scalar: Int) -> (text: String, range: Range<Int>)? {
        guard let token = file.token(at: scalar) else { return nil }
        if let (text, range) = wordsOfPolicy(token, at: scalar) { return (text, range) }
        if let name = file.name(at: scalar), let text = words(on: name) { return (text, name.range ?? token.range) }
        if let filter = regexFilter(token), let text = wordsOnFilter(filter) { return (text, token.range) }
        if token.uses.contains(where: { $0.kind == .command }), let text = wordsOfCommand(token) {
            return (text, token.range)
        }
        if !token.isKey, token.uses.contains(where: { $0.kind == .duration }), let text = Self.duration(token.text) {
            return (text, token.range)
        }
        guard token.isKey, let kind = file.kind else { return nil }
        return (words(onKey: token, kind.schema), token.range)
    }

    // MARK: Names

    private func words(on name: NameOccurrence) -> String? {
        switch name.kind {
        case .flag: wordsOnFlag(name.name)
        case .filter: wordsOnFilter(name.name)
        case .group: wordsOnGroup(name.name)
        case .attribute:
            InformationKeys.all.contains(name.name)
                ? "attribute \(name.name.quoted): the service collects it from every device" : nil
        case .device:
            workspace.accounts(of: file).lazy.flatMap(\.devices).first { $0.id.description == name.name }.map {
                "device \(name.name.quoted)" + ($0.label.map { ", \($0)" } ?? "") + ": it has an entry in the account"
            }
        default: nil
        }
    }

    private func wordsOnFlag(_ name: String) -> String? {
        let catalogues = workspace.accounts(of: file).map(\.catalogue) + [FlagCatalogue()]
        guard let catalogue = catalogues.first(where: { $0.namedFlag(name) != nil }),
            let flag = catalogue.namedFlag(name)
        else { return nil }
        let row = catalogue[flag]
        var lines = ["**flag \(name.quoted)** (R2.1)" + (row.meaning.isEmpty ? "" : ": \(row.meaning).")]
        if row.isRisk { lines.append("It makes the device risky (R10, step 6).") }
        let presets = RejectionPreset.allCases.compactMap { preset -> String? in
            let policy = RejectionPolicy(preset: preset)
            guard policy.anyRejecting.contains(flag) else { return nil }
            return preset.rawValue.quoted + (policy.rejecting.contains(flag) ? "" : " (unless `xposed` is set, too)")
        }
        if !presets.isEmpty {
            lines.append("Presets that reject on it: \(presets.joined(separator: ", ")).")
        }
        return lines.joined(separator: "\n\n")
    }

    private func wordsOnFilter(_ name: String) -> String? {
        let filter = workspace.accounts(of: file).lazy.flatMap(\.filters).first { $0.name == name }
        guard let filter else { return nil }
        let test =
            switch filter.test {
            case .exact(let key, let value): "\(key.quoted) is \(value.quoted)"
            case .regex(let key, let pattern): "the regex \(pattern.source.quoted) is found in \(key.quoted)"
            case .conjunction(let inputs): "all of these match: \(inputs.map(\.quoted).joined(separator: ", "))"
            }
        let options = FilterOption.all.filter { filter.options.contains($0.option) }.map(\.key)
        return "**filter \(name.quoted)** (R7) matches where \(test)."
            + (options.isEmpty ? "" : "\n\nThen it has the effect of \(options.map(\.quoted).joined(separator: ", ")).")
            + (matches?.words(onFilter: name).map { "\n\n" + $0 } ?? "")
    }

    // The name of the filter of an account whose regex a token is.
    private func regexFilter(_ token: TextToken) -> String? {
        guard file.kind == .account, !token.isKey, token.path.count == 3, token.path.first == .key("filters"),
            token.path.last == .key("regex")
        else { return nil }
        let name = token.path.dropLast() + [.key("name")]
        return file.tokens.first { !$0.isKey && $0.path[...] == name }?.text
    }

    private func wordsOnGroup(_ name: String) -> String? {
        guard let node = file.document.root?["devices"]?[name] else { return nil }
        let count = node["count"]?.text ?? "1"
        return "**group \(name.quoted)** has \(count == "1" ? "one device" : "\(count) devices")"
            + (node["os"]?.text.map { " on \($0)" } ?? "") + "."
    }

    // MARK: Policies and commands

    // Only the rejection part has a meaning that no account changes.
    private func wordsOfPolicy(_ token: TextToken, at scalar: Int) -> (String, Range<Int>)? {
        guard !token.isKey, token.uses.contains(where: { $0.kind == .policy }), let content = file.content(of: token)
        else { return nil }
        let parts = token.text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        let lower = content.lowerBound + parts[0].unicodeScalars.count + 1
        let range = lower..<lower + parts[1].unicodeScalars.count
        guard range.contains(scalar) || range.upperBound == scalar,
            let preset = RejectionPreset(rawValue: String(parts[1]))
        else { return nil }
        return ("**rejection policy \(preset.rawValue.quoted)** (R4.2): \(preset.summary).", range)
    }

    private func wordsOfCommand(_ token: TextToken) -> String? {
        guard let words = CommandText(token.text)?.all, let topic = words.first?.text,
            let grammar = CommandGrammar.topics.first(where: { $0.topic == topic })
        else { return nil }
        let actions = grammar.words.map(\.name.quoted).joined(separator: ", ")
        return "**management command \(topic.quoted)**: it takes \(actions)."
    }

    // MARK: Keys and durations

    private func words(onKey token: TextToken, _ schema: DocumentSchema) -> String {
        var lines = ["**\(token.text)**" + (schema.summary(of: token.forms).map { ": \($0)" } ?? "")]
        let words = schema.words(of: token.forms)
        if !words.isEmpty, words.count <= 20 {
            lines.append("One of \(words.map(\.quoted).joined(separator: ", ")).")
        }
        return lines.joined(separator: "\n\n")
    }

    /// A duration in full: `1h30m` is 1 hour 30 minutes, 5 400 seconds.
    static func duration(_ text: String) -> String? {
        guard let seconds = try? DurationText.parse(text) else { return nil }
        let units = [("year", 365 * 86_400), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)]
        var rest = seconds
        let parts = units.compactMap { name, length -> String? in
            let count = rest / length
            rest %= length
            return count == 0 ? nil : count.counting(name)
        }
        let whole = parts.isEmpty ? "0 seconds" : parts.joined(separator: " ")
        return seconds < 60 ? whole : "\(whole), \(seconds.counting("second")) in all"
    }
}
