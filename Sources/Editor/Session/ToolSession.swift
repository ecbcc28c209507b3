internal import Documents
package import PolicyEngine

/// A question that an agent may ask: a tool of the Model Context Protocol.
package struct AgentTool: Sendable {
    let name: String
    let summary: String
    /// The JSON Schema of its arguments.
    let input: JSONValue
    let call: @Sendable (JSONContent) -> Answer

    package init(
        name: String, summary: String, input: JSONValue, call: @escaping @Sendable (JSONContent) -> Answer
    ) {
        (self.name, self.summary, self.input, self.call) = (name, summary, input, call)
    }

    /// The answer to a question.
    package struct Answer: Sendable {
        /// The texts, in their order: a report, and the remarks beside it.
        let texts: [String]
        /// True if there is no report.
        let isError: Bool

        package init(_ texts: [String], isError: Bool) { (self.texts, self.isError) = (texts, isError) }
    }
}

/// A text that an agent may read.
package struct AgentResource: Sendable {
    let uri: String
    let name: String
    let type: String
    let read: @Sendable () -> String?

    package init(uri: String, name: String, type: String, read: @escaping @Sendable () -> String?) {
        (self.uri, self.name, self.type, self.read) = (uri, name, type, read)
    }
}

/// The conversation with a client of the Model Context Protocol, without its streams.
package struct ToolSession {
    /// The versions of the protocol, the latest first.
    private static let protocols = ["2025-06-18", "2025-03-26", "2024-11-05"]

    private let toolVersion: String
    private let instructions: String
    private let tools: [AgentTool]
    private let resources: @Sendable () -> [AgentResource]
    // Calls in the order in which they came.
    private var waiting: [ToolWork] = []

    /// - Parameters:
    ///   - version: The version of the tool.
    ///   - instructions: Tells agents what to know before they ask.
    ///   - resources: The texts that there are whenever somebody asks for them.
    package init(
        version: String, instructions: String = "", tools: [AgentTool],
        resources: @autoclosure @escaping @Sendable () -> [AgentResource]
    ) {
        (toolVersion, self.instructions, self.tools, self.resources) = (version, instructions, tools, resources)
    }

    /// A call that is carried out beside the conversation.
    package struct ToolWork: Sendable {
        let id: RPCID
        private let tool: AgentTool
        private let arguments: JSONContent

        fileprivate init(id: RPCID, tool: AgentTool, arguments: JSONContent) {
            (self.id, self.tool, self.arguments) = (id, tool, arguments)
        }

        /// Carries the call out.
        package func run() -> JSONValue {
            guard !Cancellation.isDue() else { return .null }
            let answer = tool.call(arguments)
            let texts = answer.texts.map { JSONValue.ordered([("type", .string("text")), ("text", .string($0))]) }
            return .ordered([("content", .array(texts)), ("isError", .boolean(answer.isError))])
        }
    }

    /// The result of a call.
    struct ToolOutcome: Sendable {
        let id: RPCID
        let result: JSONValue
    }

    /// Takes a message.
    ///
    /// - Returns: The messages for the client; those of calls come later.
    package mutating func accept(_ message: RPCMessage) -> [JSONValue] {
        guard case .request(let id, let method, let parameters) = message else { return [] }
        do throws(RPCFailure) {
            if method == "tools/call" {
                waiting.append(try work(id, parameters))
                return []
            }
            return [RPCReply.result(try answer(method, parameters), of: id)]
        } catch {
            return [RPCReply.failure(error, of: id)]
        }
    }

    /// The next call; `nil` if none waits.
    package mutating func nextWork(_ lane: WorkLane = .slow) -> ToolWork? {
        lane == .slow && !waiting.isEmpty ? waiting.removeFirst() : nil
    }

    private func work(_ id: RPCID, _ parameters: JSONContent) throws(RPCFailure) -> ToolWork {
        let name = parameters["name"]?.text ?? ""
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw RPCFailure(.invalidParameters, "there is no tool \(name.quoted)")
        }
        return ToolWork(id: id, tool: tool, arguments: parameters["arguments"] ?? .object([]))
    }

    private func answer(_ method: String, _ parameters: JSONContent) throws(RPCFailure) -> JSONValue {
        switch method {
        case "initialize":
            let asked = parameters["protocolVersion"]?.text ?? ""
            return .ordered([
                ("protocolVersion", .string(Self.protocols.contains(asked) ? asked : Self.protocols[0])),
                ("capabilities", .ordered([("tools", .ordered([])), ("resources", .ordered([]))])),
                ("serverInfo", .ordered([("name", .string("scenario")), ("version", .string(toolVersion))])),
                ("instructions", .string(instructions)),
            ])
        case "ping": return .ordered([])
        case "tools/list": return .ordered([("tools", .array(tools.map(Self.value)))])
        case "resources/list": return .ordered([("resources", .array(resources().map(Self.value)))])
        case "resources/templates/list": return .ordered([("resourceTemplates", .array([]))])
        case "resources/read":
            let uri = parameters["uri"]?.text ?? ""
            guard let resource = resources().first(where: { $0.uri == uri }), let text = resource.read() else {
                throw RPCFailure(.invalidParameters, "there is no resource \(uri.quoted)")
            }
            let content = JSONValue.ordered([
                ("uri", .string(uri)), ("mimeType", .string(resource.type)), ("text", .string(text)),
            ])
            return .ordered([("contents", .array([content]))])
        default: throw RPCFailure(.methodNotFound, "there is no method \(method.quoted)")
        }
    }

    private static func value(_ tool: AgentTool) -> JSONValue {
        .ordered([
            ("name", .string(tool.name)), ("description", .string(tool.summary)), ("inputSchema", tool.input),
            ("annotations", .ordered([("readOnlyHint", .boolean(true)), ("openWorldHint", .boolean(false))])),
        ])
    }

    private static func value(_ resource: AgentResource) -> JSONValue {
        .ordered([
            ("uri", .string(resource.uri)), ("name", .string(resource.name)), ("mimeType", .string(resource.type)),
        ])
    }
}
