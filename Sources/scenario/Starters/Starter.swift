/// The files of a new project: commented, and valid as they are.
struct Starter {
    /// The files by their paths in the folder of the project, in the order in which somebody reads them.
    let files: [(path: String, text: String)]
    /// The captures that are generated from these files.
    var captures: [StarterCapture] = []
    /// The path of an account that gets a secret of its own; `nil` for none.
    var keyedAccount: String?
    /// Questions to begin with, and the commands that answer them.
    let next: [(question: String, command: String)]

    /// A purpose of a project.
    enum Purpose: String, CaseIterable {
        /// A policy in production, with captured devices.
        case bank
        /// Tests of a backend against the simulated service.
        case backend

        /// The name of the guide that uses the project.
        var guide: String {
            switch self {
            case .bank: "a-day-at-the-bank"
            case .backend: "test-a-backend"
            }
        }
    }

    /// The files for a purpose.
    init(_ purpose: Purpose) {
        switch purpose {
        case .bank: self = .bank
        case .backend: self = .backend
        }
    }

    init(
        _ files: [(path: String, text: String)], captures: [StarterCapture] = [], keyedAccount: String? = nil,
        next: [(question: String, command: String)]
    ) {
        (self.files, self.captures, self.keyedAccount, self.next) = (files, captures, keyedAccount, next)
    }
}

/// A capture of a new project: `scenario generate` writes the same bytes.
struct StarterCapture {
    /// Its path in the folder of the project.
    let path: String
    /// The path of the scenario whose devices attest.
    let scenario: String
    /// The number of attestations.
    let count: Int
    /// Seconds from the start of the scenario up to the end.
    let duration: Int
}
