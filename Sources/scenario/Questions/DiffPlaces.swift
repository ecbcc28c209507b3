internal import Documents
internal import Replay
internal import Reports

extension ChangePlaces {
    /// The places of the change that a command line makes.
    ///
    /// - Parameter redactor: Hides what commands say of people; `nil` shows it.
    static func find(_ arguments: ParsedArguments, redactor: Redactor?) -> ChangePlaces {
        let account = arguments.files(of: Options.account).first
        if let path = arguments[Options.changes] {
            return ChangePlaces(file: path, lines: lines(of: path).filter(\.isCommand))
        }
        if let path = arguments[ChangeOptions.candidate] {
            return ChangePlaces(file: path, lines: changed(from: account.map(lines) ?? [], to: lines(of: path)))
        }
        if let account, let before = arguments[CommittedAccounts.base] {
            let after = CommittedAccounts.commitAfter(arguments).map { lines(of: account, at: $0) }
            return ChangePlaces(
                file: account, lines: changed(from: lines(of: account, at: before), to: after ?? lines(of: account)))
        }
        return ChangePlaces(
            file: account, words: ReportOrigins.words(arguments, of: [Options.policy, Options.change], redactor))
    }

    // The lines of a text that another one has not; of lines that were taken out, the one behind them.
    private static func changed(from old: [Line], to new: [Line]) -> [Line] {
        let difference = new.map(\.text).difference(from: old.map(\.text))
        let added = difference.insertions.compactMap { change -> Line? in
            if case .insert(let offset, _, _) = change { new[offset] } else { nil }
        }
        guard added.isEmpty, let last = new.last else { return added }
        return difference.removals.prefix(1).compactMap { change in
            if case .remove(let offset, _, _) = change {
                new.indices.contains(offset) ? new[offset] : last
            } else {
                nil
            }
        }
    }

    private static func lines(of path: String) -> [Line] { lines(try? TextFile.bytes(path: path)) }

    private static func lines(of path: String, at commit: String) -> [Line] {
        lines(try? GitRepository.bytes(of: path, at: commit))
    }

    // A file that cannot be read was reported.
    private static func lines(_ bytes: [UInt8]?) -> [Line] {
        (bytes ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            Line(number: $0 + 1, text: String(decoding: $1, as: UTF8.self))
        }
    }
}

extension ChangePlaces.Line {
    // True for a line of a file of changes that is a command.
    fileprivate var isCommand: Bool {
        let first = text.first { !$0.isWhitespace }
        return first != nil && first != "#"
    }
}
