package import Documents
package import PolicyEngine

/// All that a command needs to know beside the account.
package struct CommandContext {
    /// The time at which the command is given; `nil` if there is none, as before a replay.
    package var time: Instant?
    /// The devices that attested in the last two minutes, for `device -add latest` (R6.2).
    package var latest: () -> [DeviceID] = { [] }
    /// The certificates that API domains present, as far as they are known (R18.2a).
    package var chains = KnownChains.unknown
    /// When the newest configuration of apps came into force; `nil` if it never changed, or if that is not known.
    package var configurationSince: Instant?
    /// The clock by which times are printed that the manual has in local time.
    package var zone = ClockZone.utc
    /// The folder in which the command is typed, with `/` at its end; empty for the working directory.
    package var folder = ""
    /// The files that it may read.
    package var boundary = FileBoundary.anywhere
    /// True if it may write files beside the account.
    package var writesFiles = false
    /// The source of new keys; by default they follow from the command's time alone.
    package var chance: KeyChance
    /// The role that it is given with.
    package var role = CommandRole.admin
    /// The name of the user who gives it; `nil` is the role's.
    package var user: String?
    /// The user role whose management token gives it; `nil` if none does.
    package private(set) var userRole: UserRole?
    /// The folder of the account, with `/` at its end; the command puts files there that it names itself.
    package var accountFolder = ""
    /// The URL at which the health of the service is requested.
    package var healthCheckAddress = "https://healthcheck.approovr.io"

    package init(time: Instant? = nil, folder: String = "", role: CommandRole = .admin) {
        self.time = time
        self.folder = folder
        self.role = role
        chance = .seeded("\(time.map { "\($0)" } ?? "")")
    }

    /// Lets a user give the command, whose management token was checked (R24.2, R24.3).
    package mutating func act(as user: UserRole) {
        (userRole, role, self.user) = (user, user.kind, user.name)
    }

    /// The time.
    ///
    /// - Parameter what: The action that needs the time, for the message.
    /// - Throws: ``CommandError`` if the time is not known.
    func time(for what: String) throws(CommandError) -> Instant {
        if let time { return time }
        throw CommandError(
            "\(what) needs the time",
            hint: "a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`")
    }

    /// The user's name, under which device entries are noted (R6.1).
    var userName: String { user ?? role.rawValue }

    /// The path of a file that a command names.
    ///
    /// - Throws: ``CommandError`` if it may not be read.
    func location(ofFile path: String) throws(CommandError) -> String {
        let location = path.hasPrefix("/") ? path : folder + path
        guard boundary.contains(location) else {
            throw CommandError(boundary.refusal(of: "file \(location.quoted)"))
        }
        return location
    }

    /// The text of a file that a command names.
    ///
    /// - Parameters:
    ///   - path: The path as it was typed.
    ///   - limit: The highest number of bytes.
    /// - Throws: ``CommandError`` if it cannot be read; the error holds nothing of its contents.
    func text(ofFile path: String, limit: Int) throws(CommandError) -> String {
        let location = try location(ofFile: path)
        let bytes = try CommandError.wrapping(about: "file \(location.quoted)") { () throws(FileFailure) in
            try TextFile.bytes(path: location)
        }
        guard bytes.count <= limit else {
            throw CommandError("file \(location.quoted) has \(bytes.count) bytes; at most \(limit) are read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("file \(location.quoted) is not valid UTF-8")
        }
        return text
    }
}

/// The certificate chains that API domains present, as far as they are declared (R18.2a, R18.6).
package struct KnownChains {
    /// The keys of a chain, the leaf first, each by its name or as a pin, as they are found on the network where commands are
    /// given and as the service finds them; `nil` where nobody answers.
    package typealias Keys = (local: [String]?, remote: [String]?)

    private let keys: (_ domain: String) -> Keys?

    /// Nothing is known: behind an account file alone there is no network.
    package static var unknown: KnownChains { KnownChains { _ in nil } }

    /// Makes the chains of those that are declared for each domain.
    ///
    /// - Parameter keys: The keys of a domain's chain; `nil` if they are not known. The domain is given in lower case.
    package init(_ keys: @escaping (_ domain: String) -> Keys?) {
        self.keys = keys
    }

    /// The chain of a domain as an observer finds it; `nil` where it is not known (R18.9).
    ///
    /// - Throws: ``CommandError`` if nobody answers, or if the observers find different keys and must agree.
    /// - Complexity: O(length of the chain).
    func chain(of domain: String, seenBy observer: PinTopic.Observer) throws(CommandError) -> PresentedChain? {
        guard let keys = keys(domain.lowercased()) else { return nil }
        func found(_ keys: [String]?, by observer: String) throws(CommandError) -> PresentedChain {
            if let chain = keys.flatMap(PresentedChain.init) { return chain }
            throw CommandError("domain \(domain) is not accessible by a \(observer) request")
        }
        if observer == .local { return try found(keys.local, by: "local") }
        let remote = try found(keys.remote, by: "remote")
        guard observer == .matching else { return remote }
        let local = try found(keys.local, by: "local")
        if local.leaf == remote.leaf { return local }
        throw CommandError(
            "domain \(domain) local pin \(local.leaf.pin) differs from remote pin \(remote.leaf.pin) (may be due to local "
                + "firewall)", hint: "`api -add` with `-pinType local` or `-pinType remote` takes one of them")
    }
}

/// The certificates that an API domain presents, as far as they are simulated.
struct PresentedChain: Hashable, Sendable {
    /// The certificate of the domain itself.
    let leaf: Key
    /// Those above it, up to the root.
    let above: [Key]

    /// The public key of a certificate, and whose it is.
    struct Key: Hashable, Sendable {
        let pin: String
        let subject: String

        /// - Parameter text: The name of the key, or its pin.
        init(_ text: String) {
            (pin, subject) = (PublicKeyPin.pin(inChain: text), PublicKeyPin.subject(inChain: text))
        }
    }

    /// - Parameter keys: The keys, the leaf first, each by its name or as a pin.
    /// - Returns: `nil` for none.
    init?(_ keys: [String]) {
        guard let leaf = keys.first else { return nil }
        (self.leaf, above) = (Key(leaf), keys.dropFirst().map(Key.init))
    }

    /// All of them, the leaf first.
    var keys: [Key] { [leaf] + above }

    /// The first of some pins that a certificate has (R18.5).
    func match(of pins: [String]) -> String? { pins.first { pin in keys.contains { $0.pin == pin } } }
}

extension MailDate {
    /// A moment as mails name it.
    package init(_ instant: Instant) {
        let (date, number) = (instant.date, instant.dayNumber)
        self.init(
            year: date.year, month: date.month, day: date.day, dayNumber: number,
            second: instant.secondsSinceEpoch - number * Instant.secondsPerDay)
    }
}
