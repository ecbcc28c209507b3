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
        .target(
            name: "Simulation",
            dependencies: ["PolicyEngine", "CYAML", "CSimdJSON", "CZlib", "CZstd"],
            swiftSettings: strict
        ),
        .executableTarget(name: "scenario", dependencies: ["PolicyEngine", "Simulation"], swiftSettings: strict),
        // What several test targets share.
        .target(
            name: "TestSupport", dependencies: ["PolicyEngine"], path: "Tests/TestSupport", swiftSettings: strict
        ),
        .testTarget(
            name: "PolicyEngineTests", dependencies: ["PolicyEngine", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SimulationTests", dependencies: ["PolicyEngine", "Simulation", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ScenarioTests",
            dependencies: ["PolicyEngine", "Simulation", "scenario", "TestSupport"],
            exclude: ["Golden", "Tooling", "Transcripts/manual.txt"],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
