internal import Documents

extension ReportOrigin {
    // The greatest number of inputs that a page shows at once.
    private static let openInputs = 4

    /// The command, the version and the inputs; nothing where nothing is known of them.
    var sections: [ReportSection] {
        guard !command.isEmpty else { return [] }
        let part: [[ReportTable.Cell]] = part.map { [[.text("the command leaves out"), .text("all but \($0)")]] } ?? []
        let made: [[ReportTable.Cell]] =
            [[.text("command"), .code(command)]] + part + [[.text("version"), .text(version)]]
        let head = ReportSection(
            .title("How this report was made"), table: ReportTable([.text(), .text()], made))
        guard !inputs.isEmpty else { return [head] }
        let rows: [[ReportTable.Cell]] = inputs.map { input in
            let size = input.size.map { ReportTable.Cell.number($0) } ?? .text("read once")
            let digest = input.digest.map { ReportTable.Cell.code($0) }
            return [.code(input.path), size, digest ?? .text(input.size == nil ? "" : "by --digests")]
        }
        var files = ReportSection(
            .title("Inputs"),
            table: ReportTable([.text("file"), .figure("bytes"), .text("SHA-256")], rows))
        files.place = .below
        if inputs.count > Self.openInputs { files.fold = "\(inputs.count.grouped) files" }
        return [head, files]
    }
}
