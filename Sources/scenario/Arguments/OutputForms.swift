internal import Replay

/// The forms of the files that a report is written to: that of `--format`, or else by the ending of each file.
enum OutputForms {
    // The form by the ending, behind which `.gz` or `.zst` may follow.
    private static let forms = [
        "txt": "text", "json": "json", "html": "html", "htm": "html", "md": "markdown", "markdown": "markdown",
        "csv": "csv", "xml": "junit", "sarif": "sarif", "tap": "tap", "prom": "openmetrics", "mbox": "summary-mail",
    ]
    private static let usual = "text"
    // Endings of forms that no report has: text under such a name would be opened by the wrong program.
    private static let foreign: Set = [
        "doc", "docx", "jpeg", "jpg", "ods", "odt", "parquet", "pdf", "png", "ps", "rtf", "svg", "tsv", "xls", "xlsx",
    ]

    /// The ending of a file's name in lower-case letters, in front of `.gz` or `.zst`; `nil` if there is none.
    static func ending(of path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        var parts = name.lowercased().split(separator: ".").dropFirst().map(String.init)
        if let last = parts.last, OutputCompression(rawValue: last) != nil { parts.removeLast() }
        return parts.last
    }

    /// Notes the form of each file as if `--format` named it, unless it does.
    ///
    /// - Throws: ``CommandFailure`` for a file whose ending stands for a form that the command does not have, or that no report
    ///   has.
    static func resolve(_ arguments: inout ParsedArguments) throws(CommandFailure) {
        let command = arguments.command
        guard let format = command.options.first(where: { $0.name == Options.formatName }),
            let known = format.shape?.choices, known.contains(usual), !arguments.isSet(format)
        else { return }
        var found: [String?] = []
        for path in arguments.words(of: Options.output) { found.append(try form(of: path, among: known, command)) }
        guard found.contains(where: { $0 != nil }) else { return }
        for form in found { arguments.add(form ?? usual, to: format) }
    }

    private static func form(
        of path: String, among known: [String], _ command: Command
    ) throws(CommandFailure) -> String? {
        guard let ending = ending(of: path) else { return nil }
        if known.contains(ending) { return ending }
        guard !foreign.contains(ending) else {
            throw .usage(
                "\(path.asTyped) stands for a form that no report has",
                hint:
                    "`\(command.name)` writes \(known.joined(separator: ", ")); `\(Options.formatName)` names "
                    + "one of them, whatever the name of the file")
        }
        guard let form = forms[ending] else { return nil }
        guard known.contains(form) else {
            throw .usage(
                "\(path.asTyped) stands for the form `\(form)`, which `\(command.name)` does not write",
                hint: "`\(Options.formatName) \(usual)` writes text, whatever the name of the file")
        }
        return form
    }
}

extension ParsedArguments {
    /// The arguments of each report that is asked for, with one file and its form alone.
    var reports: [ParsedArguments] {
        let (paths, forms) = (words(of: Options.output), words(named: Options.formatName))
        guard paths.count > 1 else { return [self] }
        return paths.enumerated().map { index, path in
            replacing(path: path, form: forms.count == paths.count ? forms[index] : forms.first)
        }
    }
}
