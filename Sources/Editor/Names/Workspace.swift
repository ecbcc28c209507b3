internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// The files that belong together: those of the client's folders, with the texts that it has not saved.
struct Workspace: Sendable {
    /// The client's folders.
    var folders: [String] = []
    var overlay = FileOverlay()
    /// The paths of the documents that the client shows.
    var opened: [String] = []

    /// The greatest number of files of a folder that are searched for a name.
    private static let fileLimit = 50_000

    /// The files that scenarios may name beside those in their own folders.
    var boundary: FileBoundary { FileBoundary(namedBy: folders, hint: "open the folder that holds both") }

    // MARK: Accounts

    /// The account files of a scenario that it may name, and that are there.
    func accountFiles(of file: AnalysedFile) -> [AnalysedFile] {
        let boundary = boundary.adding(folderOf: file.path)
        return file.accountFiles.filter(boundary.contains).compactMap { AnalysedFile(path: $0, over: overlay) }
            .filter { $0.kind == .account }
    }

    /// The accounts of a scenario, or the one that a file is, as far as they can be read.
    func accounts(of file: AnalysedFile) -> [Account] {
        guard file.kind == .scenario else { return [Self.account(file.document.root, file)].compactMap(\.self) }
        let own = file.accountNodes.filter(\.isMapping).compactMap { Self.account($0, file) }
        return own + accountFiles(of: file).compactMap { Self.account($0.document.root, $0) }
    }

    private static func account(_ node: Node?, _ file: AnalysedFile) -> Account? {
        var reader = DocumentReader(file.document)
        // The keys of an account say nothing about its names.
        reader.boundary = FileBoundary()
        return node.flatMap { AccountLoader.load($0, &reader) }
    }

    // MARK: Names

    /// The files in which a name means the same as in a file: groups and accounts belong to a scenario, all other names to
    /// an account, and so to all scenarios that name it.
    ///
    /// - Parameter declaring: True if only files are wanted in which it may be declared.
    /// - Throws: ``RPCFailure`` if there are more files than are searched.
    func files(
        sharing name: NameOccurrence, of file: AnalysedFile, declaring: Bool = false
    ) throws(RPCFailure) -> [AnalysedFile] {
        guard ![.group, .account].contains(name.kind) else { return [file] }
        let own = [file] + accountFiles(of: file)
        if declaring { return own }
        var pool = own
        var known = Set(own.map { FileLocation($0.path).path })
        for path in try scenarios(near: file) {
            guard known.insert(FileLocation(path).path).inserted, let bytes = try? overlay.bytes(path: path),
                bytes.span.contains(Array(name.name.utf8))
            else { continue }
            let scenario = AnalysedFile(path: path, positions: TextPositions(bytes))
            guard scenario.kind == .scenario else { continue }
            pool.append(scenario)
            for account in accountFiles(of: scenario) where known.insert(FileLocation(account.path).path).inserted {
                pool.append(account)
            }
        }
        return connected(pool.filter { $0.path == file.path || $0.has(name) }, from: file.path)
    }

    // Those that are reached from a file: a scenario from its account, and the other way round.
    private func connected(_ pool: [AnalysedFile], from start: String) -> [AnalysedFile] {
        let locations = pool.map { FileLocation($0.path).path }
        let accounts = pool.map { Set($0.accountFiles.map { FileLocation($0).path }) }
        var reached: Set = [FileLocation(start).path]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for index in pool.indices {
                let isConnected = reached.contains(locations[index]) || !accounts[index].isDisjoint(with: reached)
                guard isConnected else { continue }
                for location in accounts[index].intersection(locations).union([locations[index]])
                where reached.insert(location).inserted { isGrowing = true }
            }
        }
        return pool.indices.filter { reached.contains(locations[$0]) }.map { pool[$0] }
    }

    private func scenarios(near file: AnalysedFile) throws(RPCFailure) -> [String] {
        var problems = Diagnostics()
        let folder = folders.first { FileBoundary(namedBy: [$0]).contains(file.path) }
        let found = ScenarioFiles.find(
            at: folder ?? FileLocation.folder(of: file.path), diagnostics: &problems, atMost: Self.fileLimit)
        // A file that was overlooked would keep its names.
        if let problem = problems.all.first { throw RPCFailure(.failed, "\(problem.file): \(problem.message)") }
        return opened + found
    }
}

extension AnalysedFile {
    /// True if a name of that kind is in the file.
    func has(_ name: NameOccurrence) -> Bool { names.contains { $0.kind == name.kind && $0.name == name.name } }
}
