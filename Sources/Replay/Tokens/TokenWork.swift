internal import Figures
internal import PolicyEngine

/// A replay through one account that makes the tokens of its decisions.
struct TokenWork: ReplayWork {
    private let account: Account
    private let keepsSeries: Bool
    private let keepsMoments: Bool
    private let apps = AppRegistry()

    /// - Parameters:
    ///   - account: The account.
    ///   - keepsSeries: True if live metrics are kept by minute (R13.2a).
    ///   - keepsMoments: True if sums over devices are kept, from which intervals follow.
    init(_ account: Account, keepsSeries: Bool = false, keepsMoments: Bool = false) {
        self.account = account
        (self.keepsSeries, self.keepsMoments) = (keepsSeries, keepsMoments)
    }

    var catalogue: FlagCatalogue { account.catalogue }
    var registry: AppRegistry? { apps }
    var filteringAccounts: [Account] { [account] }

    func makeMatcher(_ fields: inout CaptureFields) -> TokenMatcher {
        TokenMatcher(account, apps: apps, fields: &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> TokenEvaluator {
        TokenEvaluator(
            account, apps: apps, keepsSeries: keepsSeries, keepsMoments: keepsMoments, symbols: &symbols)
    }
}

/// Looks at the attributes of records for one account, and keeps the addresses that tokens carry.
struct TokenMatcher: RecordMatcher {
    private var matcher: AccountMatcher
    private let addressColumn: Int
    // Of the current records.
    private var found: [AccountMatcher.Matches] = []

    /// The findings in the attributes of a record.
    struct Matches: RecordMatches {
        var account: AccountMatcher.Matches
        /// The address of the client; `nil` where the record does not have it.
        let address: String?

        var app: AppNumbers {
            get { account.app }
            set { account.app = newValue }
        }

        subscript(number: Int) -> AttributeMatches {
            get { account[number] }
            set { account[number] = newValue }
        }
    }

    init(_ account: Account, apps: AppRegistry, fields: inout CaptureFields) {
        addressColumn = fields.column(of: "ip")
        matcher = AccountMatcher(account, apps: apps, fields: &fields)
    }

    var examinedColumns: [Int] { matcher.examinedColumns }
    var deferred: [DeferredSearch] { matcher.deferred }
    var apps: [AppNumbers] { matcher.apps }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matcher.match(batch, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            matches.append(Matches(account: found[row], address: batch.text(row, column: addressColumn)))
        }
    }
}

/// Evaluates records by one account, and makes the tokens of its decisions.
///
/// Captures do not know what an app binds its tokens to, so no token has `pay`. Equal input gives equal bytes but for
/// signatures that need chance (PS and ES).
struct TokenEvaluator: RecordEvaluator {
    private var evaluator: AccountEvaluator
    private var issuer = TokenIssuer()
    // Holds one address at a time.
    private var attributes = AttributeTable(capacity: 0)
    private let addressKey: AttributeKey

    init(
        _ account: Account, apps: AppRegistry, keepsSeries: Bool, keepsMoments: Bool, symbols: inout SymbolTable
    ) {
        evaluator = AccountEvaluator(
            account, apps: apps, keepsSeries: keepsSeries, keepsMoments: keepsMoments, symbols: &symbols)
        addressKey = attributes.key(named: "ip")
    }

    var engine: Engine { evaluator.engine }

    func prefetch(_ devices: [DeviceIndex]) { evaluator.prefetch(devices) }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<TokenMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches.account
        return evaluator.evaluate(
            attestation, matches: matches.attributes, app: matches.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
    }

    mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<TokenMatcher.Matches>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] {
        var attestation = Attestation(time: decision.time, device: decision.device)
        if let address = record.matches.address {
            attestation.set(attributes.intern(address, for: addressKey), for: addressKey)
        }
        var numbering = copy symbols
        numbering.attributes = attributes
        var token: [UInt8] = []
        let attested = TokenIssuer.Attested(attestation: attestation)
        try issuer.write(decision, attested, domain: domain, engine: evaluator.engine, symbols: numbering, to: &token)
        return token
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> DoubtedFigures<Figures> {
        evaluator.result(symbols: symbols, fetches: fetches)
    }
}
