internal import Editor
internal import PolicyEngine

/// The bytes of a client: as messages of either framing, however they are cut, and each line as a message of both protocols.
enum ConversationTarget {
    private static let beginning = [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///f/s.yaml","version":1,"#
            + #""text":"scenario: x\naccount: {filters: [{name: vpn, key: ip, match: a}]}\n"#
            + #"devices: {bob: {}}\nsteps: [{at: 1h, fetch: bob}]\n"}}}"#,
    ].map { Array($0.utf8) }

    static func feed(_ bytes: [UInt8]) {
        for framing in [MessageFraming.header, .line] {
            let whole = messages(bytes, framing, step: max(1, bytes.count))
            if messages(bytes, framing, step: 3) != whole { fatalError("a stream depends on how it is cut") }
        }
        var editor = LanguageSession(version: "0")
        var agent = ToolSession(version: "0", tools: [], resources: [])
        for line in beginning + bytes.split(separator: UInt8(ascii: "\n")).map(Array.init) {
            do throws(RPCFailure) {
                let message = try RPCMessage(line)
                for reply in editor.accept(message) + agent.accept(message) { _ = reply.bytes }
            } catch {
                _ = RPCReply.failure(error, of: nil).bytes
            }
            while let work = editor.nextWork() { for reply in editor.accept(work.run()) { _ = reply.bytes } }
        }
    }

    // The messages of a stream; the last one is empty where nothing more can be understood.
    private static func messages(_ bytes: [UInt8], _ framing: MessageFraming, step: Int) -> [[UInt8]] {
        var (stream, messages) = (MessageStream(framing), [[UInt8]]())
        do throws(FramingFailure) {
            for start in stride(from: 0, to: bytes.count, by: step) {
                stream.take(bytes[start..<min(bytes.count, start + step)])
                while let message = try stream.next() { messages.append(message) }
            }
        } catch {
            messages.append([])
        }
        return messages
    }
}
