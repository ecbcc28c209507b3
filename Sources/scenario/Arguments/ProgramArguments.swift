/// The words that were typed behind the name of the program.
enum ProgramArguments {
    /// The words, each as it was typed.
    ///
    /// - Throws: ``UsageError`` for one that is not UTF-8: with other bytes in it, a file of another name would be read or
    ///   written.
    static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            // SAFETY: there are as many words as the system says; each ends with a zero, and is copied here.
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let word = unsafe String(validatingCString: start) else {
                throw UsageError(
                    "word \(index) of the command line is not UTF-8: \(UsageError.quote(unsafe String(cString: start)))",
                    hint: "a file whose name is not UTF-8 can be read and written by `<` and `>`")
            }
            words.append(word)
        }
        return words
    }
}
