internal import Foundation
internal import Glibc
public import Testing

/// A requirement of a test beyond Swift.
public enum Requirement: Sendable, Hashable {
    /// A program from a Debian package.
    case program(String)
    /// `shared/raw`: RAW files of real cameras.
    case realFiles
    /// `shared/hostile`: files that once did harm.
    case hostileFiles
    /// `shared/kafka`, and a Java to run it.
    case kafka
    /// The render programs for the processor levels, by `Deploy/build-levels`.
    case levelBuilds
    /// `decode-probe` with the shipped program's settings, by `Deploy/build-levels --probes`.
    case shippedProbe
    /// Pseudo-terminals, which a bare chroot lacks.
    case pseudoTerminals
    /// The right to mount folders.
    case mounting
    /// The right to make control groups that limit processors and memory.
    case controlGroups
    /// PostgreSQL's server.
    case postgreSQL
    /// The right to run programs as other users, and `setpriv`.
    case otherUsers

    /// Whether the tests run in continuous integration.
    public static let isCI = ProcessInfo.processInfo.environment["CI"] != nil

    /// Seeds of a random test: all at night, a quarter in the gate.
    public static func rounds(_ count: UInt64) -> Range<UInt64> { 0..<(isNight ? count : (count + 3) / 4) }

    /// Whether night tests run.
    public static let isNight = ProcessInfo.processInfo.environment["NIGHT"] != nil

    /// Reason why the test cannot run here; nil if it can.
    public var obstacle: String? {
        switch self {
        case .program(let name):
            ExternalTool.path(of: name) == nil
                ? "\(name) is not installed; Deploy/install-dependencies --tests installs it" : nil
        case .realFiles: Self.obstacle("raw", in: Checkout.shared, "real RAW files")
        case .hostileFiles: Self.obstacle("hostile", in: Checkout.shared, "hostile files")
        case .kafka:
            Self.obstacle("kafka/kafka", in: Checkout.shared, "Kafka") ?? Requirement.program("java").obstacle
        case .shippedProbe:
            FileManager.default.isExecutableFile(atPath: Checkout.shippedProbe.path)
                ? nil : "\(Checkout.shippedProbe.path) is missing; run Deploy/build-levels --probes"
        case .levelBuilds:
            Self.obstacle(
                ".build/rawmill/libexec/rawmill", in: Checkout.folder, "render programs; run Deploy/build-levels")
        case .pseudoTerminals:
            FileManager.default.fileExists(atPath: "/dev/pts/ptmx") ? nil : "this machine has no pseudo-terminals"
        case .mounting: Self.canMount ? nil : "folders cannot be mounted here"
        case .controlGroups: ControlGroup.isPossible ? nil : "control groups cannot be made here"
        case .postgreSQL: Self.postgreSQLObstacle
        case .otherUsers:
            geteuid() != 0
                ? "only root can run programs as other users" : Requirement.program("setpriv").obstacle
        }
    }

    /// Whether continuous integration must provide it. It does not control the rights on its machine.
    var isRequiredInCI: Bool { ![.pseudoTerminals, .mounting, .controlGroups, .otherUsers].contains(self) }

    /// The folder of the newest server's programs, which Debian does not add to the path; nil if there is none.
    public static let postgreSQLFolder: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.compactMap(Int.init).sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    private static var postgreSQLObstacle: String? {
        guard postgreSQLFolder != nil else {
            return "PostgreSQL's server is not installed; Deploy/install-dependencies --tests installs it"
        }
        // It refuses to run as root.
        return geteuid() == 0 ? Requirement.program("setpriv").obstacle : nil
    }

    private static func obstacle(_ path: String, in folder: URL, _ what: String) -> String? {
        let path = folder.appending(path: path).path
        return FileManager.default.fileExists(atPath: path) ? nil : "\(path) is missing: no \(what)"
    }

    /// Tries to mount a separate folder.
    private static let canMount: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)").path
        guard mkdir(folder, 0o700) == 0 else { return false }
        defer { rmdir(folder) }
        guard mount("tmpfs", folder, "tmpfs", 0, nil) == 0 else { return false }
        return umount2(folder, Int32(MNT_DETACH)) == 0
    }()
}

extension Trait where Self == ConditionTrait {
    /// Marks a long test of little additional value. The gate skips it, and `Deploy/test --all` runs it.
    public static var night: Self { .enabled(if: Requirement.isNight, "left for the night: Deploy/test --all runs it") }

    /// Skips a test with the reason in the report if a requirement is missing. In continuous integration the test runs
    /// anyway, and fails.
    public static func needs(_ requirement: Requirement) -> Self {
        let obstacle = requirement.obstacle
        return .enabled(
            if: obstacle == nil || (Requirement.isCI && requirement.isRequiredInCI), "\(obstacle ?? "")")
    }
}
