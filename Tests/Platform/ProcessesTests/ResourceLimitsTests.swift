import ExternalTools
import Foundation
import Glibc
import Testing

@testable import Processes

/// Limits of control groups, parsed from kernel files of different machines.
@Suite struct ResourceLimitsTests {
    private func limits(_ membership: String, _ mounts: String, _ files: [String: String]) -> ResourceLimits {
        ResourceLimits(ControlGroups(membership: membership, mounts: mounts)) { files[$0] }
    }

    private let versionTwo = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate"

    @Test("Without control groups there is no limit, and invalid lines do no harm")
    func none() {
        let none = ResourceLimits(ControlGroups(membership: "", mounts: "")) { _ in "1 1" }
        #expect(none.processors == nil && none.memoryBytes == nil)
        let garbage = limits("0:\n::\n7\n0::relative", "- - -\n1 2 3\n1 2 3 4 5 6 - cgroup2", ["/cpu.max": "1 2"])
        #expect(garbage.processors == nil && garbage.memoryBytes == nil)
    }

    @Test("Version 2: a service has the smallest limits of its group and its ancestors")
    func nested() {
        let files = [
            "/sys/fs/cgroup/system.slice/rawmill.service/cpu.max": "max 100000\n",
            "/sys/fs/cgroup/system.slice/rawmill.service/memory.max": "8589934592\n",
            "/sys/fs/cgroup/system.slice/cpu.max": "150000 100000\n",
            "/sys/fs/cgroup/system.slice/memory.max": "max\n",
            "/sys/fs/cgroup/system.slice/memory.high": "2147483648\n",
        ]
        let found = limits("0::/system.slice/rawmill.service\n", versionTwo, files)
        #expect(found.processors == 1.5)
        #expect(found.memoryBytes == 2 << 30)
    }

    @Test("Version 2: a container with its own namespace finds its group at the top of the mount")
    func namespace() {
        let files = ["/sys/fs/cgroup/cpu.max": "200000 100000", "/sys/fs/cgroup/memory.max": "1073741824"]
        let found = limits("0::/\n", versionTwo, files)
        #expect(found.processors == 2)
        #expect(found.memoryBytes == 1 << 30)
        // A process that was moved out of its namespace's top has a path with "..".
        #expect(limits("0::/../other\n", versionTwo, files).memoryBytes == 1 << 30)
    }

    @Test("Version 1: each controller has its own hierarchy, and its largest number means no limit")
    func versionOne() {
        let mounts = """
            33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:11 master:1 - cgroup cgroup rw,memory
            """
        let files = [
            "/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us": "-1\n",
            "/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us": "100000\n",
            "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "50000\n",
            "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
            "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "3221225472\n",
        ]
        let found = limits("4:memory:/a\n2:cpu,cpuacct:/a/b\n0::/ignored\n", mounts, files)
        #expect(found.processors == 0.5)
        #expect(found.memoryBytes == 3 << 30)
    }

    @Test("Version 1: a container without a namespace has a path from the machine's top, and its own mount")
    func containerOfVersionOne() {
        let mounts = "35 31 0:32 /docker/4f2a /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory"
        let files = [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912",
            "/sys/fs/cgroup/memory/inner/memory.limit_in_bytes": "268435456",
        ]
        #expect(limits("4:memory:/docker/4f2a\n", mounts, files).memoryBytes == 512 << 20)
        #expect(limits("4:memory:/docker/4f2a/inner\n", mounts, files).memoryBytes == 256 << 20)
        #expect(limits("4:memory:/docker/4f2abc/inner\n", mounts, files).memoryBytes == 512 << 20)
    }

    @Test("Both versions at once: memory from one and processors from the other")
    func hybrid() {
        let mounts = """
            35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
            41 31 0:38 / /sys/fs/cgroup/unified\\040two rw shared:1 - cgroup2 cgroup2 rw
            """
        let files = [
            "/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1073741824",
            "/sys/fs/cgroup/unified two/session:1/cpu.max": "300000 100000",
        ]
        let found = limits("4:memory:/job\n1:name=systemd:/x\n0::/session:1\n", mounts, files)
        #expect(found.memoryBytes == 1 << 30)
        #expect(found.processors == 3)
    }

    @Test("This process may use at least one core and some memory, and no more than the machine has")
    func machine() {
        #expect((1...sysconf(Int32(_SC_NPROCESSORS_ONLN))).contains(Machine.cores))
        let all = UInt64(sysconf(Int32(_SC_PHYS_PAGES))) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
        #expect((1 << 20...all).contains(Machine.memoryBytes))
    }
}
