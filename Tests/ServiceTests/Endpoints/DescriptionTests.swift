import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// The documentation of the service.
@Suite struct DescriptionTests {
    @Test("R23.6 it lists what can be asked") func itListsWhatCanBeAsked() throws {
        let text = ServiceDescription.openAPI(version: "1")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let listed = paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } }
        #expect(
            listed.sorted() == [
                "get /.well-known/jwks.json", "get /arc-info/", "get /backends", "get /healthcheck/{account}",
                "get /metrics", "get /outage", "post /approov", "post /attest", "post /clock", "put /backends",
                "put /outage", "put /token-info/",
            ])
        let attest = try #require(paths["/attest"]?["post"] as? [String: Any])
        #expect((attest["responses"] as? [String: Any])?.keys.sorted() == ["200", "400", "403", "413", "421", "503"])
        #expect(attest["security"] == nil)
        let code = try #require(paths["/arc-info/"]?["get"] as? [String: Any])
        #expect(
            (code["responses"] as? [String: Any])?.keys.sorted() == ["200", "400", "401", "403", "421", "429", "503"])
        #expect((code["parameters"] as? [[String: Any]])?.map { $0["in"] as? String } == ["header"])
    }

    // Every documented path is answered, and no answer has a status that is not documented.
    @Test("R23.6 every documented path is answered") func everyDocumentedPathIsAnswered() throws {
        var bench = try ServiceBench()
        for route in RouteTable.routes {
            let path = route.path.replacing("{account}", with: "att-my-account")
            let answer = bench.send("\(route.method.rawValue) \(path)", route.body?.example ?? "")
            #expect(answer.status != 404 && answer.status != 405, "\(path)")
            let documented = ServiceDescription.statuses(of: route)
            #expect(documented.contains(answer.status), "\(path): \(answer.status)")
        }
    }
}
