internal import CLibrary

/// The file that a path leads to: two paths to one file have one location, whatever links are on the way.
package struct FileLocation: Sendable {
    /// The path of the file itself, which need not be there yet; a path that cannot be followed stays as it is.
    package let path: String
    /// The open descriptor that the path is a name of, such as `/dev/stdout`.
    let descriptor: Int32?

    private enum Identity: Hashable {
        case file(device: UInt64, number: UInt64)
        case descriptor(Int32)
        // A file that is not there yet, by the folder that it will be in.
        case name(String, device: UInt64, number: UInt64)
        case path(String)
    }

    /// Follows a path.
    package init(_ path: String) {
        descriptor = Self.descriptor(namedBy: path)
        self.path = descriptor == nil ? Self.followed(path) : path
    }

    /// Standard input.
    package static let standardInput = FileLocation("/dev/stdin")

    /// Standard output.
    package static let standardOutput = FileLocation("/dev/stdout")

    /// True if both are one file, so that writing to one changes the other; devices such as `/dev/null` are not.
    package func isSame(as other: FileLocation) -> Bool {
        guard let identity, let otherIdentity = other.identity else { return false }
        return identity == otherIdentity
    }

    /// True if a regular file is there.
    package var isRegularFile: Bool { status?.isKind(S_IFREG) == true }

    /// True if it is a pipe that is open already, as `<(…)` of a shell makes one; a named pipe would have to be waited for.
    package var isOpenPipe: Bool { descriptor != nil && status?.isKind(S_IFIFO) == true }

    /// True if anything is there, also if nobody may read it.
    package var isThere: Bool { SystemCall.status(of: path) != nil || errno != ENOENT }

    /// True if a folder is there.
    package var isFolder: Bool { descriptor == nil && status?.isKind(S_IFDIR) == true }

    private var status: stat? {
        if let descriptor { SystemCall.status(of: descriptor) } else { SystemCall.status(of: path) }
    }

    private var identity: Identity? {
        guard let status else {
            let (folder, name) = Self.split(path)
            guard let status = SystemCall.status(of: folder) else { return .path(path) }
            return .name(name, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        }
        if status.isKind(S_IFCHR) { return descriptor.map { .descriptor($0) } }
        return .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// The longest chain of links that is followed, as the system has it.
    private static let linkLimit = 40

    private static func followed(_ path: String) -> String {
        var path = path
        for _ in 0..<linkLimit {
            if let real = real(path) { return real }
            // If the last part is a link, it leads to a file that is not there yet.
            guard let target = target(ofLink: path) else { break }
            path = target.hasPrefix("/") ? target : split(path).folder + "/" + target
        }
        let (folder, name) = split(path)
        return real(folder).map { $0 == "/" ? "/" + name : $0 + "/" + name } ?? path
    }

    /// The folder of a path, without a slash at its end.
    package static func folder(of path: String) -> String { split(path).folder }

    /// The folder of a path, without a slash at its end, and the name in it.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
    }

    /// The path of a name in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }

    private static func real(_ path: String) -> String? {
        // SAFETY: realpath makes a string that ends with a zero, which is copied and freed here.
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        // A path that is not UTF-8 cannot be said: with other bytes it would be that of another file.
        return unsafe String(validatingCString: real)
    }

    private static func target(ofLink path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        // SAFETY: the system writes at most as many bytes as the array has, and returns how many.
        let count = unsafe readlink(path, &text, text.count)
        return count > 0 ? String(validating: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func descriptor(namedBy path: String) -> Int32? {
        if let known = ["/dev/stdin": STDIN_FILENO, "/dev/stdout": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO][path] {
            return known
        }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count))
        }
        return nil
    }
}

/// A file that may not be named.
package struct OutsideFile: DescribedError {
    package let description: String
    package let hint: String?

    fileprivate init(_ file: String, hint: String) {
        description = "\(file) is outside the scenario's folder"
        self.hint = hint
    }
}

/// The files that a file may name: those in its own folder and in folders that the user named, or all.
///
/// A scenario may come from a stranger, and is run where other files are.
package struct FileBoundary: Sendable {
    // The folders without links on the way; `nil` where every file may be named.
    private let folders: [String]?
    private let hint: String

    /// Every file may be named.
    package static let anywhere = FileBoundary(folders: nil, hint: "")

    private init(folders: [String]?, hint: String) {
        (self.folders, self.hint) = (folders, hint)
    }

    /// The folders that the user named.
    ///
    /// - Parameters:
    ///   - paths: Folders, or files, which are left out.
    ///   - hint: The way in which the user names more folders: on a command line, or in an editor.
    package init(
        namedBy paths: [String] = [], hint: String = "name the folder that holds both, or give `--allow-outside`"
    ) {
        self.init(folders: paths.filter { !$0.isEmpty }.map { FileLocation($0 + "/.").path }, hint: hint)
    }

    /// The same, and the folder of a file.
    package func adding(folderOf path: String) -> FileBoundary {
        guard let folders else { return self }
        return FileBoundary(folders: folders + [FileLocation.split(FileLocation(path).path).folder], hint: hint)
    }

    /// The error about a file that may not be named.
    ///
    /// - Parameter file: The kind of the file, and its quoted path.
    package func refusal(of file: String) -> OutsideFile { OutsideFile(file, hint: hint) }

    /// True if a file may be named.
    ///
    /// - Parameter path: The file; links are followed, so that none leads outside.
    package func contains(_ path: String) -> Bool {
        guard let folders else { return true }
        // By bytes: to a string, a slash with a combining mark is another character.
        let target = Array(FileLocation(path).path.utf8)
        return folders.contains { target.starts(with: $0 == "/" ? Array("/".utf8) : Array($0.utf8) + [0x2F]) }
    }
}

/// A mark that changes if a file is written, replaced or removed, made without reading it: the same on every system.
package struct FileStamp: Hashable, Sendable {
    private let size: Int64
    private let number: UInt64
    // When its content was written, which programs can set, and when anything about it changed, which they cannot.
    private let times: [Int]

    /// The stamp of a file; `nil` where there is none.
    package init?(of path: String) {
        guard let status = SystemCall.status(of: path) else { return nil }
        (size, number) = (Int64(status.st_size), UInt64(status.st_ino))
        times = [SystemCall.written(status), SystemCall.changed(status)].flatMap { [$0.0, $0.1] }
    }

    /// The stamps of some files, those that are there.
    package static func stamps(of paths: some Sequence<String>) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for path in paths { stamps[path] = FileStamp(of: path) }
        return stamps
    }
}
