internal import CLibrary
internal import CSystem

/// Starts the user's browser.
enum BrowserStart {
    #if canImport(Darwin)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    /// Opens an address.
    ///
    /// - Parameter address: The address; whoever may list the processes of this machine sees it while the program runs.
    /// - Returns: False if there is no program for it.
    static func open(_ address: String) -> Bool {
        // SAFETY: the path is a constant that ends with a zero.
        let nowhere = unsafe CLibrary.open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return false }
        defer { close(nowhere) }
        let texts: [String] = [program, address]
        // SAFETY: each copy is freed below, after the call that reads it.
        var words = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var settings = unsafe [UnsafeMutablePointer<CChar>?](repeating: nil, count: 1)
        var process: pid_t = 0
        // SAFETY: both lists end with a null pointer, and live through the call with the texts in them.
        return unsafe spawn_program(&words, &settings, nowhere, &process) == 0
    }
}
