import Foundation
import Testing

@testable import Explore
@testable import HTTP
@testable import Reports
@testable import TestSupport
@testable import scenario

/// An exploration without a socket: requests as its own page sends them.
struct ExploreBench {
    let server: ExploreServer
    let folder: TemporaryFolder
    private let arguments: [String]

    /// - Parameters:
    ///   - arguments: Those of `explore`; `@name` is the path of a file in the folder.
    ///   - folder: The folder of those files.
    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        let paths = arguments.map { $0.replacing(/(^|=)@/) { "\($0.output.1)\(folder.path)/" } }
        let parsed = try ArgumentParser.parse(paths, for: .explore)
        var console = Console(output: { _ in }, error: { _ in }, style: .plain, showsProgress: false)
        console.redaction = try RedactionOptions.redaction(parsed)
        let session = try scenario.Command.session(CommandCall(arguments: parsed, console: console))
        let answers = ExploreAnswers(session)
        server = ExploreServer(style: "") { question throws(Refusal) in try answers.answer(question) }
        (self.folder, self.arguments) = (folder, paths)
    }

    /// The answer to a question; without a body, to what is only read.
    func ask(_ subject: String, _ body: String? = "{}") -> HTTPAnswer {
        var request = HTTPRequest(method: body == nil ? "GET" : "POST", path: server.path + subject)
        request.headers = [.init("Host", "127.0.0.1:1"), .init("Content-Type", "application/json")]
        request.body = Array((body ?? "").utf8)
        return server.answer(request)
    }

    /// The text of an answer, whose status has to be 200.
    func text(_ subject: String, _ body: String = "{}", at location: Testing.SourceLocation = #_sourceLocation)
        -> String
    {
        let answer = ask(subject, body)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200, "\(text)", sourceLocation: location)
        return text.replacing(folder.path + "/", with: "")
    }

    /// The members of an answer that is JSON, whose status has to be 200.
    func members(
        _ subject: String, _ body: String = "{}", at location: Testing.SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(text(subject, body, at: location).utf8))
        return try #require(object as? [String: Any], sourceLocation: location)
    }
}
