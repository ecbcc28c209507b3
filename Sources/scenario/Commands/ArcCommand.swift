internal import Documents
internal import PolicyEngine
internal import Reports

/// `scenario arc`: the meaning of an attestation response code, and the other way round.
extension Command {
    static let arc = Command(
        "arc", "Decode an attestation response code.",
        .words(
            "CODE|FLAGS", "A code; with --encode, flags joined by commas, or nothing for none.", minimum: 0,
            completing: .flags),
        options: [account, encodeOption],
        discussion: """
            Prints the answer of the service's arc-info endpoint. A code that the account did not issue, or that was
            mistyped, has the status "arc invalid"; that is an answer too, and exits with 0. Codes may be typed in
            lower case; other typing errors are not corrected.
            """,
        examples: [
            "scenario arc KTF6LXEPX4 --account account.yaml":
                "Shows whether the attestation passed, and the flags of the device.",
            "scenario arc --encode failed rooted,xposed --account account.yaml":
                "The code that such a device would have got.",
        ],
        answer: answer)

    fileprivate static let account = Options.account.described(
        as: "The account that issues the codes; required, because only this account can read them.")
    fileprivate static let encodeOption = Option(
        "--encode", "Print the code of an attestation with this result and FLAGS.", .choice(of: Outcome.self))

    fileprivate enum Outcome: String, CaseIterable {
        case passed, failed
    }

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard let path = call[account] else { throw .missingAccount }
        guard call.isSet(encodeOption) || !call.operands.isEmpty else { throw .missingCode }
        var diagnostics = Diagnostics()
        var result: String?
        if let account = AccountOptions.account(call.arguments, &diagnostics) {
            if !account.isResponseCodeOn { diagnostics.add(.responseCodesAreOff(in: path)) }
            result = self.result(call.arguments, account, &diagnostics)
        }
        call.console.show(diagnostics)
        guard let result, !diagnostics.hasErrors else { return .invalidInput }
        call.console.output(result.showingControls(keepingLines: true))
        return .success
    }

    // The code of what was observed, or the answer to a code.
    private static func result(
        _ arguments: ParsedArguments, _ account: Account, _ diagnostics: inout Diagnostics
    ) -> String {
        let (codec, operand) = (ResponseCodec(account: account), arguments.operands.first)
        guard let outcome = arguments[encodeOption] else {
            let meaning = operand.flatMap { codec.meaning(of: $0) }
            return ResponseCodeAnswer.text(of: meaning, catalogue: account.catalogue)
        }
        let flags = operand.map { self.flags($0, account.catalogue, codec, &diagnostics) } ?? .empty
        return codec.code(passed: outcome == .passed, flags: flags) + "\n"
    }

    private static func flags(
        _ list: String, _ catalogue: FlagCatalogue, _ codec: ResponseCodec, _ diagnostics: inout Diagnostics
    ) -> FlagSet {
        var flags: FlagSet = .empty
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part)
            if name.isEmpty {
                diagnostics.add(.namelessFlag(in: list))
            } else if let flag = catalogue.namedFlag(name) {
                if flags.contains(flag) { diagnostics.add(.repeatedFlag(name)) }
                if !codec.encodableFlags.contains(flag) { diagnostics.add(.unencodableFlag(name, codec)) }
                flags.insert(flag)
            } else {
                diagnostics.add(.unknownFlag(name, catalogue))
            }
        }
        return flags
    }
}

extension CommandFailure {
    fileprivate static var missingAccount: CommandFailure {
        .usage(
            "option `\(Options.account.label)` is missing",
            hint: "a code means nothing without the account that issues it")
    }

    fileprivate static var missingCode: CommandFailure {
        .usage("`CODE` is missing", hint: "`--help` shows how it is used")
    }
}

extension Diagnostic {
    // The flags are what `--encode` is given, so the option takes the part of a file.
    private static func error(_ message: String, hint: String? = nil) -> Diagnostic {
        Diagnostic(file: "--encode", message: message, hint: hint)
    }

    fileprivate static func unknownFlag(_ name: String, _ catalogue: FlagCatalogue) -> Diagnostic {
        let near = Suggestion.hint(for: name, among: catalogue.declaredNames)
        return error("unknown flag \(name.quoted)", hint: near ?? "an account can declare it under `flags`")
    }

    fileprivate static func namelessFlag(in list: String) -> Diagnostic {
        error("\(list.quoted) names an empty flag", hint: "flags are joined by single commas, without spaces")
    }

    fileprivate static func repeatedFlag(_ name: String) -> Diagnostic {
        error("flag \(name.quoted) is named twice")
    }

    fileprivate static func unencodableFlag(_ name: String, _ codec: ResponseCodec) -> Diagnostic {
        error("flag \(name.quoted) is in no code; codes hold the first \(codec.encodableFlags.count) flags only")
    }

    fileprivate static func responseCodesAreOff(in path: String) -> Diagnostic {
        Diagnostic(severity: .warning, file: path, message: "`arc` is off, so tokens of this account carry no code")
    }
}
