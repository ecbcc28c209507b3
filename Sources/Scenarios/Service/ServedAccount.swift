package import Accounts
internal import Documents
package import Figures
package import PolicyEngine
package import Replay

/// The service of one account, to which records of a capture are sent one by one, and management commands in between
/// (R23.4).
///
/// It decides as a replay of the same records does. A class, since the account's service is one; for one thread at a time.
package final class ServedAccount {
    private let service: SimulatedService
    private var reader: RecordReader
    // The attributes that the reader looks for, by the account's filters and what the service keeps of a device.
    private var keys: [String]
    private var writer = DecisionWriter()
    private var issuer = TokenIssuer()
    private var codes: (revision: Int, codec: ResponseCodec)?
    // The domains for which there are tokens, as far as somebody asked.
    private var checked: [String: AccountHistory.Moment] = [:]

    /// Makes the service of an account that no device has attested to.
    package init(_ account: Account) {
        service = SimulatedService(account, platforms: SimulatedPlatforms(), source: .capture)
        keys = Self.keys(of: service.symbols)
        reader = RecordReader(keys: keys, catalogue: account.catalogue)
    }

    private static func keys(of symbols: SymbolTable) -> [String] {
        let filtered = symbols.attributes.keys.map(\.name)
        return InformationKeys.given + filtered.filter { !InformationKeys.given.contains($0) }
    }

    /// The account with every change made so far, in force or not.
    package var latest: Account { service.engine.history.latest }

    /// The figures counted so far.
    package var figures: Figures { service.figures }

    /// The number of devices that attested.
    package var deviceCount: Int { service.symbols.devices.count }

    // MARK: Attestations

    /// A record that is valid, and not yet evaluated.
    package struct Received {
        fileprivate let record: RecordReader.Record
        fileprivate let catalogue: FlagCatalogue
        fileprivate let flags: FlagSet
    }

    /// The decision on a record.
    package struct Answered {
        fileprivate let decision: Decision
        fileprivate let attestation: Attestation
    }

    /// Reads a record; nothing is remembered of it.
    package func receive(_ text: [UInt8]) throws(RecordRefusal) -> Received {
        let record = try reader.read(text)
        var catalogue = service.symbols.catalogue
        guard let list = record.newFlags else {
            return Received(record: record, catalogue: catalogue, flags: record.flags)
        }
        do throws(FlagListError) {
            let flags = try FlagList.read(list, catalogue: &catalogue)
            return Received(record: record, catalogue: catalogue, flags: flags)
        } catch {
            throw RecordRefusal(description: error.description)
        }
    }

    /// Refuses a key or a flag that is not known and looks like one that is: the answer would say less of the device than its
    /// sender thinks.
    package func checkNames(of received: Received) throws(RecordRefusal) {
        if let (name, meant) = received.record.misspeltKey {
            throw RecordRefusal(
                description: "\(name.quoted) is not read as \(meant.quoted)", hint: "did you mean \(meant.quoted)?")
        }
        let (known, names) = (service.symbols.catalogue, received.catalogue.names(of: received.flags))
        for name in names where known.flag(named: name) == nil {
            guard let hint = Suggestion.hint(for: name, among: latest.catalogue.declaredNames) else { continue }
            throw RecordRefusal(description: "\(name.quoted) is no flag of the catalogue or the account", hint: hint)
        }
    }

    /// Evaluates a record and counts it.
    ///
    /// - Parameters:
    ///   - received: The record that was received last.
    ///   - time: Now; not before the record before it.
    ///   - server: The service that answers; the failover counts nothing (R14.3).
    package func attest(_ received: Received, at time: Instant, by server: TokenService) -> Answered {
        service.symbols.catalogue = received.catalogue
        var attestation = Attestation(
            time: time, device: service.symbols.devices.intern(received.record.device), flags: received.flags)
        for attribute in received.record.attributes {
            let key = service.symbols.attributes.key(named: attribute.key)
            attestation.set(service.symbols.attributes.intern(attribute.value, for: key), for: key)
        }
        let id = service.symbols.attributes.key(named: "device-id")
        attestation.set(service.symbols.attributes.intern(received.record.device.description, for: id), for: id)
        let decision = service.attest(
            captured: attestation, on: received.record.system, verdict: received.record.capturedVerdict, by: server)
        return Answered(decision: decision, attestation: attestation)
    }

    /// A decision as JSON on one line, without its end (formats: Decisions).
    ///
    /// - Parameter index: Its number, counted from 0.
    package func json(of answered: Answered, index: Int) -> [UInt8] {
        writer.render(answered.decision, index: index, engine: service.engine, symbols: service.symbols).dropLast()
    }

    /// Checks that tokens are made for a domain.
    ///
    /// - Throws: ``TokenIssueError`` where there are none.
    package func checkDomain(_ domain: String, at time: Instant) throws(TokenIssueError) {
        let history = service.engine.history
        let moment = history.moment(at: time)
        guard checked[domain] != moment else { return }
        switch history.access(toDomain: domain, at: moment) {
        case .served:
            _ = try TokenMinter(account: history.account(forTokensOf: domain, at: moment), domain: domain)
        case .unprotected: throw .unprotected(domain)
        case .unknown: throw .unknownDomain(domain, known: latest.apiDomains.map(\.name))
        }
        if checked.count >= Self.checkedLimit { checked = [:] }
        checked[domain] = moment
    }

    private static let checkedLimit = 1000

    /// The token of a decision for a domain, correctly made where the device passed.
    ///
    /// - Parameter data: The data that the app bound its tokens to; `nil` for none.
    /// - Throws: ``TokenIssueError`` where there are no tokens for the domain.
    package func token(
        for answered: Answered, domain: String, data: String?
    ) throws(TokenIssueError) -> String {
        var token: [UInt8] = []
        try issuer.write(
            answered.decision,
            TokenIssuer.Attested(
                attestation: answered.attestation, changes: service.engine.history.revisions.count, boundData: data),
            domain: domain, engine: service.engine, symbols: service.symbols, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    // MARK: Backends

    /// The chains that API domains are said to present, the leaf first, by their names in lower case (R23.4a).
    package var chains: [(domain: String, chain: [String])] {
        service.backends.domains.map { ($0, service.backends[$0].chain.keys) }
    }

    /// Says what an API domain presents from now on (R18.6).
    ///
    /// - Parameters:
    ///   - chain: Names of keys, or pins, the leaf first; one at least.
    ///   - domain: Its name in lower case.
    package func present(_ chain: [String], at domain: String) {
        service.backends.apply(Backends.Change(domain: domain, chain: KeyChain(chain)))
    }

    // MARK: Questions of backends

    /// The meaning of a response code to the account that is in force (R12.3).
    ///
    /// - Returns: `nil` for a code that the account did not issue, and where it issues none.
    package func meaning(ofCode code: String, at time: Instant) -> ResponseMeaning? {
        let revision = service.engine.history.revision(inForceAt: time, from: 0)
        let account = service.engine.history.revisions[revision].account
        guard account.isResponseCodeOn else { return nil }
        if let known = codes, known.revision == revision { return known.codec.meaning(of: code) }
        let codec = ResponseCodec(account: account)
        codes = (revision, codec)
        return codec.meaning(of: code)
    }

    /// The flags that have names so far.
    package var catalogue: FlagCatalogue { service.symbols.catalogue }

    /// The result of the service's check of a token (manual, Checking Token Validity).
    ///
    /// - Throws: ``TokenError`` for what is none.
    package func check(_ token: String, at time: Instant) throws(TokenError) -> TokenCheck {
        try TokenCheck(token, account: service.engine.account(inForceAt: time), at: time)
    }

    // MARK: Management commands

    /// The effects of a management command, before it takes effect.
    package struct Prepared {
        /// The result beside the change, and what has to be confirmed first.
        package let effect: CommandEffect
        /// The lines that answer what it asks about devices.
        package let lines: [String]
        /// The account that the command makes; `nil` where it makes none.
        package var changed: Account?

        /// True if anything is different once it took effect.
        package var leavesTraces: Bool {
            changed != nil || effect.clearsDeviceState || effect.forcesPins || effect.query?.clears == true
        }
    }

    /// Tries a management command; nothing changes yet.
    ///
    /// - Throws: ``CommandError`` for what the service refuses.
    package func prepare(
        _ command: ManagementCommand, in context: CommandContext, at time: Instant
    ) throws(CommandError) -> Prepared {
        var (account, context) = (latest, context)
        context.latest = { [service] in service.latestDevices(at: time) }
        // Nothing is known of a domain of which nobody said anything.
        context.chains = service.backends.presented(knowingAll: false)
        context.configurationSince = service.configurations.start(ofNewestAt: time)
        let effect = try command.apply(to: &account, in: context)
        let lines = try effect.query.map { query throws(CommandError) in try service.answer(query.reading) } ?? []
        return Prepared(effect: effect, lines: lines, changed: command.changesAccount ? account : nil)
    }

    /// Lets a management command take effect (R1.5).
    package func carryOut(_ prepared: Prepared, at time: Instant) {
        // The information that was printed when the command was tried is discarded now.
        if let query = prepared.effect.query, query.clears { _ = try? service.answer(query) }
        if prepared.effect.clearsDeviceState { service.clearDeviceState() }
        if prepared.effect.forcesPins { service.forcePins(at: time) }
        if let account = prepared.changed {
            service.change(to: account, at: time)
            let needed = Self.keys(of: service.symbols)
            if needed != keys {
                keys = needed
                reader = RecordReader(keys: keys, catalogue: service.symbols.catalogue)
            }
        }
    }
}
