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
        // From apt's libsimdjson-dev; its pkg-config file names a flag that the package manager forbids and nobody needs.
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "PolicyEngine", dependencies: ["CPCRE2", "CCrypto", "CPrefetch"], swiftSettings: strict),
        // Each module knows those above it in this list, and none below.
        .target(name: "Documents", dependencies: ["PolicyEngine", "CYAML"], swiftSettings: strict),
        .target(name: "Accounts", dependencies: ["PolicyEngine", "Documents"], swiftSettings: strict),
        .target(
            name: "Replay",
            dependencies: ["PolicyEngine", "Documents", "CSimdJSON", "CZlib", "CZstd"],
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
            dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "Reports"],
            swiftSettings: strict
        ),
        // What several test targets share: the reference evaluator, random accounts, temporary folders.
        .target(
            name: "TestSupport", dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios"],
            path: "Tests/TestSupport", swiftSettings: strict
        ),
        .testTarget(name: "PolicyEngineTests", dependencies: ["PolicyEngine", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DocumentsTests", dependencies: ["PolicyEngine", "Documents", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AccountsTests", dependencies: ["PolicyEngine", "Documents", "Accounts", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReplayTests", dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "Reports", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "PolicyEngine", "Documents", "Accounts", "Replay", "Scenarios", "Reports", "scenario", "TestSupport",
            ],
            exclude: ["Golden", "Tooling", "Transcripts/manual.txt"],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
