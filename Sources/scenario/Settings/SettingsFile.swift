internal import Documents

/// `scenario.toml`: the defaults of a project, in the folder where a command is run or in one above it.
enum SettingsFile {
    /// The name of the file.
    static let name = "scenario.toml"

    /// The greatest number of folders above that are searched.
    private static let depthLimit = 64

    /// Adds the defaults of the file to a command line, as far as it has no value of its own.
    ///
    /// - Parameter diagnostics: Gets what is wrong with the file; of a command that takes no default, it is not read.
    static func complete(
        _ arguments: inout ParsedArguments, of command: CommandDefinition, _ diagnostics: inout Diagnostics
    ) {
        guard Setting.commands.contains(command.name), let path = find(from: "") else { return }
        guard let values = values(path, &diagnostics) else { return }
        var applied = AppliedSettings(path: path)
        for value in values where value.setting.applies(to: arguments, of: command) {
            applied.values.append(AppliedSettings.Value(option: value.setting.option, words: value.words))
        }
        for value in applied.values {
            for word in value.words {
                if let option = command.options.first(where: { $0.name == value.option }) {
                    arguments.add(word, to: option)
                } else {
                    arguments.add(operand: word)
                }
            }
        }
        if !applied.values.isEmpty { arguments.defaults = applied }
    }

    /// The captures that the file names for what is in a folder; none where there is none that can be read.
    static func captures(from folder: String) -> [String] {
        var ignored = Diagnostics()
        guard let path = find(from: folder), let values = values(path, &ignored) else { return [] }
        return values.filter { $0.setting.key == Setting.captures }.flatMap(\.words)
    }

    /// The path of the file, such as `../scenario.toml`; `nil` where there is none.
    ///
    /// The search ends with the folder of a repository of git: what is above belongs to somebody else.
    ///
    /// - Parameter start: The folder where it begins, with a slash at its end; empty for the working folder.
    private static func find(from start: String) -> String? {
        var folder = start
        for _ in 0..<depthLimit {
            if FileLocation(folder + name).isRegularFile { return folder + name }
            let here = FileLocation(folder + ".").path
            if here == "/" || FileLocation(folder + ".git").isThere { return nil }
            folder += "../"
        }
        return nil
    }

    // `nil` after noting an error.
    private static func values(_ path: String, _ diagnostics: inout Diagnostics) -> [SettingValue]? {
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes = read else { return nil }
        let parsed = TOMLParser.parse(bytes: bytes, path: path)
        diagnostics.merge(parsed.diagnostics)
        let source = SourceFile(path: path, text: String(decoding: bytes, as: UTF8.self))
        var values: [SettingValue] = []
        for entry in parsed.entries {
            do throws(SettingError) {
                values.append(try SettingValue(entry, in: String(path.dropLast(name.count))))
            } catch {
                let isKnown = Setting.all.contains { $0.table == entry.table && $0.key == entry.key }
                diagnostics.add(
                    Diagnostic(
                        in: source, at: isKnown ? entry.position : entry.keyPosition, message: error.description,
                        hint: error.help))
            }
        }
        return diagnostics.hasErrors ? nil : values
    }
}
