internal import Documents
package import PolicyEngine

/// `api -add`: an API domain, and the pin that it gets (R18.2a; manual, Pinning For New API Domains).
package struct DomainAddition: Hashable, Sendable {
    /// The domain without a pin, not watched.
    package let domain: APIDomain
    /// The observer that looks for its pin; `nil` is both, local and remote, which must agree.
    var pinType: PinType?
    /// The options that cannot make the demonstration domain another one.
    var ignored: [String] = []
    /// The port on which its pin is found, and its certificates are watched.
    var port = Account.usualMonitorPort

    /// An observer that looks for the pin of a new domain (R18.9), or none, so that it gets no pin.
    enum PinType: String, CaseIterable {
        case local, remote, none
    }

    /// The options of the command.
    static let options = [
        CommandOption("-pinOnly"), CommandOption("-keySetKID", .text), CommandOption("-jwe"),
        CommandOption("-pinType", .text), CommandOption("-port", .text),
    ]

    /// Makes the addition of a domain whose options are already understood.
    init(_ domain: APIDomain, pinType: PinType? = nil, port: Int = Account.usualMonitorPort) {
        (self.domain, self.pinType, self.port) = (domain, pinType, port)
    }

    /// Understands a command.
    ///
    /// - Throws: ``CommandError`` for options that contradict each other, and for words that are none.
    init(_ call: CommandInvocation) throws(CommandError) {
        let kinds = ["-pinOnly", "-keySetKID", "-jwe"].filter(call.has)
        guard kinds.count <= 1 else {
            throw CommandError("\(kinds[1].quoted) cannot be combined with \(kinds[0].quoted)")
        }
        let isDemonstration = APIDomain.isDemonstration(call.operand)
        let type = isDemonstration ? .restricted : Self.type(of: call)
        let domain = APIDomain(
            name: call.operand, type: type, algorithm: Self.algorithm(of: call, type: type),
            keyID: isDemonstration ? nil : call.value("-keySetKID"))
        self.init(
            domain, pinType: try call.word("-pinType"),
            port: try call.value("-port").map(DomainTopic.port) ?? Account.usualMonitorPort)
        ignored = isDemonstration ? kinds : []
    }

    private static func type(of call: CommandInvocation) -> APIDomain.Kind {
        if call.has("-pinOnly") { return .pinOnly }
        return call.has("-keySetKID") ? .keyset : .account
    }

    // A key of the key set has its own.
    private static func algorithm(of call: CommandInvocation, type: APIDomain.Kind) -> String? {
        switch type {
        case .account: call.has("-jwe") ? APIDomain.encryptionAlgorithm : APIDomain.defaultAlgorithm
        case .restricted: APIDomain.defaultAlgorithm
        case .keyset, .pinOnly: nil
        }
    }

    /// Adds the domain.
    ///
    /// - Throws: ``CommandError`` for what the service would refuse.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let servedAny = !account.listsAPIDomains
        var added = domain
        if added.type == .keyset {
            added.algorithm = try KeySetTopic.key(added.keyID ?? "", of: account).algorithm.rawValue
        }
        for option in ignored {
            effect.warn(
                "\(option.quoted) has no effect: the keys and pins of \(added.name.quoted) are managed for the account")
        }
        try pin(&added, by: context.chains, &effect)
        try CommandError.wrapping { [added] () throws(ServiceError) in try account.append(added) }
        if servedAny { effect.warn("from now on only \(added.name.quoted) is served; before, every domain was") }
        effect.reported = DomainText.addition(of: added)
    }

    // R18.2a, R25.1: a domain that got a pin is watched, unless the pin was found locally. The pins of a managed domain are
    // managed with it.
    private func pin(
        _ added: inout APIDomain, by chains: KnownChains, _ effect: inout CommandEffect
    ) throws(CommandError) {
        guard pinType != PinType.none, added.type != .restricted else { return }
        let observer = pinType.flatMap { PinTopic.Observer(rawValue: $0.rawValue) } ?? .matching
        guard let chain = try chains.chain(of: added.name, seenBy: observer) else {
            effect.warn(
                "the certificates of \(added.name.quoted) are not known, so it got no pin and is not watched; "
                    + "`pin -add` adds one")
            return
        }
        added.pins = [chain.leaf.pin]
        if pinType != .local { added.monitorPort = port }
    }
}
