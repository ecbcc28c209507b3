internal import CLibrary
internal import CSystem

/// The files of this process that are not finished.
package enum PartialFiles {
    /// From now on signals that ask the process to end, such as SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and SIGXCPU, remove
    /// them before they end it, and so does its exit. A write to a file that may not grow further fails, as under `ulimit -f`.
    package static func removeWhenProcessEnds() {
        partial_files_watch()
    }

    /// From now on the process ends with a message when it gets no more memory, and removes them.
    ///
    /// - Parameter status: The exit status that it then has.
    package static func removeWhenMemoryEnds(exitStatus status: Int32) {
        partial_files_watch_memory(status)
    }

    /// Notes a file.
    ///
    /// - Returns: Its number, for ``forget(_:)``.
    static func note(_ path: String) -> Int32 {
        // SAFETY: the path is a string that lives through the call, which copies it.
        unsafe partial_files_add(path)
    }

    /// Forgets a file, which was finished or removed.
    static func forget(_ number: Int32) {
        partial_files_forget(number)
    }

    /// Gives an open file the access list of another one, where that has one.
    ///
    /// - Returns: True if it has the same now.
    static func copyAccessList(of path: String, to descriptor: Int32) -> Bool {
        // SAFETY: the path is a string that lives through the call.
        unsafe partial_files_copy_access_list(path, descriptor) == 0
    }
}
