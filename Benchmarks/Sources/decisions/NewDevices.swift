internal import PolicyEngine

/// Decisions on a device each that nobody saw before, its number and its memory included.
struct NewDevices: Benchmark {
    let name: String
    let decisions = 200_000
    let isHotPath = false
    private let account: Account
    private var symbols: SymbolTable
    private var engine: Engine

    init(_ name: String, account: BenchmarkAccount) throws {
        self.name = name
        self.account = try account.made()
        symbols = SymbolTable(catalogue: self.account.catalogue)
        engine = Engine(account: self.account, symbols: &symbols)
    }

    var expected: Answer { Answer(passed: decisions, first: decisions) }

    mutating func prepare() {
        symbols = SymbolTable(catalogue: account.catalogue)
        engine = Engine(account: account, symbols: &symbols)
    }

    mutating func run() -> Answer {
        var answer = Answer()
        for number in 0..<decisions {
            let id = DeviceID(first: UInt64(number), second: 2)
            let attestation = Attestation(
                time: Instant(secondsSinceEpoch: 1_595_203_200), device: symbols.devices.intern(id))
            answer.count(engine.attest(attestation, symbols: symbols))
        }
        return answer
    }
}
