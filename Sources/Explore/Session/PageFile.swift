internal import HTTP

/// The files of the page, which are parts of the command.
struct PageFile: Sendable {
    let name: String
    let content: [UInt8]

    /// All of them; the first is the page itself.
    static let all = [
        PageFile(name: "index.html", content: PackageResources.index_html),
        PageFile(name: "account.js", content: PackageResources.account_js),
        PageFile(name: "answer.js", content: PackageResources.answer_js),
        PageFile(name: "command-line.js", content: PackageResources.command_line_js),
        PageFile(name: "commands.js", content: PackageResources.commands_js),
        PageFile(name: "devices.js", content: PackageResources.devices_js),
        PageFile(name: "edits.js", content: PackageResources.edits_js),
        PageFile(name: "element.js", content: PackageResources.element_js),
        PageFile(name: "explanation.js", content: PackageResources.explanation_js),
        PageFile(name: "explore.css", content: PackageResources.explore_css),
        PageFile(name: "filters.js", content: PackageResources.filters_js),
        PageFile(name: "history.js", content: PackageResources.history_js),
        PageFile(name: "hit.js", content: PackageResources.hit_js),
        PageFile(name: "main.js", content: PackageResources.main_js),
        PageFile(name: "plot.js", content: PackageResources.plot_js),
        PageFile(name: "server.js", content: PackageResources.server_js),
        PageFile(name: "text.js", content: PackageResources.text_js),
        PageFile(name: "time.js", content: PackageResources.time_js),
        PageFile(name: "tools.js", content: PackageResources.tools_js),
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
