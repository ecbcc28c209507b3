internal import Documents

/// A file of lines that a replay writes beside its report, if it was asked for.
package struct LineFile: ~Copyable {
    private let path: String
    private var file: OutputFile?

    /// - Parameters:
    ///   - path: The file, `-` for standard output; `nil` for none.
    ///   - isSecret: True if nobody but its owner may read it, whatever mode it had before.
    /// - Throws: ``ReplayFailure``.
    package init(path: String?, isSecret: Bool = false) throws(ReplayFailure) {
        self.path = path ?? ""
        guard let path else {
            file = nil
            return
        }
        do throws(FileFailure) {
            file = try OutputFile(path: path, isSecret: isSecret)
        } catch {
            throw .output(path: path, error)
        }
    }

    /// True if anything is to be written.
    package var isOpen: Bool {
        switch file {
        case nil: false
        default: true
        }
    }

    package mutating func write(_ line: some Collection<UInt8>) throws(ReplayFailure) {
        do throws(FileFailure) {
            try file?.write(line)
        } catch {
            throw .output(path: path, error)
        }
    }

    /// Puts the file in its place; without it nothing is left behind.
    package mutating func finish() throws(ReplayFailure) {
        do throws(FileFailure) {
            try file?.finish()
        } catch {
            throw .output(path: path, error)
        }
    }
}
