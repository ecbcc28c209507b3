// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// Warnings are errors with the compiler and the system that `.ci/run` uses: another compiler may know more warnings, and those
/// must not stop whoever builds with it. The package manager shows no warnings of a package that others depend on by version.
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
    let warnings: [SwiftSetting] = []
#endif

/// One set of rules for every Swift target: what one target forbids, all forbid.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ] + warnings

/// With `FUZZ=1` in the environment, a build under sanitizers: each module counts for libFuzzer which of its edges are reached, and is
/// optimised as in a release, though the build is one for debugging. Tests are neither counted nor optimised.
let isChecked = Context.environment["FUZZ"] != nil
let counted: [SwiftSetting] =
    isChecked
    ? [.unsafeFlags(["-sanitize-coverage=edge,trace-cmp,indirect-calls,inline-8bit-counters,pc-table"])]
    : []
let optimised = strict + counted + (isChecked ? [.unsafeFlags(["-O"])] : [])

/// Modules that do little beside what they ask of others: reading a command line, answering a keystroke or a click. Optimising them
/// shortens none of these by more than 3 ms. The others are optimised: `Reports` writes each attestation that `explain` shows,
/// `Proofs` makes thousands of terms, and a request of `Service` takes half as long. Nobody can depend on a product whose targets set
/// such flags.
let unoptimised = strict + counted + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Tests run once, so that they are not optimised; the modules that they test are, as they are shipped. What a test module offers
/// to others is written with its machine code, and not by a second process that expands its macros again.
let testSettings =
    strict
    + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

/// Ubuntu 24.04 has a simdjson whose header Clang 19 and later read only if they look into templates when these are used.
let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
let headerSettings: [CXXSetting] =
    release.contains("VERSION_CODENAME=noble") ? [.unsafeFlags(["-fdelayed-template-parsing"])] : []

/// The modules; each may know those before it.
let modules = [
    "Statistics", "PolicyEngine", "Documents", "Columns", "Accounts", "Figures", "Replay", "Scenarios", "Proofs",
    "Analysis", "Reports", "HTTP", "Service", "Explore", "Editor", "scenario",
]

/// The targets of tests, each with the modules that it tests; the tests of a module are in a folder of its name.
let tested: [(target: String, modules: [String])] = [
    ("EngineTests", ["Statistics", "PolicyEngine"]),
    ("FilesTests", ["Documents", "Accounts"]),
    ("CapturesTests", ["Columns", "Figures", "Replay"]),
    ("ScenariosTests", ["Scenarios"]),
    ("ReportsTests", ["Proofs", "Analysis", "Reports"]),
    ("ServiceTests", ["HTTP", "Service"]),
    ("CommandTests", ["Explore", "Editor", "scenario"]),
]

/// The modules whose tests are built, if not all: with `MODULE='Documents Replay'` in the environment, which builds sooner.
let chosen = modules.filter((Context.environment["MODULE"] ?? "").split(separator: " ").map(String.init).contains)

/// A target of tests, which may use all that the last of its modules may, and all that `TestSupport` does. They are named for each
/// target: one that imports a module without naming it is not compiled anew when that module changes.
func tests(_ target: String, of names: [String]) -> Target {
    let known = modules[...(modules.lastIndex { names.contains($0) || $0 == "Scenarios" } ?? 0)]
    let others = [
        "EngineTests": ["Statistics/reference.csv", "Statistics/reference.py"],
        "CapturesTests": ["Columns/Tooling"],
        "CommandTests": ["Editor/Tooling", "scenario/Tooling", "scenario/Transcripts/manual.txt"],
    ]
    return .testTarget(
        name: target,
        dependencies: known.map { .byName(name: $0) } + ["CLibrary", "TestSupport"]
            + (names.contains("Reports") ? ["ReportSupport"] : []),
        exclude: others[target] ?? [],
        swiftSettings: testSettings
    )
}

let testTargets = tested.filter { chosen.isEmpty || $0.modules.contains(where: chosen.contains) }.map(tests)

/// With `FUZZ=1` in the environment, what `make fuzz` feeds: the one executable that links with libFuzzer.
let fuzzTargets: [Target] =
    !isChecked
    ? []
    : [
        .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "PolicyEngine", "Documents", "Columns", "Accounts", "Figures", "Replay", "Scenarios",
                "HTTP", "Service", "Editor",
                "TestSupport", "ReportSupport",
            ],
            path: "Tests/Fuzzing/Fuzz", swiftSettings: optimised,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
        ),
    ]

/// With `BENCHMARKS=1` in the environment, what `make gate` runs: it counts and times decisions in memory, by the public interface.
let benchmarkTargets: [Target] =
    Context.environment["BENCHMARKS"] == nil
    ? []
    : [
        .target(name: "CAllocations", path: "Benchmarks/Sources/CAllocations"),
        .executableTarget(
            name: "decisions", dependencies: ["CAllocations", "PolicyEngine"], path: "Benchmarks/Sources/decisions",
            swiftSettings: optimised),
    ]

let package = Package(
    name: "policy-engine",
    products: [
        .library(name: "PolicyEngine", targets: ["PolicyEngine"]),
        .executable(name: "scenario", targets: ["scenario"]),
    ],
    targets: [
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // Beside PCRE2 and libcrypto all that the library needs, which is why CPrefetch is no part of CSystem.
        .target(name: "CPrefetch"),
        .target(name: "CLibrary", swiftSettings: optimised),
        .target(name: "CBlockIndex"),
        .target(name: "CExplorePage"),
        .target(name: "CSystem"),
        // From apt's libz3-dev or Homebrew's z3; the library itself is loaded where it is needed.
        .target(name: "CZ3"),
        .target(name: "CValueLookup"),
        // From apt's libsimdjson-dev or Homebrew's simdjson; its pkg-config file names a flag that the package manager forbids and nobody needs.
        .target(name: "CSimdJSON", cxxSettings: headerSettings, linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "Statistics", dependencies: ["CLibrary"], swiftSettings: optimised),
        .target(
            name: "PolicyEngine", dependencies: ["CPCRE2", "CCrypto", "CLibrary", "CPrefetch"], swiftSettings: optimised
        ),
        // Each module knows only modules above it in this list; Documents knows nothing of the rules.
        .target(
            name: "Documents", dependencies: ["CYAML", "CCrypto", "CLibrary", "CSystem"], swiftSettings: optimised),
        .target(name: "Columns", dependencies: ["CLZ4", "CZstd"], swiftSettings: optimised),
        .target(name: "Accounts", dependencies: ["CLibrary", "PolicyEngine", "Documents"], swiftSettings: optimised),
        .target(name: "Figures", dependencies: ["Statistics", "PolicyEngine", "Documents"], swiftSettings: optimised),
        .target(
            name: "Replay",
            dependencies: [
                "PolicyEngine", "Documents", "Columns", "Figures", "CBlockIndex", "CLibrary", "CSimdJSON",
                "CValueLookup",
                "CZlib", "CZstd",
            ],
            swiftSettings: optimised
        ),
        .target(
            name: "Scenarios",
            dependencies: ["CLibrary", "PolicyEngine", "Documents", "Accounts", "Figures", "Replay"],
            swiftSettings: optimised),
        .target(name: "Proofs", dependencies: ["PolicyEngine", "CZ3"], swiftSettings: optimised),
        .target(
            name: "Analysis",
            dependencies: [
                "Statistics", "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios", "Proofs",
            ],
            swiftSettings: optimised
        ),
        .target(
            name: "Reports",
            dependencies: [
                "Statistics", "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios", "Proofs",
                "Analysis",
            ],
            swiftSettings: optimised
        ),
        .target(
            name: "HTTP", dependencies: ["PolicyEngine", "Documents", "CLibrary", "CMicroHTTPD"],
            swiftSettings: optimised
        ),
        .target(
            name: "Service",
            dependencies: [
                "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios", "Reports", "HTTP",
                "CLibrary",
                "CSQLite",
            ],
            swiftSettings: optimised
        ),
        .target(
            name: "Explore",
            dependencies: [
                "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Analysis", "HTTP", "CExplorePage",
            ],
            exclude: ["Page"], swiftSettings: unoptimised
        ),
        .target(
            name: "Editor",
            dependencies: [
                "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios", "Analysis",
            ],
            swiftSettings: unoptimised
        ),
        .executableTarget(
            name: "scenario",
            dependencies: [
                "CLibrary", "CSystem", "Statistics", "PolicyEngine", "Documents", "Accounts", "Figures", "Replay",
                "Scenarios", "Proofs", "Analysis", "Reports", "HTTP", "Service", "Explore", "Editor",
            ],
            swiftSettings: unoptimised
        ),
        // The library that several test targets share: the reference evaluator, random accounts, temporary folders.
        .target(
            name: "TestSupport",
            dependencies: ["CLibrary", "PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios"],
            path: "Tests/TestSupport", swiftSettings: optimised
        ),
        // The library that the tests of reports share with the fuzzer.
        .target(
            name: "ReportSupport",
            dependencies: ["PolicyEngine", "Documents", "Figures", "Replay", "Scenarios", "Reports"],
            path: "Tests/ReportSupport", swiftSettings: optimised
        ),
    ] + testTargets + fuzzTargets + benchmarkTargets,
    cxxLanguageStandard: .cxx17
)
