import Foundation
import Synchronization

@testable import Reports
@testable import TestSupport
@testable import scenario

/// The result of running the tool.
struct ToolRun {
    let status: scenario.ExitStatus
    /// Standard output and standard error; the paths of the folder are left out.
    let output, error: String

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: As typed; `@name` is the path of a file in the folder.
    ///   - folder: The folder of those files.
    ///   - input: The lines that are typed.
    ///   - showsInput: True if a terminal shows what is typed.
    ///   - environment: The variables that are set.
    init(
        _ arguments: [String], in folder: TemporaryFolder, input: [String] = [], showsInput: Bool = false,
        environment: [String: String] = [:]
    ) {
        let (recorder, errors) = (Recorder(input: input), Errors())
        let console = Console(
            output: { recorder.output += $0 }, error: { text in errors.text.withLock { $0 += text } },
            style: .plain, showsProgress: false, input: { recorder.nextLine() }, showsInput: showsInput,
            environment: { environment[$0] })
        let paths = arguments.map { $0.replacing(/(^|=)@/) { "\($0.output.1)\(folder.path)/" } }
        status = ScenarioTool.run(paths, console: console)
        output = recorder.output.replacing(folder.path + "/", with: "")
        error = errors.text.withLock { $0 }.replacing(folder.path + "/", with: "")
    }

    /// Runs the tool on files that are there for this run only.
    init(_ arguments: [String], files: [String: String] = [:]) throws {
        self.init(arguments, in: try TemporaryFolder(files))
    }

    private final class Recorder {
        var output = ""
        private var input: ArraySlice<String>

        init(input: [String]) {
            self.input = input[...]
        }

        func nextLine() -> String? { input.popFirst() }
    }

    // Words of whatever thread.
    private final class Errors: Sendable {
        let text = Mutex("")
    }
}
