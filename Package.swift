// swift-tools-version: 6.2

import PackageDescription

/// One set of rules for every Swift target: what one target forbids, all forbid.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The modules, each with the tests of it; a module may know those before it.
let modules = ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "Reports", "scenario"]

/// The tests of a module, which may use all that the module may.
func tests(of module: String) -> Target {
    let known = modules[...(modules.firstIndex(of: module) ?? 0)]
    let isCommand = module == "scenario"
    return .testTarget(
        name: isCommand ? "CommandTests" : "\(module)Tests",
        dependencies: known.map { .byName(name: $0) } + ["TestSupport"],
        exclude: isCommand ? ["Golden", "Tooling", "Transcripts/manual.txt"] : [],
        swiftSettings: strict
    )
}

/// All tests, or with `MODULE=Replay` in the environment those of one module alone, which builds sooner.
let testTargets =
    if let module = Context.environment["MODULE"], modules.contains(module) {
        [tests(of: module)]
    } else {
        modules.map(tests) + [
            .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict)
        ]
    }

/// With `FUZZ=1` in the environment, what `make fuzz` feeds: it links only with libFuzzer.
let fuzzTargets: [Target] =
    Context.environment["FUZZ"] == nil
    ? []
    : [
        .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CFuzzer", "PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "TestSupport"],
            path: "Tests/Fuzzing/Fuzz", swiftSettings: strict
        ),
    ]

let package = Package(
    name: "policy-engine",
    products: [
        .library(name: "PolicyEngine", targets: ["PolicyEngine"]),
        .executable(name: "scenario", targets: ["scenario"]),
    ],
    targets: [
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CPrefetch"),
        .target(name: "CBlockIndex"),
        .target(name: "CMemorySettings"),
        .target(name: "CPartialFiles"),
        .target(name: "CThreadSanitizer"),
        // From apt's libsimdjson-dev; its pkg-config file names a flag that the package manager forbids and nobody needs.
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "PolicyEngine", dependencies: ["CPCRE2", "CCrypto", "CPrefetch"], swiftSettings: strict),
        // Each module knows only modules above it in this list; Documents knows nothing of the rules.
        .target(
            name: "Documents", dependencies: ["CYAML", "CCrypto", "CPartialFiles", "CThreadSanitizer"],
            swiftSettings: strict),
        .target(name: "Accounts", dependencies: ["PolicyEngine", "Documents"], swiftSettings: strict),
        .target(
            name: "Replay",
            dependencies: ["PolicyEngine", "Documents", "CBlockIndex", "CSimdJSON", "CZlib", "CZstd"],
            swiftSettings: strict
        ),
        .target(
            name: "Scenarios", dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay"], swiftSettings: strict),
        .target(
            name: "Reports", dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "scenario",
            dependencies: [
                "CMemorySettings", "PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "Reports",
            ],
            swiftSettings: strict
        ),
        // What several test targets share: the reference evaluator, random accounts, temporary folders.
        .target(
            name: "TestSupport", dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios"],
            path: "Tests/TestSupport", swiftSettings: strict
        ),
    ] + testTargets + fuzzTargets,
    cxxLanguageStandard: .cxx17
)
