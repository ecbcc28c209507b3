internal import Documents

extension ReportOrigin {
    /// The commands that repeat the report, and explain a device of it; nothing where the command is not known.
    ///
    /// - Parameter explanation: The command that explains a device; `nil` for none.
    package func sections(explaining explanation: String? = nil) -> [ReportSection] {
        let explained = ReportSection.explanation(explanation).map { $0.placed(command.isEmpty ? .alone : .below) }
        guard !command.isEmpty else { return explained }
        var head = ReportSection(.title("Repeat it"), lists: [ReportList(items: [command], isOutput: true)])
        if let part { head.sentences = [ReportText("the command leaves out all but \(part)")] }
        return [head] + explained + [files]
    }

    /// The command and the digests of the inputs, in a few lines: for a page that is printed. Only the command has whole paths.
    var brief: ReportSection {
        let files = inputs.map { input in
            let name = input.path.split(separator: "/").last.map(String.init) ?? input.path
            return "\(name): " + (input.digest.map { "SHA-256 \($0)" } ?? "no digest")
        }
        let lists = [
            ReportList(items: [command], isOutput: true),
            ReportList(head: version.isEmpty ? nil : ReportText("version \(version), on"), items: files),
        ]
        return ReportSection(.title("Repeat it"), lists: command.isEmpty ? [] : lists)
    }

    private var files: ReportSection {
        let rows: [[ReportTable.Cell]] = inputs.map { input in
            let size = input.size.map { ReportTable.Cell.number($0) } ?? .text("read once")
            let digest = input.digest.map { ReportTable.Cell.code($0) }
            return [.code(input.path), size, digest ?? .text(input.size == nil ? "" : "by --digests")]
        }
        let tool: [[ReportTable.Cell]] = version.isEmpty ? [] : [[.code("scenario"), .text(version), .text("")]]
        var files = ReportSection(
            .continuation,
            table: ReportTable([.text("file"), .figure("bytes"), .text("SHA-256")], rows + tool), place: .below)
        let made = version.isEmpty ? "" : "version \(version), and "
        files.fold = ReportText("\(made)\(inputs.count.counting("input"))").capitalized.spans.map(\.text).joined()
        return files
    }
}
