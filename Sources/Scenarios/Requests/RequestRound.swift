internal import Figures
internal import PolicyEngine

/// The requests of a group to a host while nothing outside the installs changes (R19).
struct RequestRound {
    /// The circumstances outside the installs that affect outcomes.
    struct Circumstances: Hashable {
        let backends: Int
        /// The changes of the account that are made and in force.
        let moment: AccountHistory.Moment
        let builtIn: Int
        let settings: ClientSettings
        /// True if the backend checks tokens (R19.4).
        let requiresToken: Bool
    }

    /// A request of the step that is carried out.
    struct Call {
        let target: RequestTarget
        let access: ServiceAccess
        /// The tokens of other installs that are sent in place of the app's own (R19.8).
        let tokens: [CachedToken?]?
        var time: Instant { access.time }

        /// The token of another install that an install sends: that of the same number, or of the only one.
        func token(for number: Int) -> CachedToken? {
            guard let tokens else { return nil }
            return tokens.count == 1 ? tokens[0] : number < tokens.count ? tokens[number] : nil
        }
    }

    /// A fetch for a request.
    struct Fetch {
        let result: FetchResult
        let isCached: Bool
        /// Its notice about the configuration (R17.4).
        let notice: ConfigurationNotice
    }

    /// The result of a request, with what led to it.
    struct Result {
        var outcome = RequestOutcome.notSent
        /// The fetch behind it; `nil` where there was none.
        var fetch: Fetch?
        /// A fetch before it, after which the app was launched anew; and the token that it came back with.
        var earlier: (fetch: Fetch, token: CachedToken?)?
        var connection: ConnectionAttempt?
        var carriesToken = false
        /// The token, where it is another install's (R19.8).
        var foreignToken: CachedToken?
        var isSigned = false
        /// True if the app is to be launched anew (R18.4).
        var isToRelaunch = false
    }

    let circumstances: Circumstances
    let host: String
    /// The bit that stands for the host; the hosts behind the first 63 share one.
    let hostBit: UInt64
    let backend: Backends.Backend
    let service: SimulatedService
    /// Stands for the circumstances; never 0.
    let stamp: UInt32
    /// The tokens that the backend takes.
    var acceptance: TokenAcceptance
    // The connections that were decided; few differ.
    private(set) var connections: [(key: ConnectionKey, attempt: ConnectionAttempt)] = []

    struct ConnectionKey: Hashable {
        let revision: Int
        let mode: PinMode
        let path: NetworkPath
        let isCompromised, hasDynamicPins: Bool
    }

    private var settings: ClientSettings { circumstances.settings }

    /// Makes a request, in the order of R19; step by step, whatever is known, where it is traced.
    mutating func request(
        _ install: inout Install, _ call: Call, isTraced: Bool, in ledger: inout RequestLedger
    ) -> Result {
        let result = outcome(of: &install, call, isTraced: isTraced, in: &ledger)
        install.report(to: call.access.unless(isIntercepted: result.fetch?.result == .mitmDetected))
        return result
    }

    private mutating func outcome(
        of install: inout Install, _ call: Call, isTraced: Bool, in ledger: inout RequestLedger
    ) -> Result {
        var result = Result()
        if call.target.isPlain {
            install.decidedRules.insert(.plainRequests)
            sendPlainly(install, &result)
            count(result, of: install, at: call.time, in: &ledger)
            return result
        }
        if call.tokens != nil {
            install.decidedRules.insert(.foreignTokens)
            sendForeign(&install, call, &result)
            count(result, of: install, at: call.time, in: &ledger)
            result.isToRelaunch = relaunches(install, after: result)
            return result
        }
        guard bindHeader(of: &install, call) else {
            count(result, of: install, at: call.time, in: &ledger)
            return result
        }
        fetch(&install, call, &result)
        guard let fetch = result.fetch else { return result }
        // By clocks that are off, a cached token expires between two requests.
        let isByClock = install.clock != 0 || backend.clock != 0
        if isByClock { install.decidedRules.insert(.clocks) }
        if fetch.isCached, result.earlier == nil, !isTraced, !isByClock,
            let known = ledger.countAgain(install.number, stamp: stamp, epoch: install.epoch)
        {
            (result.outcome, result.isSigned, result.carriesToken) = (known.outcome, known.isSigned, true)
            countCalls(of: &install, result)
            return result
        }
        if sends(after: fetch.result, &result) { send(&install, call, &result) }
        count(result, of: install, at: call.time, in: &ledger)
        result.isToRelaunch = relaunches(install, after: result)
        return result
    }

    // R18.4.
    private func relaunches(_ install: borrowing Install, after result: Result) -> Bool {
        result.outcome == .blocked && settings.relaunchesOnBlocked
            && install.configuration.isPending(builtIn: circumstances.builtIn)
    }

    private func count(
        _ result: Result, of install: borrowing Install, at time: Instant, in ledger: inout RequestLedger
    ) {
        // Only a request with the app's own token can have the same outcome with the token in the cache.
        let isAgain = result.carriesToken && result.foreignToken == nil
        ledger.count(
            result.outcome, of: install.number, stamp: isAgain ? stamp : 0, epoch: install.epoch,
            isSigned: result.isSigned, at: time)
    }

    // R19.7: there is no certificate to pin, and whoever is on the way reads it.
    private func sendPlainly(_ install: borrowing Install, _ result: inout Result) {
        result.outcome =
            if install.network == .none || install.network == .poor {
                .noConnection
            } else if install.path.proxy(to: host) != nil {
                .intercepted
            } else if !backend.answers {
                .noConnection
            } else {
                circumstances.requiresToken ? .refused : .accepted
            }
    }

    // R19.8: nothing is fetched and nothing is bound, since it is not the app's own token.
    private mutating func sendForeign(_ install: inout Install, _ call: Call, _ result: inout Result) {
        guard let token = call.token(for: install.number) else { return }
        (result.foreignToken, result.carriesToken) = (token, true)
        send(&install, call, &result)
    }

    // The value of the header of a request; `nil` if there is none.
    private func header(of install: borrowing Install, _ call: Call) -> String? {
        guard settings.bindingHeader != nil else { return nil }
        return switch call.target.header {
        case .absent: nil
        case .text(let text): text
        case .ofDevice: install.headerValue(call.access)
        }
    }

    // R19.1: true if the header that tokens are bound to is there, or if none is needed.
    private func bindHeader(of install: inout Install, _ call: Call) -> Bool {
        guard settings.bindingHeader != nil else {
            install.bindChanged(call.access)
            return true
        }
        guard let value = header(of: install, call) else { return false }
        install.bind(value)
        return true
    }

    // R19.2, and what the app does about a changed configuration (R17.4, R18.4).
    private func fetch(_ install: inout Install, _ call: Call, _ result: inout Result) {
        let first = fetch(&install, call)
        result.fetch = first
        guard settings.watchesConfiguration else { return }
        let token = first.result == .success ? install.token : nil
        guard install.react(settings, to: first.notice, at: call.time) else { return }
        result.earlier = (first, token)
        // The process that made the request is gone; the app makes it again.
        result.fetch = fetch(&install, call)
    }

    private func fetch(_ install: inout Install, _ call: Call) -> Fetch {
        let fetched = install.fetch(call.access)
        return Fetch(
            result: fetched.result, isCached: fetched.isCached,
            notice: service.notice(of: install.configuration, at: call.time))
    }

    // R19.2.
    private func sends(after fetched: FetchResult, _ result: inout Result) -> Bool {
        switch fetched {
        case .success:
            result.carriesToken = true
            return true
        case .unknownURL, .unprotectedURL, .noApproovService: return true
        case .noNetwork, .poorNetwork, .mitmDetected, .badURL: return settings.sendsOnFailedFetch
        }
    }

    // R19.3 and R19.4.
    private mutating func send(_ install: inout Install, _ call: Call, _ result: inout Result) {
        if asksForSignature(of: install, result), let token = install.token {
            result.isSigned = acceptance.canSign(with: token.decision)
        }
        countCalls(of: &install, result)
        if readsForConnection(result) { install.configuration.readPins() }
        guard install.network != .none, install.network != .poor,
            let attempt = connect(install, hasDynamicPins: setsDynamicPins(result))
        else {
            result.outcome = .noConnection
            return
        }
        result.connection = attempt
        note(attempt, of: &install)
        guard attempt.isMade else {
            result.outcome = .blocked
            return
        }
        guard !attempt.isIntercepted else {
            result.outcome = .intercepted
            return
        }
        result.outcome = isAccepted(install, call, result) ? .accepted : .refused
        let isLate = circumstances.requiresToken && result.foreignToken?.isInUsualGrace(at: call.time) == true
        if isLate, result.outcome == .accepted { install.decidedRules.insert(.usualGrace) }
    }

    // R18.2, R18.5: the decided rules on which a connection rests. One that was made before would have been used again.
    private func note(_ attempt: ConnectionAttempt, of install: inout Install) {
        if attempt.applied?.replacesEmptyList == true { install.decidedRules.insert(.emptyPins) }
        if attempt.isMade {
            install.connections |= hostBit
        } else if install.connections & hostBit != 0 {
            install.decidedRules.insert(.newConnections)
        }
    }

    // R19.2: the plugin of 2018 sets the pins of the configuration only where a token came.
    private func setsDynamicPins(_ result: Result) -> Bool { result.carriesToken || !settings.sendsOnFailedFetch }

    // True if the app asks for its pins for this connection (R18.4).
    private func readsForConnection(_ result: Result) -> Bool {
        settings.reading == .connection && settings.staticPins[host] == nil && setsDynamicPins(result)
    }

    // R21.4: whatever the result, the app asks the SDK once it has a token, if the SDK has that call.
    private func asksForSignature(of install: borrowing Install, _ result: Result) -> Bool {
        result.carriesToken && result.foreignToken == nil && settings.signsMessages
            && service.supports(.messageSignatures, install.attestation)
    }

    private func countCalls(of install: inout Install, _ result: Result) {
        if readsForConnection(result) { install.statistics.pinReads &+= 1 }
        if asksForSignature(of: install, result) { install.statistics.signatures &+= 1 }
    }

    // `nil` where nobody answers.
    private mutating func connect(_ install: borrowing Install, hasDynamicPins: Bool) -> ConnectionAttempt? {
        guard let chain = install.path.chain(at: host, of: backend) else { return nil }
        let configurations = service.configurations
        let revision = install.configuration.used(builtIn: circumstances.builtIn)
        var mode = PinMode.pin
        if configurations.hasModes(in: revision) {
            mode = configurations.mode(of: service.deviceID(of: install.attestation.device), in: revision)
        }
        let key = ConnectionKey(
            revision: revision, mode: mode, path: install.path, isCompromised: install.hasCompromisedPinning,
            hasDynamicPins: hasDynamicPins)
        if let known = connections.first(where: { $0.key == key }) { return known.attempt }
        let own = settings.staticPins[host].map { PinConfiguration.Applied(pins: $0, origin: .app) }
        let dynamic = hasDynamicPins ? configurations.pins(of: revision) : .none
        let attempt = ConnectionAttempt(
            own
                ?? dynamic.applied(
                    to: host, presenting: backend.chain.pins, mode: mode, usingRoots: settings.usesRoots),
            revision: own == nil ? revision : nil, settings: settings, isCompromised: install.hasCompromisedPinning,
            chain, proxy: install.path.proxy(to: host))
        connections.append((key, attempt))
        return attempt
    }

    private mutating func isAccepted(_ install: borrowing Install, _ call: Call, _ result: Result) -> Bool {
        guard circumstances.requiresToken else { return true }
        guard result.carriesToken else { return false }
        if let foreign = result.foreignToken {
            return acceptance.accepts(
                foreign, boundTo: header(of: install, call), isSigned: false, at: call.time + backend.clock)
        }
        guard let token = install.token else { return false }
        return acceptance.accepts(
            token, boundTo: install.boundData, isSigned: result.isSigned, at: call.time + backend.clock)
    }
}

extension SimulatedService {
    /// The notice of a fetch about the configuration.
    func notice(of configuration: ConfigurationState, at time: Instant) -> ConfigurationNotice {
        let builtIn = builtInRevision(configuration, at: time)
        return ConfigurationNotice(
            isChanged: configuration.isChanged(builtIn: builtIn), isForced: configuration.forcesPins(builtIn: builtIn))
    }
}
