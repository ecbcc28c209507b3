internal import Documents

/// `scenario init`: the files of a new project.
extension Command {
    static let start = Command(
        "init", "Write a commented account, scenario, capture and CI job to begin with.",
        .words(
            "bank|backend [DIR]",
            "The purpose: a policy in production, or tests of a backend; and the folder, by default this one.",
            minimum: 1, maximum: 2, completing: .words(Starter.Purpose.allCases.map(\.rawValue))),
        discussion: """
            No file is replaced: if one of them is there already, nothing is written. What is written passes
            `scenario lint` and `scenario run` as it is.
            """,
        examples: [
            "scenario init bank policy": "A project in the folder policy, to be changed bit by bit."
        ],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let word = call.operands[0]
        guard let purpose = Starter.Purpose(rawValue: word) else {
            throw .usage("`init` takes `bank` or `backend`, not \(word.asTyped)")
        }
        let starter = Starter(purpose)
        let folder = call.operands.dropFirst().first.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        var diagnostics = Diagnostics()
        for file in starter.files where FileLocation(folder + file.path).isThere {
            diagnostics.add(
                Diagnostic(
                    file: folder + file.path, message: "the file is there already, and nothing was written",
                    hint: "`scenario init \(word) DIR` writes into another folder"))
        }
        if !diagnostics.hasErrors { write(starter, to: folder, &diagnostics) }
        call.console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        for file in starter.files { call.console.output("\(folder)\(file.path)\n") }
        let place = folder.isEmpty ? "" : " in \(folder.dropLast())"
        call.console.output("\nTry\(place):\n" + starter.next.map { "  \($0)\n" }.joined())
        return .success
    }

    private static func write(_ starter: Starter, to folder: String, _ diagnostics: inout Diagnostics) {
        for file in starter.files {
            let path = folder + file.path
            let written: Void? = diagnostics.attempt(in: path) { () throws(FileFailure) in
                try NewFile.write(Array(file.text.utf8), to: path)
            }
            guard written != nil else { return }
        }
    }
}
