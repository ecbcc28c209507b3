package import Documents
package import Figures
package import PolicyEngine

/// An assumption about the signals of some devices: `add safetynet-fail-profile to 2.5% of os-version="Android 13"`.
///
/// It changes the records of the devices before any account evaluates them, as if the platform had said something else of them.
package struct SignalAssumption: Sendable {
    /// As it was typed.
    package let text: String
    /// The place in a file that it was read from; `nil` where it was typed on a command line.
    package var place: SourcePlace?
    /// The change of each record.
    package let change: SignalChange
    /// The share of the devices that it is about.
    package let share: Percentage
    /// Selects these devices: each has at least one record that it selects.
    let expression: RecordExpression
    private let expressionText: String?
    // The change and the words of the expression, without the share and however they are quoted: devices are drawn by it.
    private let identity: String

    /// Reads an assumption.
    ///
    /// - Parameters:
    ///   - text: `add FLAG to DEVICES`, `remove FLAG from DEVICES` or `set KEY to VALUE of DEVICES`. DEVICES is a share such as `2.5%`,
    ///     an expression (``RecordExpression``), or `SHARE of EXPRESSION`.
    ///   - file: Reads a file that names a device ID on each line.
    /// - Throws: ``RecordExpressionError``.
    package init(
        _ text: String, file: (String) throws(RecordExpressionError) -> [String]
    ) throws(RecordExpressionError) {
        var parser = try AssumptionParser(text)
        change = try parser.change()
        let target = try parser.target(behind: change)
        self.text = text
        expressionText = target.expression
        share = target.share ?? .hundred
        expression =
            try target.expression.map { text throws(RecordExpressionError) in try RecordExpression(text, file: file) }
            ?? .not(.devices([]))
        identity =
            "\(change)|\(try ExpressionWord.words(of: target.expression ?? "").map(\.text).joined(separator: " "))"
    }

    /// True if it is about some of the devices only.
    package var isSampled: Bool { share < .hundred }

    /// True if a device is one of the share. A greater share has the devices of a smaller one, and so has each part of the devices.
    func draws(_ device: DeviceID) -> Bool {
        guard isSampled else { return true }
        let digest = Cryptography.sha256(of: Array("\(device)|\(identity)".utf8))
        return share.contains(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension SignalAssumption {
    /// The text without what it says of people.
    ///
    /// - Parameter redactor: Makes the names.
    package func redacted(by redactor: Redactor) -> String {
        let expression = expressionText.map { RedactedExpression.text($0, by: redactor) } ?? ""
        let target = text.dropLast(expressionText?.count ?? 0)
        guard case .set(let key, let value) = change else { return target + expression }
        return target.replacing(value, with: redactor.value(value, of: key)) + expression
    }
}

extension AssumptionFigures {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in parts.indices {
            let assumption = try? SignalAssumption(parts[index].text) { _ in [] }
            parts[index].text = assumption?.redacted(by: redactor) ?? redactor.text(parts[index].text)
        }
    }
}

/// Reads the words of an assumption.
private struct AssumptionParser {
    private let text: String
    private let words: [ExpressionWord]
    private var position = 0

    init(_ text: String) throws(RecordExpressionError) {
        (self.text, words) = (text, try ExpressionWord.words(of: text))
    }

    mutating func change() throws(RecordExpressionError) -> SignalChange {
        switch next() {
        case "add": return .add(try flag())
        case "remove": return .remove(try flag())
        case "set":
            let key = try named("the key of an attribute")
            guard !Self.fixed.contains(key) else {
                throw RecordExpressionError(
                    "`\(key)` cannot be set",
                    hint: "it says which device, app or time a record is of; other attributes can")
            }
            try expect("to")
            return .set(key: key, value: try named("a value"))
        default:
            throw RecordExpressionError(
                "an assumption begins with `add`, `remove` or `set`",
                hint: "such as `add safetynet-fail-profile to 2.5% of os-version=\"Android 13\"`")
        }
    }

    // The keys by which a record is counted, whatever filters look at.
    private static let fixed: Set = [
        "device-id", "time", "public-flags", "flags-all", "flags", "rejection-flags", "device", "appid", "app-version",
    ]
    // The flags that the engine sets.
    private static let decided: Set = ["did-ban", "did-unban", "new-did", "risky-device", "app-not-registered"]

    /// The devices that it is about.
    mutating func target(
        behind change: SignalChange
    ) throws(RecordExpressionError) -> (share: Percentage?, expression: String?) {
        switch change {
        case .add: try expect("to")
        case .remove: try expect("from")
        case .set: try expect("of")
        }
        let share = try share()
        guard share == nil || position < words.count else { return (share, nil) }
        if share != nil { try expect("of") }
        guard position < words.count else { throw RecordExpressionError("the devices are missing at the end") }
        return (share, String(text.dropFirst(words[position].start - 1)))
    }

    private mutating func share() throws(RecordExpressionError) -> Percentage? {
        guard position < words.count, !words[position].isQuoted, words[position].text.hasSuffix("%") else { return nil }
        let word = words[position].text
        guard let share = Percentage(word.dropLast()) else {
            throw RecordExpressionError("`\(word)` is no share", hint: "from 0% to 100%, with up to nine decimals")
        }
        position += 1
        return share
    }

    private mutating func flag() throws(RecordExpressionError) -> String {
        let name = try named("a flag")
        guard !Self.decided.contains(name) else {
            throw RecordExpressionError("`\(name)` is set by the service's decisions, and cannot be assumed")
        }
        return name
    }

    private mutating func named(_ kind: String) throws(RecordExpressionError) -> String {
        guard let word = next(), !word.isEmpty else { throw RecordExpressionError("\(kind) is missing") }
        return word
    }

    private mutating func expect(_ word: String) throws(RecordExpressionError) {
        let found = next()
        guard found == word else {
            throw RecordExpressionError(
                "`\(word)` is missing" + (found.map { " in front of `\($0)`" } ?? " at the end"))
        }
    }

    private mutating func next() -> String? {
        guard position < words.count else { return nil }
        position += 1
        return words[position - 1].text
    }
}
