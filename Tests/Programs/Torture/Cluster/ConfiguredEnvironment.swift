import CommandLineTool
import Glibc

/// The environment variables that configure Rawmill for the user's own cluster: its brokers, secrets, roots and trace
/// collector. The roles of a tortured cluster would inherit them and join that cluster.
enum ConfiguredEnvironment {
    private static let prefixes = ["RAWMILL_", "OTEL_"]

    /// Removes them from this process, and so from everything that it starts. Call it before anything reads them and
    /// before there are other threads.
    static func forget() {
        for name in CommandLineBytes.environment.keys where isConfiguration(name) { unsafe unsetenv(name) }
    }

    private static func isConfiguration(_ name: String) -> Bool {
        // The run's guard recognises the cluster's processes by this one, including this program's helpers.
        name != ClusterGuard.variable && prefixes.contains { name.hasPrefix($0) }
    }
}
