internal import HTTP

/// The files of the page, which are parts of the command.
struct PageFile: Sendable {
    let name: String
    let content: [UInt8]

    /// All of them; the first is the page itself.
    static let all = [
        PageFile(name: "index.html", content: PackageResources.index_html)
    ]

    /// The file of a path below the secret.
    static func named(_ path: String) -> PageFile? {
        path.isEmpty ? all.first : all.first { $0.name == path }
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]

    var answer: HTTPAnswer {
        let ending = String(name.split(separator: ".").last ?? "")
        return HTTPAnswer(status: 200, mediaType: Self.mediaTypes[ending] ?? "text/plain", body: content)
    }
}
