internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// The options by which a command takes some records of captures only.
enum NarrowingOptions {
    /// The option for the devices.
    static let only = Option(
        "--only", "Take only devices with at least one attestation that EXPR selects, as `scenario search` has them.",
        .texts("EXPR"), in: .records, relations: [notSince])

    /// The option for the span of time.
    static let between = Option(
        "--between", "Take only attestations from the instant A on and before B, either of which may be left out.",
        .text("A..B"), in: .records,
        relations: [.excludes([Options.fetches.given], hint: "fetches may have no time"), notSince])

    private static let notSince = OptionRelation.excludes(
        [GroupOptions.since.given], hint: "`\(GroupOptions.since.name)` compares all devices of two captures")

    /// Both.
    static let all: [any CommandOption] = [only, between]

    // Forms that cannot say what was left out.
    private static let forms: Set = ["openmetrics", "summary-mail"]

    /// The narrowing that the arguments ask for; `nil` for none, and for captures that were narrowed so before.
    ///
    /// - Parameter takesLabels: True if the command takes labels.
    static func narrowing(
        _ arguments: ParsedArguments, takesLabels: Bool = true
    ) throws(CommandFailure) -> CaptureNarrowing? {
        guard let option = all.first(where: arguments.isSet), arguments.captures?.areNarrowed != true else {
            return nil
        }
        try checkForms(arguments)
        if arguments.isSet(only) { try ExpressionOptions.refuseOpenExpression(arguments, of: only) }
        if arguments.isSet(PartialOptions.partial), arguments[only].contains(where: { $0.contains("did:@") }) {
            throw .usage(
                "`\(only.name)` with a file of devices cannot be combined with `\(PartialOptions.partial.name)`",
                hint: "parts are compared by their options, which do not say what the file holds")
        }
        let expressions = try arguments[only].map { text throws(CommandFailure) in
            try ExpressionOptions.expression(text, of: only, within: arguments.reach)
        }
        if expressions.contains(where: \.needsLabels), !arguments.isSet(LabelOptions.labels) {
            throw .usage(
                "`\(only.name)` with a label needs `\(LabelOptions.labels.name)`"
                    + (takesLabels ? "" : ", which this command does not have"))
        }
        if !expressions.isEmpty { try refuseReadOnce(arguments, for: only) }
        let span = try span(arguments)
        return CaptureNarrowing(from: span.from, to: span.to, expressions: expressions, option: option.name)
    }

    /// Refuses forms that cannot say what a report was narrowed to.
    static func checkForms(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let option = all.first(where: arguments.isSet),
            let form = arguments.words(named: Options.formatName).first(where: forms.contains)
        else { return }
        throw .usage(
            "`\(option.name)` cannot be combined with `\(Options.formatName) \(form)`",
            hint: "the form does not say what was left out")
    }

    /// Refuses captures that can be read once only, for an option that reads them more often.
    static func refuseReadOnce(
        _ arguments: ParsedArguments, for option: any CommandOption
    ) throws(CommandFailure) {
        let isPipe = arguments.captures == nil && arguments.operands.contains { FileLocation($0).isOpenPipe }
        let refusal = arguments.operands.contains("-") ? "standard input" : isPipe ? "a pipe" : nil
        guard let refusal else { return }
        throw .usage(
            "`\(option.name)` reads captures twice, and \(refusal) can be read once only",
            hint: "`cat > capture.jsonl` writes it into a file, which is read as often as needed")
    }

    private static func span(_ arguments: ParsedArguments) throws(CommandFailure) -> (from: Instant?, to: Instant?) {
        guard let text = arguments[between] else { return (nil, nil) }
        let refusal = CommandFailure.usage(
            "`\(between.name)` takes two instants with `..` between them, not \(text.asTyped)",
            hint: "such as `2020-07-23T10:00:00Z..2020-07-23T12:00:00Z`, or one of them with `..` on its side")
        guard let dots = text.firstRange(of: "..") else { throw refusal }
        let ends = try [text[..<dots.lowerBound], text[dots.upperBound...]].map {
            end throws(CommandFailure) -> Instant? in
            if end.isEmpty { return nil }
            guard let instant = Instant(rfc3339: String(end)) else { throw refusal }
            return instant
        }
        guard ends.contains(where: { $0 != nil }) else { throw refusal }
        if let from = ends[0], let to = ends[1], to <= from {
            throw .usage(
                "`\(between.name)` ends at \(to), which is not after its start at \(from)",
                hint: "the second instant is the first one that is left out")
        }
        return (ends[0], ends[1])
    }

    /// The options that narrow captures to a span of time and to devices, with their values.
    ///
    /// - Parameter expressions: The expressions that select attestations.
    static func words(from: Instant?, to: Instant?, expressions: [String]) -> [String] {
        let span = from == nil && to == nil ? nil : "\(from?.description ?? "")..\(to?.description ?? "")"
        return (span.map { ["\(between.name)=\($0)"] } ?? []) + expressions.map { "\(only.name)=\($0)" }
    }

    /// The narrowing that a report names; `nil` for none.
    static func shown(_ call: CommandCall) -> NarrowedRecords? {
        let arguments = call.arguments
        guard all.contains(where: arguments.isSet) else { return nil }
        let span = try? span(arguments)
        let expressions = arguments[only].map { text in
            call.redactor.map { RedactedExpression.text(text, by: $0) } ?? text
        }
        return NarrowedRecords(from: span?.from, to: span?.to, expressions: expressions)
    }

    /// The end of a message that there are no records: ` in what --only leaves`.
    static func remainder(_ arguments: ParsedArguments) -> String {
        let given = all.filter(arguments.isSet).map { "`\($0.name)`" }
        guard !given.isEmpty else { return "" }
        return " in what \(given.joined(separator: " and ")) \(given.count == 1 ? "leaves" : "leave")"
    }
}

/// Options whose values are expressions.
enum ExpressionOptions {
    /// Reads an expression.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - option: The option that it was given by.
    ///   - boundary: The files that it may name.
    static func expression(
        _ text: String, of option: any CommandOption, within boundary: FileBoundary
    ) throws(CommandFailure) -> RecordExpression {
        try reading(of: option, within: boundary) { file throws(RecordExpressionError) in
            try RecordExpression(text, file: file)
        }
    }

    /// Reads something with an expression in it.
    ///
    /// - Parameters:
    ///   - option: The option that it was given by.
    ///   - boundary: The files that it may name.
    ///   - read: Reads it, by a function that reads the lines of a file.
    static func reading<Value>(
        of option: any CommandOption, within boundary: FileBoundary,
        _ read: ((String) throws(RecordExpressionError) -> [String]) throws(RecordExpressionError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(RecordExpressionError) {
            return try read { path throws(RecordExpressionError) in try lines(of: path, within: boundary) }
        } catch {
            throw .usage("`\(option.name)`: \(error.description)", hint: error.hint)
        }
    }

    /// The lines of a file that an expression names.
    static func lines(of path: String, within boundary: FileBoundary) throws(RecordExpressionError) -> [String] {
        guard boundary.contains(path) else { throw .unreadable(path) }
        do throws(FileFailure) {
            return try TextFile.bytes(path: path).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .unreadable(path, error)
        }
    }

    /// Refuses a capture that is a word of an expression: without quotes, a shell makes captures of all but the first condition.
    ///
    /// - Parameter option: The option whose expression it may be.
    static func refuseOpenExpression(_ arguments: ParsedArguments, of option: any CommandOption) throws(CommandFailure)
    {
        let joining = arguments.operands.first { ExpressionWord.joining($0) != nil && !FileLocation($0).isThere }
        guard let joining else { return }
        throw .usage(
            "\(joining.asTyped) is no capture",
            hint: "an expression with spaces is in quotes: `\(option.name) 'flag:frida and flag:rooted'`")
    }
}

extension RecordExpressionError {
    fileprivate static func unreadable(_ path: String, _ failure: FileFailure? = nil) -> RecordExpressionError {
        let reason = failure.map { ": \($0.description)" } ?? ""
        return RecordExpressionError("\(path.asTyped) cannot be read\(reason)", hint: failure?.hint)
    }
}
