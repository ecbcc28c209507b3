/// The message of libyaml when it cannot continue, in its own words.
struct YAMLFailure: Error {
    enum Origin {
        case position(SourcePosition)
        /// A byte, counted from 0.
        case byte(Int)
    }

    let problem: String
    /// The position at which libyaml gave up.
    let origin: Origin
    /// The activity of libyaml; empty if unknown.
    var context = ""
    /// The position at which that activity began.
    var contextPosition: SourcePosition?

    /// The wording of a problem of libyaml.
    private struct Wording {
        let message: String
        var hint: String?
        /// The construct that the problem is part of, if its beginning is worth naming.
        var whole: String?
        /// True if the mistake is where libyaml began rather than where it gave up.
        var isAtBeginning = false
    }

    /// The failure as a user reads it.
    ///
    /// - Parameter source: The file in which it happened.
    /// - Returns: An error at the character that is wrong.
    func diagnostic(in source: SourceFile) -> Diagnostic {
        let end = position(in: source)
        let wording = wording(at: end, in: source)
        var message = wording.message
        if let whole = wording.whole, let contextPosition {
            message += " of the \(whole) that starts in line \(contextPosition.line)"
        }
        let position = wording.isAtBeginning ? contextPosition ?? end : end
        return Diagnostic(in: source, at: position, message: message, hint: wording.hint)
    }

    private func wording(at end: SourcePosition, in source: SourceFile) -> Wording {
        let usual = Self.wordings[problem] ?? wordingByContext(at: end, in: source)
        guard let whole = usual.whole else { return usual }
        if problem.hasPrefix("did not find expected ','") {
            let isAtEnd = source.scalar(at: end) == nil && source.line(end.line + 1) == nil
            if isAtEnd { return Wording(message: "the \(whole) that starts here never ends", isAtBeginning: true) }
            let isBehindText = source.scalar(at: end).map(Self.brackets.contains) == true
            return isBehindText ? Wording(message: usual.message, hint: Self.quoteBrackets, whole: whole) : usual
        }
        let before = (source.line(end.line) ?? "").unicodeScalars.prefix(end.column - 1)
        let isBehindValue = before.contains { $0 != " " && $0 != "\t" }
        return isBehindValue ? Wording(message: "unexpected text behind a value", hint: Self.quoteAll) : usual
    }

    private static let brackets: [Unicode.Scalar] = ["{", "["]

    private static let quoteBrackets = "between braces or brackets, a value that holds `{`, `[` or `,` is put in quotes"

    private static let quoteAll = "put the whole value in quotes; in single quotes `''` stands for one"

    private func position(in source: SourceFile) -> SourcePosition {
        switch origin {
        case .position(let position): position
        case .byte(let offset): source.position(ofByte: offset)
        }
    }

    private func wordingByContext(at position: SourcePosition, in source: SourceFile) -> Wording {
        if context == "while scanning a quoted scalar", problem.hasPrefix("found unexpected") {
            return Wording(message: "the quoted text that starts here never ends", isAtBeginning: true)
        }
        if context == "while scanning an alias" || context == "while scanning an anchor" {
            let sign = context.hasSuffix("alias") ? "*" : "&"
            return Wording(
                message: "a value cannot start with `\(sign)`", hint: "put the text in quotes", isAtBeginning: true)
        }
        if context == "while scanning a tag" || context == "while parsing a tag" || problem.hasSuffix("tag handle") {
            return Wording(
                message: "tags are not supported", hint: "remove the tag, or put the text in quotes",
                isAtBeginning: true)
        }
        if problem == "found character that cannot start any token" {
            return Self.unusableStart(source.scalar(at: position))
        }
        let details = context.isEmpty ? problem : "\(problem) \(context)"
        return Wording(message: "this is not valid YAML: \(details)")
    }

    private static func unusableStart(_ scalar: Unicode.Scalar?) -> Wording {
        guard let scalar, scalar != "\t" else { return tab }
        return Wording(message: "a value cannot start with `\(scalar)`", hint: "put the text in quotes")
    }

    private static let tab = Wording(message: "a tab cannot indent", hint: "indent with spaces")

    private static let indentation = "check the indentation"

    private static let wordings: [String: Wording] = [
        "found a tab character that violates indentation": tab,
        "found a tab character where an indentation space is expected": tab,
        "control characters are not allowed": Wording(message: "control characters are not allowed"),
        "did not find expected ',' or ']'": Wording(message: "expected `,` or the `]`", whole: "list"),
        "did not find expected ',' or '}'": Wording(message: "expected `,` or the `}`", whole: "mapping"),
        "did not find expected key": Wording(message: "expected another key", hint: indentation, whole: "mapping"),
        "did not find expected '-' indicator": Wording(
            message: "expected another `-`", hint: indentation, whole: "list"),
        "could not find expected ':'": Wording(
            message: "this line has no `:` behind its key", hint: indentation, isAtBeginning: true),
        "mapping values are not allowed in this context": Wording(
            message: "a `:` is not allowed here", hint: "check the indentation, or put text that holds `: ` in quotes"),
        "mapping keys are not allowed in this context": Wording(
            message: "a key is not allowed here", hint: indentation),
        "block sequence entries are not allowed in this context": Wording(
            message: "a `-` is not allowed here", hint: "start the list in a line of its own"),
        "did not find expected node content": Wording(message: "expected a key or a value"),
        "did not find expected <document start>": Wording(
            message: "expected the end of the document", hint: indentation),
        "found unknown escape character": Wording(
            message: "unknown escape in quoted text", hint: "write `\\\\` for a backslash, or use single quotes"),
    ]
}
