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
    static func complete(_ arguments: inout ParsedArguments, _ diagnostics: inout Diagnostics) {
        guard arguments.command.takesSettings else { return }
        let path = find(from: "")
        var values: [SettingValue] = []
        if let path {
            guard let read = Self.values(path, &diagnostics) else { return }
            values = read.filter { $0.setting.applies(to: arguments) }
        }
        let (ofCommit, changes) = CommittedSettings.hold(&values, of: arguments, &diagnostics)
        let applied = AppliedSettings(
            path: path, name: path ?? name,
            values: values.map {
                AppliedSettings.Value(
                    option: $0.setting.option, words: $0.words, isOfCommit: ofCommit.contains($0.setting))
            }, changes: changes)
        for value in applied.values {
            for word in value.words {
                if let option = arguments.command.options.first(where: { $0.name == value.option }) {
                    arguments.add(word, to: option)
                } else {
                    arguments.add(operand: word)
                }
            }
        }
        if !applied.isEmpty { arguments.defaults = applied }
    }

    /// The captures that the file names for what is in a folder; none where there is none that can be read.
    static func captures(from folder: String) -> [String] {
        var ignored = Diagnostics()
        guard let path = find(from: folder), let values = values(path, &ignored) else { return [] }
        return values.filter { $0.setting.key == Setting.captures }.flatMap(\.words)
    }

    /// The path of the file, such as `../scenario.toml`; `nil` where there is none.
    private static func find(from start: String) -> String? {
        candidates(from: start).first { FileLocation($0).isRegularFile }
    }

    /// The paths that the file may have, the nearest first.
    ///
    /// The search ends with the folder of a repository of git: what is above belongs to somebody else.
    ///
    /// - Parameter start: The folder where it begins, with a slash at its end; empty for the working folder.
    static func candidates(from start: String) -> [String] {
        var (folder, paths) = (start, [String]())
        for _ in 0..<depthLimit {
            paths.append(folder + name)
            let here = FileLocation(folder + ".").path
            if here == "/" || FileLocation(folder + ".git").isThere { break }
            folder += "../"
        }
        return paths
    }

    // `nil` after noting an error.
    private static func values(_ path: String, _ diagnostics: inout Diagnostics) -> [SettingValue]? {
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        return read.flatMap { values(of: $0, path: path, named: path, &diagnostics) }
    }

    /// The values of a file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - path: The path of the file, by which its own paths are meant.
    ///   - name: The name of the file in messages.
    /// - Returns: `nil` after noting an error.
    static func values(
        of bytes: [UInt8], path: String, named name: String, _ diagnostics: inout Diagnostics
    ) -> [SettingValue]? {
        let parsed = TOMLParser.parse(bytes: bytes, path: name)
        var problems = parsed.diagnostics
        let source = SourceFile(path: name, text: String(decoding: bytes, as: UTF8.self))
        var values: [SettingValue] = []
        for entry in parsed.entries {
            do throws(SettingError) {
                values.append(try SettingValue(entry, in: String(path.dropLast(Self.name.count))))
            } catch {
                let isKnown = Setting.all.contains { $0.table == entry.table && $0.key == entry.key }
                problems.add(
                    Diagnostic(
                        in: source, at: isKnown ? entry.position : entry.keyPosition, message: error.description,
                        hint: error.help))
            }
        }
        diagnostics.merge(problems)
        return problems.hasErrors ? nil : values
    }
}
