internal import PolicyEngine

// Every field is written. The number of attestations by clients is known of scenarios alone, which are not compared in parts.
extension ComparisonFigures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("events", events.partial), ("attestations", attestations.partial),
            ("judged-events", evaluatedEvents.partial), ("unjudged", unevaluated.partial), ("devices", devices.partial),
            ("locked-out", lockedOut.partial), ("let-in", letIn.partial),
            ("rejected", rejected.partial), ("accepted", accepted.partial), ("lifetimes", lifetimes.partial),
            ("annotations", annotations.partial), ("presences", presences.partial),
            ("disagreements", disagreements.partial), ("span", span.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        events = try reader["events"]
        attestations = try reader["attestations"]
        evaluatedEvents = try reader["judged-events"]
        unevaluated = try reader["unjudged"]
        devices = try reader["devices"]
        lockedOut = try reader["locked-out"]
        letIn = try reader["let-in"]
        rejected = try reader["rejected"]
        accepted = try reader["accepted"]
        lifetimes = try reader["lifetimes"]
        annotations = try reader["annotations"]
        presences = try reader["presences"]
        disagreements = try reader["disagreements"]
        span = try reader["span"]
    }
}

extension ComparisonFigures.LifetimeChange: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("before", before.partial), ("after", after.partial), ("events", events.partial),
            ("attestations", attestations.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            before: try reader["before"], after: try reader["after"], events: try reader["events"],
            attestations: try reader["attestations"])
        // Products of counts and lifetimes must fit.
        guard (0...Self.longest).contains(before), (0...Self.longest).contains(after) else {
            throw reader.failure("is no lifetime")
        }
    }

    // Seconds; no token lives longer.
    private static let longest = 3600
}

extension ComparisonFigures.Presence: PartialCodable {
    var partial: JSONValue { .ordered([("attribute", attribute.partial), ("records", records.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(attribute: try reader["attribute"], records: try reader["records"])
    }
}

extension ComparisonFigures.Verdict: PartialCodable {
    var partial: JSONValue {
        switch self {
        case .fails(let causes): .ordered([("fails", causes.partial)])
        case .passes(let flags): .ordered([("passes", flags.partial)])
        }
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        if reader.has("fails") { self = .fails(try reader["fails"]) } else { self = .passes(try reader["passes"]) }
    }
}

extension ComparisonFigures.Disagreement: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("verdict", verdict.partial), ("attestations", attestations.partial), ("index", index.partial),
            ("example", example.partial), ("time", time.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            verdict: try reader["verdict"], attestations: try reader["attestations"], index: try reader["index"],
            example: try reader["example"], time: try reader["time"])
    }
}

extension AnnotationFigures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("events", events.partial), ("attestations", attestations.partial), ("devices", devices.partial),
            ("appearing", appearing.partial), ("disappearing", disappearing.partial), ("gained", gained.partial),
            ("lost", lost.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            events: try reader["events"], attestations: try reader["attestations"], devices: try reader["devices"],
            appearing: try reader["appearing"], disappearing: try reader["disappearing"],
            gained: try reader["gained"], lost: try reader["lost"])
    }
}

extension ChangeFigures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("events", events.partial), ("attestations", attestations.partial), ("devices", devices.partial),
            ("fetches", fetches.partial), ("splits", splits.partial), ("examples", examples.partial),
            ("known", known.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            events: try reader["events"], attestations: try reader["attestations"], devices: try reader["devices"],
            fetches: try reader["fetches"], splits: try reader["splits"], examples: try reader["examples"],
            known: try reader["known"])
    }
}

extension ChangeFigures.KnownDevices: PartialCodable {
    var partial: JSONValue { all.partial }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self = reader.isNull ? .tooMany : Self(try [DeviceID](reader))
    }
}

extension ChangeFigures.Split: PartialCodable {
    var partial: JSONValue { .ordered([("kind", kind.partial), ("parts", parts.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(kind: try reader["kind"], parts: try reader["parts"])
    }
}

extension ChangeFigures.Part: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("name", name.partial), ("events", events.partial), ("attestations", attestations.partial),
            ("devices", devices.partial), ("example", example.partial), ("index", index.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            name: try reader["name"], events: try reader["events"], attestations: try reader["attestations"],
            devices: try reader["devices"], example: try reader["example"], index: try reader["index"])
    }
}

extension ChangeFigures.Example: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("index", index.partial), ("device", device.partial), ("time", time.partial), ("events", events.partial),
            ("attestations", attestations.partial), ("flags", flags.partial), ("before", before.partial),
            ("after", after.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            index: try reader["index"], device: try reader["device"], time: try reader["time"],
            events: try reader["events"], attestations: try reader["attestations"], flags: try reader["flags"],
            before: try reader["before"], after: try reader["after"])
    }
}

extension ChangeFigures.Side: PartialCodable {
    var partial: JSONValue {
        .ordered([("valid", isValid.partial), ("policy", policy.partial), ("reasons", reasons.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(isValid: try reader["valid"], policy: try reader["policy"], reasons: try reader["reasons"])
    }
}

extension ChangeFigures.Reason: PartialCodable {
    var partial: JSONValue {
        switch self {
        case .rejection(let rejection): .ordered([("rejection", rejection.partial)])
        case .result(let result): .ordered([("result", result.partial)])
        }
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        if reader.has("result") {
            self = .result(try reader["result"])
        } else {
            self = .rejection(try reader["rejection"])
        }
    }
}

extension PolicyDifference: PartialCodable {
    var partial: JSONValue { .ordered([("flags", flags.partial), ("others", others.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(flags: try reader["flags"], others: try reader["others"])
    }
}

extension PolicyDifference.FlagDifference: PartialCodable {
    var partial: JSONValue {
        .ordered([("name", name.partial), ("before", before.partial), ("after", after.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(name: try reader["name"], before: try reader["before"], after: try reader["after"])
    }
}

extension ComparedAccounts: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("policies", policies.partial), ("difference", difference.partial), ("unevaluated", unevaluated.partial),
            ("new-filters", newFilters.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            policies: try reader["policies"], difference: try reader["difference"],
            unevaluated: try reader["unevaluated"], newFilters: try reader["new-filters"])
    }
}

extension ComparedAccounts.Policies: PartialCodable {
    var partial: JSONValue { .ordered([("before", before.partial), ("after", after.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(before: try reader["before"], after: try reader["after"])
    }
}

extension ComparedAccounts.NewFilter: PartialCodable {
    var partial: JSONValue { .ordered([("name", name.partial), ("key", key.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(name: try reader["name"], key: try reader["key"])
    }
}
