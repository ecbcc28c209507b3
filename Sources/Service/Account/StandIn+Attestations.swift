internal import HTTP
internal import PolicyEngine
internal import Replay
internal import Scenarios

// R23.4: attestations that a test sends.
extension StandIn {
    /// Decides on a record and makes the token that its device would have.
    ///
    /// - Parameters:
    ///   - record: A record of a capture without its time, as ``AttestationRecord`` reads it.
    ///   - domain: The domain that the token is for, or a URL of it; `nil` for the only one that the account has.
    ///   - data: The data that the app bound its tokens to; `nil` for none.
    /// - Throws: ``Refusal``; nothing is remembered then.
    mutating func attest(
        _ record: [UInt8], domain: String?, data: String?, at time: Instant
    ) throws(Refusal) -> HTTPAnswer {
        guard let server = outage.server(at: time) else { throw noService(at: time) }
        let received = try receive(record, isNew: true)
        let domain = try self.domain(domain, at: time)
        try keep(StateEvent(server == .primary ? .attestation : .failover, at: time, record))
        let attested = account.attest(received, at: time, by: server)
        let decision = account.json(of: attested, index: number())
        let token: String
        do throws(TokenIssueError) {
            token = try account.token(for: attested, domain: domain, data: data)
        } catch {
            throw .badField("domain", error.description)
        }
        var output = JSONBytes()
        output.raw("{\"decision\":")
        output.bytes += decision
        output.raw(",\"token\":")
        output.string(token)
        output.raw("}\n")
        return HTTPAnswer(status: 200, mediaType: HTTPAnswer.json, body: output.bytes)
    }

    // R14.3, R23.4a: as the SDK would put it.
    private func noService(at time: Instant) -> Refusal {
        if let takeover = outage.takeover(after: time), !outage.failover {
            return Refusal(
                503, "the primary service has an outage, and the failover has not taken over yet: NO_APPROOV_SERVICE",
                hint: "it answers from \(takeover) on")
        }
        return Refusal(503, "neither the primary service nor the failover answers: NO_APPROOV_SERVICE")
    }

    /// Decides on a record that was decided on before, so that the service is as it was.
    mutating func repeatAttestation(_ record: [UInt8], by server: TokenService, at time: Instant) throws(Refusal) {
        _ = account.attest(try receive(record, isNew: false), at: time, by: server)
        _ = number()
    }

    private func receive(_ record: [UInt8], isNew: Bool) throws(Refusal) -> ServedAccount.Received {
        do throws(RecordRefusal) {
            let received = try account.receive(Self.timed(record))
            if isNew { try account.checkNames(of: received) }
            return received
        } catch {
            throw .badField(try Self.field(of: record, in: error.description), error.description, hint: error.hint)
        }
    }

    // The member that a message is about: it quotes its name, or its value, or says what it is.
    private static func field(of record: [UInt8], in message: String) throws(Refusal) -> String {
        let quoted = message.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
        if quoted == "device-id" { return "device-id" }
        let members = try RequestBody.object(record)
        if let named = members.first(where: { $0.name.text == quoted }) { return named.name.text }
        if let valued = members.first(where: { text(of: $0.value) == quoted }) { return valued.name.text }
        let given = members.filter { Self.lists.contains($0.name.text) }
        return message.contains("flag") && given.count == 1 ? given[0].name.text : "body"
    }

    // As the record's reader takes it.
    private static func text(of value: JSONContent) -> String? {
        if case .number(let digits) = value { return digits }
        return value.text
    }

    // The keys of lists of flags.
    private static let lists = ["flags", "flags-all", "public-flags", "rejection-flags"]

    // A record has a time. The clock's is set when it is evaluated.
    private static func timed(_ record: [UInt8]) -> [UInt8] {
        guard let start = record.firstIndex(of: UInt8(ascii: "{")) else { return record }
        let rest = record[(start + 1)...]
        let isEmpty = rest.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } == UInt8(ascii: "}")
        return Array("{\"time\":\"1970-01-01T00:00:00Z\"\(isEmpty ? "" : ",")".utf8) + rest
    }

    private func domain(_ text: String?, at time: Instant) throws(Refusal) -> String {
        let served = account.latest.apiDomains.filter { $0.type != .pinOnly }.map(\.name)
        let names = served.map { "`\($0)`" }.joined(separator: ", ")
        let hint = served.isEmpty ? "such as ?domain=api.example.com" : "there are \(names)"
        guard let text = text ?? (served.count == 1 ? served[0] : nil) else {
            throw .badField("domain", "`domain` is missing", hint: hint)
        }
        let domain = try DomainName.inURL(text, field: "domain")
        guard !APIDomain.asksForMeasurement(text) else {
            throw .badField("domain", "measurements are not supported here", hint: "leave `?measurement` out")
        }
        do throws(TokenIssueError) {
            try account.checkDomain(domain, at: time)
        } catch {
            throw .badField("domain", error.description, hint: served.isEmpty ? nil : hint)
        }
        return domain
    }
}
