package import Documents

/// Puts the parts of one whole together.
package enum PartialMerge {
    /// A file and what it holds.
    package struct Part: Sendable {
        /// The path as it was named.
        package let path: String
        package let result: PartialResult

        package init(path: String, result: PartialResult) {
            (self.path, self.result) = (path, result)
        }
    }

    /// Merges parts, in whatever order they are given.
    ///
    /// - Parameters:
    ///   - parts: At least one.
    ///   - count: The number of parts that there must be; `nil` takes what each of them says.
    ///   - diagnostics: Takes why they are not the parts of one whole: they must agree in all that was asked for, and each part
    ///     must be there once.
    /// - Returns: The whole; `nil` where they are not.
    package static func merge(
        _ parts: [Part], count: Int? = nil, diagnostics: inout Diagnostics
    ) -> PartialResult? {
        guard let first = parts.first else { return nil }
        var problems: [Diagnostic] = []
        if let count, first.result.origin.shard.count != count {
            let message = "this is one of \(first.result.origin.shard.count) parts, and there must be \(count)"
            problems.append(Diagnostic(file: first.path, message: message))
        }
        for other in parts.dropFirst() {
            if let message = difference(first, other) {
                problems.append(Diagnostic(file: other.path, message: message))
            }
        }
        if problems.isEmpty { problems = doubledAndMissing(parts) }
        diagnostics.add(problems)
        guard problems.isEmpty else { return nil }
        let sorted = parts.sorted { $0.result.origin.shard.number < $1.result.origin.shard.number }
        let whole = sorted.dropFirst().reduce(sorted[0].result) { $0.adding($1.result) }
        // Parts of captures that were split do not know of each other's apps.
        guard !whole.figures.contains(where: \.hasAppsBeyondLimit) else {
            diagnostics.add(
                Diagnostic(
                    file: first.path,
                    message: "the parts have more than \(Figures.appLimit.grouped) apps or app versions together",
                    hint: "`--shard` without `scenario split` counts those that came later together"))
            return nil
        }
        return whole
    }

    // Why two parts are not parts of one whole.
    private static func difference(_ first: Part, _ other: Part) -> String? {
        let (mine, its) = (first.result.origin, other.result.origin)
        func message(_ what: String, _ left: String, _ right: String) -> String {
            "\(what) \(right.quoted) here and \(left.quoted) in \(first.path.quoted)"
        }
        if mine.version != its.version { return message("the version is", mine.version, its.version) }
        if first.result.command != other.result.command {
            return message("the command is", first.result.command, other.result.command)
        }
        if mine.shard.count != its.shard.count {
            return "this is one of \(its.shard.count) parts, and \(first.path.quoted) one of \(mine.shard.count)"
        }
        if mine.account != its.account { return message("the account is", mine.account, its.account) }
        let names = (mine.settings + its.settings).map(\.name)
        for name in names {
            let left = mine.settings.filter { $0.name == name }.map(\.value)
            let right = its.settings.filter { $0.name == name }.map(\.value)
            guard left != right else { continue }
            if left.isEmpty { return "\(name) is given here and not in \(first.path.quoted)" }
            if right.isEmpty { return "\(name) is given in \(first.path.quoted) and not here" }
            return message("\(name) is", left.joined(separator: " "), right.joined(separator: " "))
        }
        return differing(mine.accounts, its.accounts).map {
            "\($0) differs from that in \(first.path.quoted), although the names are equal"
        }
    }

    // Accounts are named by a file or a commit, which may have changed between two parts.
    private static func differing(_ mine: [String], _ its: [String]) -> String? {
        guard mine.count == its.count else { return "the number of accounts" }
        let names = mine.count == 2 ? ["the account before the change", "the account after it"] : ["the account"]
        return zip(names, zip(mine, its)).first { $0.1.0 != $0.1.1 }?.0
    }

    private static func doubledAndMissing(_ parts: [Part]) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        var paths: [Int: String] = [:]
        for part in parts {
            let number = part.result.origin.shard.number
            if let known = paths.updateValue(part.path, forKey: number) {
                problems.append(
                    Diagnostic(
                        file: part.path,
                        message: "this is the part \(part.result.origin.shard), as \(known.quoted) is"))
            }
        }
        let count = parts[0].result.origin.shard.count
        let missing = (1...count).filter { paths[$0] == nil }
        guard !missing.isEmpty else { return problems }
        let named = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
        let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
        let there = parts.prefix(3).map { "\($0.path.quoted) is \($0.result.origin.shard)" }.joined(separator: ", ")
        return problems + [
            Diagnostic(
                file: parts[0].path, message: "parts are missing: \(named)\(rest)",
                hint: "\(there)\(parts.count > 3 ? ", …" : "")")
        ]
    }
}

extension PartialResult {
    // Those of each account.
    fileprivate var figures: [Figures] {
        switch content {
        case .replay(let part): [part.figures]
        case .comparison(let part): [part.comparison.before.figures, part.comparison.after.figures]
        }
    }

    // Parts of one command are of one kind.
    fileprivate func adding(_ other: PartialResult) -> PartialResult {
        var sum = self
        switch (content, other.content) {
        case (.replay(var mine), .replay(let its)):
            mine.add(its)
            sum.content = .replay(mine)
        case (.comparison(var mine), .comparison(let its)):
            mine.add(its)
            sum.content = .comparison(mine)
        default: preconditionFailure("parts of one command are of one kind")
        }
        return sum
    }
}
