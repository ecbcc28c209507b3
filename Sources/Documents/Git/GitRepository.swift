/// Files as a commit of git has them, by the program `git`.
package enum GitRepository {
    /// The bytes of a file.
    ///
    /// No command of the repository is run (``GitProcess``), and nothing is fetched.
    ///
    /// - Parameters:
    ///   - path: The file, as it is in the working tree.
    ///   - reference: A commit: a branch, a tag, `HEAD~1`.
    /// - Throws: ``GitFailure``, if git is missing, the commit is not known or has no such file, or the repository lacks the
    ///   file's content.
    package static func bytes(of path: String, at reference: String) throws(GitFailure) -> [UInt8] {
        let (folder, name) = FileLocation.split(path)
        let commit = try commit(reference, in: folder)
        let content = try GitProcess.run(["cat-file", "blob", "\(commit):./\(name)"], in: folder)
        guard content.status == 0 else {
            let isFile = try entry(name, in: folder, at: commit).split(separator: 0x20).dropFirst().first == Self.blob
            throw isFile ? .notStored(path, reference) : .noFile(path, reference)
        }
        return content.output
    }

    /// True if a commit has a file, also if the repository lacks its content.
    ///
    /// - Throws: ``GitFailure``, if git is missing, the commit is not known, or the repository lacks its folders.
    package static func has(_ path: String, at reference: String) throws(GitFailure) -> Bool {
        let (folder, name) = FileLocation.split(path)
        return try !entry(name, in: folder, at: commit(reference, in: folder)).isEmpty
    }

    private static let blob = ArraySlice("blob".utf8)

    // The line that the folders of a commit have for a name; empty where they have none. The content may be missing.
    private static func entry(_ name: String, in folder: String, at commit: String) throws(GitFailure) -> [UInt8] {
        let listing = try GitProcess.run(
            ["--literal-pathspecs", "ls-tree", "-z", commit, "--", "./\(name)"], in: folder)
        guard listing.status == 0 else { throw .notStored(FileLocation.join(folder, name), commit) }
        return listing.output
    }

    /// The files that are byte for byte as a commit has them.
    ///
    /// - Parameters:
    ///   - paths: Files, as they are in the working tree. One that the commit lacks, that is a link, that cannot be read, or
    ///     that lies in another repository is not among those returned.
    ///   - reference: A commit: a branch, a tag, `HEAD~1`.
    /// - Throws: ``GitFailure/cannotRun(_:)``.
    /// - Complexity: Two processes for each folder, and reading every file once.
    package static func unchanged(_ paths: some Sequence<String>, since reference: String) throws(GitFailure) -> Set<
        String
    > {
        var unchanged: Set<String> = []
        for (folder, members) in Dictionary(grouping: paths, by: { FileLocation.split($0).folder }).sorted(by: {
            $0.key < $1.key
        }) {
            let commit: String
            do throws(GitFailure) {
                commit = try self.commit(reference, in: folder)
            } catch {
                guard case .cannotRun = error else { continue }
                throw error
            }
            // A system limits the number of words of a command.
            for start in stride(from: 0, to: members.count, by: Self.filesAtATime) {
                let some = members[start..<min(start + Self.filesAtATime, members.count)]
                let names = some.map { "./" + FileLocation.split($0).name }
                let listing = try GitProcess.run(
                    ["--literal-pathspecs", "ls-tree", "-z", commit, "--"] + names, in: folder)
                let blobs = Self.blobs(in: listing.output)
                for path in some {
                    guard let blob = blobs[FileLocation.split(path).name], let bytes = try? TextFile.bytes(path: path),
                        FileDigest.blobName(of: bytes, digits: blob.utf8.count) == blob
                    else { continue }
                    unchanged.insert(path)
                }
            }
        }
        return unchanged
    }

    private static let filesAtATime = 500

    // Lines such as `100644 blob 8ab686…<tab>name`, each with a zero at its end.
    private static func blobs(in listing: [UInt8]) -> [String: String] {
        var blobs: [String: String] = [:]
        for line in listing.split(separator: 0) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = parts[0].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 2, words.count == 3, words[0].hasPrefix("100"), words[1] == "blob" else { continue }
            blobs[String(decoding: parts[1], as: UTF8.self)] = words[2]
        }
        return blobs
    }

    private static func commit(_ reference: String, in folder: String) throws(GitFailure) -> String {
        // A reference that begins with a dash is no option.
        let verify = try GitProcess.run(
            ["rev-parse", "--quiet", "--verify", "--end-of-options", "\(reference)^{commit}"], in: folder)
        guard verify.status == 0 else {
            let isRepository = try GitProcess.run(["rev-parse", "--git-dir"], in: folder).status == 0
            throw isRepository ? .unknownReference(reference) : .noRepository(folder)
        }
        return String(decoding: verify.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The reason why a file of a commit could not be read.
package enum GitFailure: DescribedError {
    /// The program cannot be started.
    case cannotRun(FileFailure)
    /// The folder belongs to no repository.
    case noRepository(String)
    /// There is no such commit.
    case unknownReference(String)
    /// The commit has no such file.
    case noFile(String, String)
    /// The commit has the file, or may have it, but the repository lacks an object of it: it was cloned in part.
    case notStored(String, String)

    package var description: String {
        switch self {
        case .cannotRun(let failure): "git cannot be run: \(failure)"
        case .noRepository(let folder): "the folder \(folder.quoted) belongs to no git repository"
        case .unknownReference(let name): "git knows no commit \(name.quoted)"
        case .noFile(let path, let name): "there is no file \(path.quoted) in \(name.quoted)"
        case .notStored(let path, let name): "the repository lacks the content of \(path.quoted) in \(name.quoted)"
        }
    }

    package var hint: String? {
        switch self {
        case .cannotRun: "`--candidate` compares two files without git"
        case .noRepository: nil
        case .unknownReference: "in a clone of one commit, `git fetch` gets others"
        case .noFile: "a file that is not committed there is compared with `--candidate`"
        case .notStored: "nothing is fetched from here; in a clone of a part, `git fetch --refetch` gets the rest"
        }
    }
}
