import Glibc
import Testing

@testable import Storage

@Suite("The limit of open files", .serialized)
struct OpenFileLimitTests {
    private let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private func limits() -> rlimit {
        var limit = rlimit()
        getrlimit(resource, &limit)
        return limit
    }

    @Test("The limit is raised as far as the system allows, and never lowered")
    func raised() {
        let before = limits()
        defer {
            var before = before
            setrlimit(resource, &before)
        }
        var lower = before
        lower.rlim_cur = min(before.rlim_cur, 700)
        setrlimit(resource, &lower)
        OpenFileLimit.raise(to: 600)
        #expect(OpenFileLimit.current == Int(lower.rlim_cur))
        OpenFileLimit.raise(to: 710)
        #expect(OpenFileLimit.current == Int(min(710, before.rlim_max)))
        OpenFileLimit.raise(to: .max)
        #expect(limits().rlim_cur == before.rlim_max)
    }

    @Test(
        "An error due to too many open files names the limit, not the disk",
        arguments: [EMFILE, ENFILE])
    func error(number: Int32) {
        let error = StorageError(errno: number, "open", Array("a.dng".utf8))
        #expect("\(error)" == "cannot open \"a.dng\": too many files are open")
        #expect(error.remedy.contains("ulimit -n") && error.isStorageGone)
    }
}
