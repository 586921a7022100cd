import CommandLineTool
import KafkaBroker
import LensDatabase
import Lenses
import Processes
import RenderHost
import Sandbox
import Storage
import Worker

/// The facts that `rawmill doctor` examines: this program, its libraries, its machine, and a library's folder.
struct Examination {
    let program: String
    let renderProgram: RenderProgramFacts
    /// Of both programs, by name.
    let libraries: [LoadedLibrary]
    let machine: MachineFacts
    /// The layers of the render processes' sandbox that this kernel supports, apart from those that every kernel has.
    let sandbox: SandboxFeatures
    /// Lenses in the Lensfun database, some of them for several sensors; nil without a database.
    let knownLenses: Int?
    /// Nil without a library.
    let library: FolderFacts?

    /// - Parameter library: the library's folder; nil for none.
    init(library: String?) throws {
        program = try InstalledProgram.running()
        renderProgram = try RenderProgramFacts(.best)
        libraries = (LoadedLibrary.ofThisProgram + renderProgram.libraries).sorted {
            $0.name.lowercased() < $1.name.lowercased()
        }
        machine = MachineFacts()
        sandbox = .available
        let lenses = try? LensTableCache.user.table(isKept: false)?.table()
        knownLenses = lenses.map { Set($0.lenses.map(\.title)).count }
        self.library = library.map { FolderFacts($0) }
    }
}

/// The machine, and this process's share of it.
struct MachineFacts {
    /// The system's name; nil if it has none.
    let system = OperatingSystem.name
    let kernel = OperatingSystem.kernel
    /// The x86-64 level of the processor; 0 for other architectures.
    let processorLevel = Processor.level
    /// The processors that the scheduler may use.
    let processors = Machine.allowedProcessors
    /// The limit by control groups; nil for none.
    let processorLimit = Machine.processorLimit
    let memoryBytes = Machine.physicalBytes
    /// The limit by control groups; nil for none.
    let memoryLimitBytes = Machine.memoryLimitBytes
    let availableBytes = Machine.availableBytes
    /// A worker's default number of concurrent renders here.
    let slots = WorkerSettings.defaultSlots
    /// Nil if the kernel does not report it.
    let clockIsSynchronised = OperatingSystem.clockIsSynchronised
    /// Whether the certificate authorities for TLS are installed.
    let hasCertificates =
        (try? FileFacts(absolutePath: Array("/etc/ssl/certs/ca-certificates.crt".utf8))) != nil
}

struct FolderFacts {
    let path: String
    let fileSystem: FileSystemFacts?
    let abilities: FolderAbilities?
    /// Why the examination failed or ended early.
    let failure: StorageError?

    /// Examines a folder, with a few small files that it creates and removes.
    init(_ path: String) {
        self.path = path
        var facts: FileSystemFacts?
        var found: FolderAbilities?
        do throws(StorageError) {
            facts = try FileSystemFacts(folder: Array(path.utf8))
            found = try Root(path: path).abilities()
            failure = nil
        } catch {
            failure = error
        }
        fileSystem = facts
        abilities = found
    }
}
