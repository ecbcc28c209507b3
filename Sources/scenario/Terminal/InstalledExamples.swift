internal import Documents

/// The example scenarios and the guides that are installed with the command.
enum InstalledExamples {
    /// The file of the running command.
    static var program: String { FileLocation("/proc/self/exe").path }

    /// The folder of the examples; `nil` where they are not installed.
    ///
    /// - Parameter program: The installed command, such as `/usr/bin/scenario`.
    static func folder(of program: String) -> String? {
        let folder = documents(of: program) + "examples/Scenarios"
        return FileLocation(folder).isFolder ? folder : nil
    }

    /// The path of a guide; `nil` where it is not installed.
    ///
    /// - Parameters:
    ///   - name: The name of the guide, such as `test-a-backend`.
    ///   - program: The installed command.
    static func guide(_ name: String, of program: String) -> String? {
        let path = documents(of: program) + "docs/guides/\(name).md"
        return FileLocation(path).isRegularFile ? path : nil
    }

    private static func documents(of program: String) -> String {
        "/" + (program.split(separator: "/").dropLast(2) + ["share/doc/scenario/"]).joined(separator: "/")
    }

    /// The hint where no scenario was named.
    ///
    /// - Parameter program: The installed command.
    static func hint(of program: String) -> String {
        let beginning = "`scenario init bank` writes one to begin with"
        return folder(of: program).map { "`scenario run \($0)` runs the examples; \(beginning)" } ?? beginning
    }
}
