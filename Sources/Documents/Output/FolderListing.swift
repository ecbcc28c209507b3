internal import CLibrary

/// The contents of a folder.
package enum FolderListing {
    /// The name of something in a folder.
    package struct Name {
        /// The name; bytes that are not UTF-8 are replaced.
        package let text: String
        package let isUTF8: Bool
    }

    /// Makes a folder that only its owner may enter, and those that lead to it.
    ///
    /// - Returns: True if it is there.
    package static func make(_ path: String) -> Bool {
        // Each folder on the way is a call within a call; the system takes no longer path.
        guard path.utf8.count < Int(PATH_MAX) else { return false }
        if let status = SystemCall.status(of: path) { return status.isKind(S_IFDIR) }
        let parent = FileLocation.split(path).folder
        guard parent != path, make(parent) else { return false }
        return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    /// The names in the order of their bytes, on every file system.
    ///
    /// - Parameter isWanted: True for the names to return. Most names of a folder may be of no interest, and sorting costs.
    /// - Throws: ``FileFailure`` when the folder cannot be read to its end.
    package static func names(
        in folder: String, where isWanted: (String) -> Bool = { _ in true }
    ) throws(FileFailure) -> [Name] {
        guard let stream = unsafe opendir(folder) else { throw FileFailure(errno) }
        defer { unsafe closedir(stream) }
        var names: [Name] = []
        while true {
            // Only this distinguishes the end from a failure.
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            // SAFETY: the name is a string that ends with a zero inside the entry, and is copied here.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { start in
                    unsafe Name(text: String(cString: start), isUTF8: String(validatingCString: start) != nil)
                }
            }
            if isWanted(name.text) { names.append(name) }
        }
        guard errno == 0 else { throw FileFailure(errno) }
        return names.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }
}
