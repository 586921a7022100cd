import Testing

@testable import Worker

/// The number of render processes, and their memory limit.
@Suite struct WorkerSettingsTests {
    @Test("There is one slot per core, as far as three quarters of the memory suffice for 512 MiB each")
    func slots() {
        #expect(WorkerSettings.slots(cores: 8, memoryBytes: 64 << 30) == 8)
        #expect(WorkerSettings.slots(cores: 8, memoryBytes: 2 << 30) == 3)
        #expect(WorkerSettings.slots(cores: 8, memoryBytes: 100 << 20) == 1)
        #expect(WorkerSettings.slots(cores: 8, memoryBytes: 0) == 1)
    }

    @Test("The slots together never get more than three quarters of the memory, unless more slots are requested")
    func memory() {
        for cores in [1, 2, 8, 64, 256] {
            for gigabytes in [UInt64(1), 2, 8, 64, 1024] {
                let bytes = gigabytes << 30
                let slots = WorkerSettings.slots(cores: cores, memoryBytes: bytes)
                #expect(WorkerSettings.memoryLimit(slots: slots, memoryBytes: bytes) * UInt64(slots) <= bytes / 4 * 3)
            }
        }
        #expect(WorkerSettings.memoryLimit(slots: 1, memoryBytes: 400 << 20) == 300 << 20)
        #expect(WorkerSettings.memoryLimit(slots: 2, memoryBytes: 64 << 30) == 4 << 30)
        #expect(WorkerSettings.memoryLimit(slots: 64, memoryBytes: 1 << 30) == 512 << 20)
    }
}
