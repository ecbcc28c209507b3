import Figures

/// Tests name metrics as reports do.
extension Metric: ExpressibleByStringInterpolation {
    package init(stringLiteral name: String) {
        guard let metric = Metric.init(_:)(name) else { preconditionFailure("no metric has the name \(name)") }
        self = metric
    }
}
