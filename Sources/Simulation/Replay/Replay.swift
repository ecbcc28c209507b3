internal import PolicyEngine

/// Replays captures: records in, decisions out, in the order of time.
package struct Replay<Judge: RecordJudge> {
    private let request: ReplayRequest
    /// The numbering of the records.
    private(set) var symbols: SymbolTable
    /// Who judges them.
    private(set) var judge: Judge
    private var problems: ProblemLog
    private var latestTime: Instant?
    // The verdict of each device's latest attestation, where fetches weigh them.
    private var latestVerdicts: [Bool?] = []
    private var index = 0
    /// The fetches that weigh devices, once they were read.
    private(set) var fetches: FetchCounter?
    private var writer = DecisionWriter()
    private var tokenWriter: TokenWriter?
    private var progress: Progress

    /// - Parameters:
    ///   - request: What to do.
    ///   - progress: Told now and then how far the replay is.
    ///   - catalogue: The flags that the records may have, each at the place that the accounts give it.
    ///   - keepsValues: Whether every value of an attribute is kept, so that it can be told.
    ///   - judge: Makes who judges, out of the numbering of the records.
    init(
        _ request: ReplayRequest, catalogue: FlagCatalogue, keepsValues: Bool = false, progress: Progress,
        judge: (inout SymbolTable) -> Judge
    ) {
        self.request = request
        // Sorting holds all records at once, so their values must all be kept.
        let keepsAll = request.sorts || keepsValues
        symbols = SymbolTable(catalogue: catalogue, keptValues: keepsAll ? .max : CaptureLimits.keptValues)
        self.judge = judge(&symbols)
        if request.tokensPath != nil { tokenWriter = TokenWriter(domain: request.tokenDomain, symbols: &symbols) }
        problems = ProblemLog(isFatal: !request.skipsMalformed)
        self.progress = progress
    }

    /// Reads everything, judges it, and counts.
    ///
    /// - Returns: The figures, or the diagnostics that say why there are none.
    package mutating func run() -> ReplayOutcome {
        do throws(ReplayFailure) {
            var files = try CaptureQueue(request.captures, format: request.format)
            var decisions = try LineFile(path: request.decisionsPath)
            var tokens = try LineFile(path: request.tokensPath)
            var malformed = try LineFile(path: request.malformedPath)
            let outcome =
                files.kind == .fetches
                ? try frequencies(of: &files, malformed: &malformed)
                : try judge(&files, decisions: &decisions, tokens: &tokens, malformed: &malformed)
            try malformed.finish()
            if !outcome.diagnostics.hasErrors {
                try decisions.finish()
                try tokens.finish()
            }
            return outcome
        } catch {
            var outcome = ReplayOutcome(diagnostics: problems.closed())
            outcome.diagnostics.add(error.diagnostic)
            return outcome
        }
    }
}

extension Replay<AccountJudge> {
    /// A replay through the account of the request.
    package init(_ request: ReplayRequest, progress: Progress = Progress()) {
        self.init(request, catalogue: request.account.catalogue, progress: progress) { symbols in
            AccountJudge(request.account, symbols: &symbols)
        }
    }
}

extension Replay {
    private mutating func judge(
        _ files: inout CaptureQueue, decisions: inout LineFile, tokens: inout LineFile, malformed: inout LineFile
    ) throws(ReplayFailure) -> ReplayOutcome {
        if request.sorts {
            try judgeSorted(&files, decisions: &decisions, tokens: &tokens, malformed: &malformed)
        } else {
            var record = CaptureRecord(attestation: .unfilled)
            while let file = try files.next() {
                var reader = try reader(of: file)
                while try read(&reader, into: &record, malformed: &malformed) {
                    guard isInOrder(record, path: file.path) else { continue }
                    let decision = judge(record)
                    if decisions.isOpen { try decisions.write(render(decision, index: index - 1)) }
                    if tokens.isOpen { try tokens.write(renderToken(decision, record)) }
                }
            }
        }
        return try outcome(malformed: &malformed)
    }

    // Judges in time order, and writes decisions in input order.
    private mutating func judgeSorted(
        _ files: inout CaptureQueue, decisions: inout LineFile, tokens: inout LineFile, malformed: inout LineFile
    ) throws(ReplayFailure) {
        var records: [CaptureRecord] = []
        var record = CaptureRecord(attestation: .unfilled)
        while let file = try files.next() {
            var reader = try reader(of: file)
            while try read(&reader, into: &record, malformed: &malformed) { records.append(record) }
        }
        let order = records.indices.sorted { left, right in
            let (first, second) = (records[left].attestation.time, records[right].attestation.time)
            return first == second ? left < right : first < second
        }
        var lines: [[UInt8]] = Array(repeating: [], count: decisions.isOpen ? records.count : 0)
        var tokenLines: [[UInt8]] = Array(repeating: [], count: tokens.isOpen ? records.count : 0)
        for place in order {
            let decision = judge(records[place])
            if decisions.isOpen { lines[place] = render(decision, index: place) }
            if tokens.isOpen { tokenLines[place] = try renderToken(decision, records[place]) }
        }
        for line in lines { try decisions.write(line) }
        for line in tokenLines { try tokens.write(line) }
    }

    private func reader(of file: CaptureFile) throws(ReplayFailure) -> RecordReader {
        try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try RecordReader(file, zones: request.zones, attributes: symbols.attributes.keys)
        }
    }

    // Reads the next sound record; false at the end.
    private mutating func read(
        _ reader: inout RecordReader, into record: inout CaptureRecord, malformed: inout LineFile
    ) throws(ReplayFailure) -> Bool {
        while true {
            let step = try next(&reader, into: &record)
            progress.advance(reader)
            switch step {
            case .record: return true
            case .malformed(let problem):
                judge.countBadRequest()
                problems.note(problem, path: reader.file.path)
                if malformed.isOpen {
                    var bytes: [UInt8] = []
                    reader.copyRecord(to: &bytes)
                    try malformed.write(bytes)
                }
            case .end:
                if reader.lacksFinalNewline, reader.file.format == .info { problems.noteCut(path: reader.file.path) }
                return false
            }
        }
    }

    private mutating func next(
        _ reader: inout RecordReader, into record: inout CaptureRecord
    ) throws(ReplayFailure) -> RecordReader.Step {
        let step: RecordReader.Step
        do throws(CaptureFailure) {
            step = try reader.next(into: &record, symbols: &symbols)
        } catch {
            throw .capture(error)
        }
        guard case .record = step else { return step }
        do throws(FlagError) {
            try judge.admit(record, symbols: symbols)
            return step
        } catch {
            return .malformed(RecordProblem(line: record.line, message: error.description))
        }
    }

    private mutating func isInOrder(_ record: CaptureRecord, path: String) -> Bool {
        if let latestTime, record.attestation.time < latestTime {
            problems.noteOrder(record, after: latestTime, path: path)
            return false
        }
        latestTime = record.attestation.time
        return true
    }

    private mutating func judge(_ record: CaptureRecord) -> Decision {
        let decision = judge.judge(record, symbols: symbols)
        if request.fetchesPath != nil {
            while latestVerdicts.count <= decision.device.offset { latestVerdicts.append(nil) }
            latestVerdicts[decision.device.offset] = decision.passed
        }
        index += 1
        return decision
    }

    private mutating func render(_ decision: Decision, index: Int) -> [UInt8] {
        writer.render(decision, index: index, engine: judge.engine, symbols: symbols)
    }

    private mutating func renderToken(
        _ decision: Decision, _ record: CaptureRecord
    ) throws(ReplayFailure) -> [UInt8] {
        try tokenWriter?.render(decision, on: record.attestation, engine: judge.engine, symbols: symbols) ?? []
    }
}

extension Replay {
    private mutating func outcome(malformed: inout LineFile) throws(ReplayFailure) -> ReplayOutcome {
        let fetches = try request.fetchesPath.map { path throws(ReplayFailure) in
            try weights(path, malformed: &malformed)
        }
        guard !problems.diagnostics.hasErrors else { return ReplayOutcome(diagnostics: problems.closed()) }
        let figures = judge.figures(symbols: symbols)
        for filter in figures.filters where filter.limitHits > 0 { problems.noteLimit(filter) }
        return ReplayOutcome(figures: figures, fetches: fetches, diagnostics: problems.closed())
    }

    private mutating func weights(_ path: String, malformed: inout LineFile) throws(ReplayFailure) -> FetchFigures {
        let file = try ReplayFailure.wrapping { () throws(CaptureFailure) in try CaptureFile(path: path) }
        var counter = FetchCounter()
        let malformedCount = try count(file, into: &counter, malformed: &malformed)
        let (devices, verdicts) = (symbols.devices, latestVerdicts)
        var figures = counter.figures { id in
            devices.index(of: id).flatMap { $0.offset < verdicts.count ? verdicts[$0.offset] : nil }
        }
        figures.malformed = malformedCount
        fetches = counter
        return figures
    }

    private mutating func frequencies(
        of files: inout CaptureQueue, malformed: inout LineFile
    ) throws(ReplayFailure) -> ReplayOutcome {
        var (counter, malformedCount) = (FetchCounter(), 0)
        while let file = try files.next() {
            malformedCount += try count(file, into: &counter, malformed: &malformed)
        }
        var outcome = ReplayOutcome(diagnostics: problems.closed())
        guard !outcome.diagnostics.hasErrors else { return outcome }
        var figures = counter.figures(verdict: nil)
        figures.malformed = malformedCount
        outcome.fetches = figures
        outcome.figures = Figures()
        return outcome
    }

    // Counts the fetches of a file; returns how many lines were malformed.
    private mutating func count(
        _ file: CaptureFile, into counter: inout FetchCounter, malformed: inout LineFile
    ) throws(ReplayFailure) -> Int {
        var reader = try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try FetchReader(file, zones: request.zones)
        }
        var malformedCount = 0
        while let (line, content) = try next(&reader) {
            switch content {
            case .fetch(let id, let time): counter.count(id, at: time)
            case .malformed(let message, let hint):
                malformedCount += 1
                problems.note(RecordProblem(line: line, message: message, hint: hint), path: file.path)
                guard malformed.isOpen else { continue }
                var bytes: [UInt8] = []
                reader.copyLine(to: &bytes)
                try malformed.write(bytes)
            }
        }
        if reader.lacksFinalNewline { problems.noteCut(path: file.path) }
        return malformedCount
    }

    private func next(_ reader: inout FetchReader) throws(ReplayFailure) -> (line: Int, content: FetchLine)? {
        do throws(CaptureFailure) {
            return try reader.next()
        } catch {
            throw .capture(error)
        }
    }
}

extension Attestation {
    /// An attestation to be filled in; its device is nobody's.
    fileprivate static var unfilled: Attestation {
        Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
    }
}
