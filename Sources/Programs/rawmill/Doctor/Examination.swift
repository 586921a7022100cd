import CommandLineTool
import KafkaBroker
import LensDatabase
import Lenses
import Processes
import RenderHost
import Sandbox
import Storage
import Worker

/// What `rawmill doctor` looks at: this program, its libraries, its machine, and a library's folder.
struct Examination {
    /// Absolute path of the program.
    let program: String
    /// What render processes run.
    let renderProgram: RenderProgramFacts
    /// Of both programs, by name.
    let libraries: [LoadedLibrary]
    let machine: MachineFacts
    /// The layers of the render processes' sandbox that the kernel has. Those that every kernel has are always in force.
    let sandbox: SandboxFeatures
    /// Lenses in the Lensfun database, some of them for several sensors; nil where there is no database.
    let knownLenses: Int?
    /// Nil where no library was named.
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

/// The machine, and how much of it this process may use.
struct MachineFacts {
    /// The system's name; nil where it has none.
    let system = OperatingSystem.name
    let kernel = OperatingSystem.kernel
    /// The x86-64 level of the processor; 0 for another kind.
    let processorLevel = Processor.level
    /// Processors that the scheduler may choose.
    let processors = Machine.allowedProcessors
    /// What control groups leave of them; nil for all.
    let processorLimit = Machine.processorLimit
    let memoryBytes = Machine.physicalBytes
    /// What control groups leave of it; nil for all.
    let memoryLimitBytes = Machine.memoryLimitBytes
    /// Nil where the kernel does not say.
    let availableBytes = Machine.availableBytes
    /// Renders that a worker makes at the same time here, unless it is told otherwise.
    let slots = WorkerSettings.defaultSlots
    /// Nil where the kernel does not say.
    let clockIsSynchronised = OperatingSystem.clockIsSynchronised
    /// Whether the certificates are there by which TLS connections are checked.
    let hasCertificates =
        (try? FileFacts(absolutePath: Array("/etc/ssl/certs/ca-certificates.crt".utf8))) != nil
}

/// A folder and its file system.
struct FolderFacts {
    let path: String
    let fileSystem: FileSystemFacts?
    let abilities: FolderAbilities?
    /// Why it could not be examined, or not to the end.
    let failure: StorageError?

    /// Examines a folder. Makes a few small files in it, and removes them again.
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
