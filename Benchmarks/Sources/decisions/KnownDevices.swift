internal import PolicyEngine

/// Decisions on devices, flags and values that were all seen before: the hot path.
struct KnownDevices: Benchmark {
    let name: String
    let decisions: Int
    let expected: Answer
    let isHotPath: Bool
    private let secondsBetweenRounds: Int
    private let rounds: Int
    private var symbols: SymbolTable
    private var engine: Engine
    private var stream: AttestationStream

    /// Makes a benchmark.
    ///
    /// - Parameters:
    ///   - name: The name of the measurement.
    ///   - account: The account.
    ///   - devices: The number of devices that attest in turn; a multiple of 1000.
    ///   - flags: Their flags.
    ///   - secondsBetweenRounds: The time until each device attests again; from a day on, each draws anew.
    ///   - passed: The number of 1000 devices that pass.
    ///   - annotated: The number of 1000 that get the filtered policy.
    init(
        _ name: String,
        account: BenchmarkAccount,
        devices: Int = 1000,
        flags: AttestationStream.Flags = .none,
        secondsBetweenRounds: Int = 0,
        passed: Int,
        annotated: Int = 0
    ) throws {
        let account = try account.made()
        self.name = name
        self.secondsBetweenRounds = secondsBetweenRounds
        // Few enough for a table of all in seconds, enough for a clock to measure.
        rounds = max(1, 400_000 / devices)
        decisions = rounds * devices
        expected = Answer(passed: passed, annotated: annotated) * (decisions / 1000)
        isHotPath = secondsBetweenRounds == 0
        symbols = SymbolTable(catalogue: account.catalogue)
        engine = Engine(account: account, symbols: &symbols)
        stream = AttestationStream(devices: devices, flags: flags, symbols: &symbols)
        // From here on they are known.
        var ignored = Answer()
        stream.evaluate(by: &engine, symbols: symbols, secondsLater: 0, counting: &ignored)
    }

    func prepare() {}

    mutating func run() -> Answer {
        var answer = Answer()
        for _ in 0..<rounds {
            stream.evaluate(by: &engine, symbols: symbols, secondsLater: secondsBetweenRounds, counting: &answer)
        }
        return answer
    }
}
