internal import Documents
internal import PolicyEngine

/// The topic `pin`: the public keys that apps accept for an API domain (manual, Managing Domain Pins, Forcing Pin
/// Application).
package enum PinTopic: ManagementTopic {
    case add(String, domain: String)
    case remove(String, domain: String)
    case list(domain: String)
    case leafPin(domain: String, seenBy: Observer, port: Int)
    case chainPins(domain: String)
    case certificatePin(file: String)
    case forceApply

    /// An observer of the certificates that a domain presents: the person who gives the command, the service, or both, which
    /// then must agree (R18.9).
    package enum Observer: String, CaseIterable, Sendable {
        case matching, local, remote
    }

    static let name = "pin"

    static let actions: [CommandAction] = [
        action("-add", "pin", for: .admins, changes: true, impact: "updating the pins", options: [domainOption]) {
            call throws(CommandError) in
            .add(try pin(call), domain: try domain(call))
        },
        action("-remove", "pin", for: .admins, changes: true, impact: "updating the pins", options: [domainOption]) {
            call throws(CommandError) in
            .remove(try pin(call), domain: try domain(call))
        },
        action("-list", for: .builders, options: [domainOption]) { call throws(CommandError) in
            .list(domain: try domain(call))
        },
        action(
            "-getLeafPin", "view, `matching`, `local` or `remote`", for: .builders, options: [domainOption, portOption]
        ) { call throws(CommandError) in
            .leafPin(domain: try domain(call), seenBy: try call.word(), port: try port(call))
        },
        action("-getCertChainPins", for: .builders, options: [domainOption, portOption]) { call throws(CommandError) in
            _ = try port(call)
            return .chainPins(domain: try domain(call))
        },
        action("-getCertPin", "file name", for: .builders) { .certificatePin(file: $0.operand) },
        action("-forceApplyPins", for: .admins, impact: "forcing pin application") { _ in .forceApply },
    ]

    private static let domainOption = CommandOption("-api", .text)
    private static let portOption = CommandOption("-port", .text)

    private static func port(_ call: CommandInvocation) throws(CommandError) -> Int {
        try call.value("-port").map(DomainTopic.port) ?? Account.usualMonitorPort
    }

    private static func domain(_ call: CommandInvocation) throws(CommandError) -> String {
        guard let domain = call.value("-api") else {
            throw CommandError(
                "\(call.action.name.quoted) needs `-api`", hint: "it names the domain; `api -list` lists them")
        }
        return domain
    }

    // R18.1: a pin is checked by its form before anything runs.
    private static func pin(_ call: CommandInvocation) throws(CommandError) -> String {
        guard PublicKeyPin.pin(in: call.operand) != nil else {
            throw CommandError(
                ServiceError.invalidPin(call.operand, domain: try domain(call)).description,
                hint: "`key:NAME` stands for the pin of a key of that name")
        }
        return call.operand
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let text, let domain):
            let pin = try CommandError.wrapping { () throws(ServiceError) in
                try account.addPin(text, toDomain: domain)
            }
            effect.reported = ["pin \(pin) added to API domain \(domain)"]
        case .remove(let text, let domain):
            let pin = try CommandError.wrapping { () throws(ServiceError) in
                try account.removePin(text, fromDomain: domain)
            }
            effect.reported = ["removed pin \(pin) from API domain \(domain)"]
        case .list(let domain):
            effect.printed = try CommandError.wrapping { [account] () throws(ServiceError) in
                try account.pins(ofDomain: domain)
            }
        case .leafPin(let domain, let observer, let port):
            let pin = try Self.chain(of: domain, seenBy: observer, context).leaf.pin
            effect.printed = ["\(observer.rawValue) leaf pin for domain \(domain):\(port) is \(pin)"]
        case .chainPins(let domain):
            effect.printed = try Self.chain(of: domain, seenBy: .local, context).keys.map {
                "pin \($0.pin), \($0.subject)"
            }
        case .certificatePin(let file):
            let certificate = try Self.certificate(in: file, context, &effect)
            effect.printed = [
                "pin \(certificate.pin), expiry \(certificate.expiry.date), \(certificate.subject)"
            ]
        case .forceApply:
            effect.forcesPins = true
            effect.reported = ["pin update has been forced"]
        }
    }

    // The domain need not be the account's: its pin is mostly wanted before it is added.
    private static func chain(
        of domain: String, seenBy observer: Observer, _ context: CommandContext
    ) throws(CommandError) -> PresentedChain {
        guard APIDomain.isName(domain) else { throw CommandError(ServiceError.invalidDomain(domain)) }
        if let chain = try context.chains.chain(of: domain, seenBy: observer) { return chain }
        throw CommandError(
            "the certificates of \(domain.quoted) are not known",
            hint:
                "`backends` of a scenario gives them; `approov --backends` reads it, and `serve` takes `PUT /backends`"
        )
    }

    // The highest number of bytes of a file of certificates.
    private static let fileBytes = 1 << 20

    private static func certificate(
        in file: String, _ context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) -> PinnedCertificate {
        let certificates = PinnedCertificate.all(pem: try context.text(ofFile: file, limit: fileBytes))
        guard let first = certificates.first, let certificate = first else {
            throw CommandError(
                "file \(file.quoted) holds no certificate in PEM",
                hint: "`openssl x509 -inform der` makes PEM of one in DER")
        }
        if certificates.count > 1 {
            effect.warn("file \(file.quoted) holds \(certificates.count) certificates, of which this is the first")
        }
        return certificate
    }
}
