internal import PolicyEngine

extension Filter {
    /// A filter that wants one value exactly.
    static func exact(_ name: String, _ key: String, _ value: String, _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .exact(key: key, value: value), options: options)
    }

    /// A filter that searches a pattern.
    static func regex(_ name: String, _ key: String, _ pattern: String, _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .regex(key: key, pattern: try Pattern(pattern)), options: options)
    }

    /// A conjunction.
    static func conjunction(_ name: String, _ inputs: [String], _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .conjunction(inputs), options: options)
    }
}
