internal import PolicyEngine

// Every field is written but the counts by attribute, since they cannot be added up (``PartialResult``).
extension Figures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("attestations", attestations.partial), ("malformed", malformed.partial), ("metrics", metrics.partial),
            ("lifetimes", lifetimes.partial), ("policies", policies.partial), ("devices", devices.partial),
            ("windows", windows.partial), ("hours", hours.partial), ("billing", billing.partial),
            ("filters", filters.partial), ("unknown-flags", unknownFlags.partial), ("unjudged", unevaluated.partial),
            ("reproduced", reproduced.partial), ("series", series.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        attestations = try reader["attestations"]
        malformed = try reader["malformed"]
        metrics = try reader["metrics"]
        lifetimes = try reader["lifetimes"]
        policies = try reader["policies"]
        devices = try reader["devices"]
        windows = try reader["windows"]
        hours = try reader["hours"]
        billing = try reader["billing"]
        filters = try reader["filters"]
        unknownFlags = try reader["unknown-flags"]
        unevaluated = try reader["unjudged"]
        reproduced = try reader["reproduced"]
        series = try reader["series"]
    }
}

extension Figures.Devices: PartialCodable {
    var partial: JSONValue {
        .ordered([("unique", unique.partial), ("new", new.partial), ("banned", banned.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(unique: try reader["unique"], new: try reader["new"], banned: try reader["banned"])
    }
}

extension Figures.Window: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("start", start.partial), ("passed", passed.partial), ("failed", failed.partial),
            ("counts", counts.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            start: try reader["start"], passed: try reader["passed"], failed: try reader["failed"],
            counts: try reader["counts"])
    }
}

extension Figures.FilterFigures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("name", name.partial), ("matched", matched.partial), ("devices", devices.partial),
            ("limit-hits", limitHits.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            name: try reader["name"], matched: try reader["matched"], devices: try reader["devices"],
            limitHits: try reader["limit-hits"])
    }
}

extension Figures.Unevaluated: PartialCodable {
    var partial: JSONValue {
        .ordered([("devices", devices.partial), ("unsearched", unsearched.partial), ("reasons", reasons.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        devices = try reader["devices"]
        unsearched = try reader["unsearched"]
        reasons = try reader["reasons"]
    }
}

extension Figures.Reproduction: PartialCodable {
    var partial: JSONValue { .ordered([("compared", compared.partial), ("agreed", agreed.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(compared: try reader["compared"], agreed: try reader["agreed"])
    }
}

extension MetricSeries: PartialCodable {
    var partial: JSONValue {
        .array(inOrder.map { .array([$0.start.partial, $0.metrics.partial]) })
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        for item in try reader.items() {
            let (start, metrics): (Instant, [Metric: Int]) = try item.pair()
            add(metrics, inMinuteOf: start)
        }
    }
}

extension FetchFigures: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("total", total.partial), ("devices", devices.partial), ("malformed", malformed.partial),
            ("span", span.partial), ("most", most.partial), ("weights", weights.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        total = try reader["total"]
        devices = try reader["devices"]
        malformed = try reader["malformed"]
        span = try reader["span"]
        most = try reader["most"]
        weights = try reader["weights"]
    }
}

extension FetchFigures.Device: PartialCodable {
    var partial: JSONValue {
        .ordered([("id", id.partial), ("fetches", fetches.partial), ("passed", passed.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(id: try reader["id"], fetches: try reader["fetches"], passed: try reader["passed"])
    }
}

extension FetchFigures.Weights: PartialCodable {
    var partial: JSONValue {
        .ordered([("passed", passed.partial), ("failed", failed.partial), ("unknown", unknown.partial)])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(passed: try reader["passed"], failed: try reader["failed"], unknown: try reader["unknown"])
    }
}
