internal import Documents

/// The example scenarios that are installed with the command.
enum InstalledExamples {
    /// The file of the running command.
    static var program: String { FileLocation("/proc/self/exe").path }

    /// The folder of the examples; `nil` where they are not installed.
    ///
    /// - Parameter program: The installed command, such as `/usr/bin/scenario`.
    static func folder(of program: String) -> String? {
        let parts = program.split(separator: "/").dropLast(2)
        let folder = "/" + (parts + ["share/doc/scenario/examples/Scenarios"]).joined(separator: "/")
        return FileLocation(folder).isFolder ? folder : nil
    }

    /// The hint where no scenario was named.
    ///
    /// - Parameter program: The installed command.
    static func hint(of program: String) -> String {
        let beginning = "`scenario init bank` writes one to begin with"
        return folder(of: program).map { "`scenario run \($0)` runs the examples; \(beginning)" } ?? beginning
    }
}
