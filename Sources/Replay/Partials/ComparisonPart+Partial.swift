internal import PolicyEngine

extension ComparisonPart: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("before", result.figures.partial), ("after", result.figuresAfter.partial),
            ("changes", result.comparison.partial), ("doubtful", result.doubtful.partial),
            ("malformed", malformed.partial), ("fetches", fetches.partial), ("accounts", accounts.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        let result = PairResult(
            figures: try reader["before"], figuresAfter: try reader["after"], comparison: try reader["changes"],
            verdictsAfter: [:], doubtful: try reader["doubtful"])
        self.init(
            result, malformed: try reader["malformed"], fetches: try reader["fetches"],
            accounts: try reader["accounts"])
    }
}

extension ComparisonPart.Fetches: PartialCodable {
    var partial: JSONValue { .ordered([("before", before.partial), ("after", after.partial)]) }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(before: try reader["before"], after: try reader["after"])
    }
}

extension PairResult.Doubtful: PartialCodable {
    var partial: JSONValue {
        .ordered([
            ("before", figures.partial), ("after", figuresAfter.partial), ("changes", comparison.partial),
        ])
    }

    init(_ reader: PartialReader) throws(PartialFailure) {
        self.init(
            figures: try reader["before"], figuresAfter: try reader["after"], comparison: try reader["changes"])
    }
}
