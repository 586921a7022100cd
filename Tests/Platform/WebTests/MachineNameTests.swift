import Testing
import Web

/// The host names of requests.
struct MachineNameTests {
    private func isPrivate(_ hosts: String...) -> Bool {
        MachineName.isPrivate(Request(path: "/metrics", headers: hosts.map { .init("Host", $0) }))
    }

    @Test(
        "Addresses, names without dots, and unregistrable names are private",
        arguments: [
            "127.0.0.1:9464", "10.0.0.7", "[::1]:9464", "[fe80::1]", "localhost:9464", "worker:9464", "NODE-1",
            "node-1.local", "worker.rawmill.svc:9464", "worker.rawmill.svc.cluster.local", "db.internal:80",
        ])
    func privateNames(host: String) { #expect(isPrivate(host)) }

    @Test(
        "Names that a stranger may own are not private, in any notation",
        arguments: [
            "evil.example", "evil.example:9464", "EVIL.EXAMPLE", "127.0.0.1.evil.example", "localhost.evil.example",
            "evil.example.", "a.local.evil.example", "1.2.3.4.5", "..",
        ])
    func strangersNames(host: String) { #expect(!isPrivate(host)) }

    @Test("A request without a host name counts as private, one with two does not")
    func counts() {
        #expect(isPrivate())
        #expect(!isPrivate("localhost", "localhost"))
    }
}
