import KafkaBroker
import Processes
import RenderHost
import Sandbox
import Storage
import Telemetry
import Worker

/// A problem or a piece of advice, with its remedy.
struct Finding {
    enum Weight: String {
        /// Rawmill does not work properly here.
        case problem
        /// It works, but could do better.
        case advice
    }

    let weight: Weight
    let subject: String
    let message: String

    private static func problem(_ subject: String, _ message: String) -> Finding {
        Finding(weight: .problem, subject: subject, message: message)
    }

    private static func advice(_ subject: String, _ message: String) -> Finding {
        Finding(weight: .advice, subject: subject, message: message)
    }

    static func all(_ examination: Examination) -> [Finding] {
        ofProgram(examination) + ofMachine(examination.machine) + ofSandbox(examination.sandbox)
            + (examination.library.map(ofFolder) ?? [])
    }

    // MARK: The program and its libraries

    private static func ofProgram(_ examination: Examination) -> [Finding] {
        var findings: [Finding] = []
        let level = examination.machine.processorLevel
        if let failure = examination.renderProgram.failure {
            findings.append(.problem("render program", failure.description))
        }
        if level > 1, examination.renderProgram.program.level == nil {
            findings.append(
                .advice(
                    "render programs",
                    "The one for this processor's level (x86-64-v\(level)) is not installed, so renders take longer. "
                        + "Deploy/build installs it beside the program."))
        }
        if !examination.renderProgram.knowsCamerasAfter2020 {
            let version = examination.libraries.first { $0.name == "LibRaw" }?.version
            findings.append(
                .advice(
                    "LibRaw",
                    "Version \(version ?? "0.20") supports no camera released after 2020. Debian 13 has 0.21; until then, "
                        + "convert such files to DNG. `rawmill cameras` lists the supported cameras."))
        }
        if examination.knownLenses == nil {
            findings.append(
                .advice(
                    "lenses",
                    "There is no Lensfun database: libraries created here correct lenses only as the files describe. "
                        + "Install liblensfun-data-v1."))
        }
        if !KafkaLibrary.hasWorkingSCRAM {
            findings.append(
                .advice(
                    "librdkafka",
                    "Version \(KafkaLibrary.version) cannot log in to Kafka 4 with SASL SCRAM. Use PLAIN over TLS or client "
                        + "certificates, or 2.6.1 or newer, which Debian 13 has."))
        }
        if !KafkaLibrary.survivesRecreatedTopics {
            findings.append(
                .advice(
                    "librdkafka",
                    "Version \(KafkaLibrary.version) may crash a role when a topic is deleted and created again. Stop the roles "
                        + "before that."))
        }
        return findings
    }

    // MARK: The machine

    private static func ofMachine(_ machine: MachineFacts) -> [Finding] {
        var findings: [Finding] = []
        if let version = KernelVersion(machine.kernel), version < KernelVersion(major: 5, minor: 6) {
            findings.append(
                .problem(
                    "kernel",
                    "Linux \(machine.kernel) is too old: Rawmill needs 5.6 for openat2."))
        }
        let cores = machine.processorLimit.map { min(Int($0.rounded(.up)), machine.processors) } ?? machine.processors
        if machine.slots < cores {
            findings.append(
                .advice(
                    "memory",
                    "The memory suffices for \(SummaryText.counted(machine.slots, "concurrent render")), the processors for \(cores). Add "
                        + "memory, or raise the control group's limit."))
        }
        if machine.clockIsSynchronised == false {
            findings.append(
                .advice(
                    "clock",
                    "This machine's clock is not synchronised, which retries and TLS need. Install systemd-timesyncd or "
                        + "chrony."))
        }
        if !machine.hasCertificates {
            findings.append(
                .advice(
                    "certificates",
                    "The certificate authorities for TLS are not installed: apt-get install "
                        + "ca-certificates."))
        }
        return findings
    }

    private static func ofSandbox(_ sandbox: SandboxFeatures) -> [Finding] {
        sandbox.complaint.map { [.advice("sandbox", $0)] } ?? []
    }

    // MARK: A library's folder

    private static func ofFolder(_ folder: FolderFacts) -> [Finding] {
        var findings: [Finding] = []
        if let failure = folder.failure {
            findings.append(
                .problem(
                    folder.path,
                    "It cannot be examined: \(failure.cause). Check its name, its permissions and its disk."
                ))
        }
        if let facts = folder.fileSystem {
            if facts.isReadOnly { findings.append(.problem(folder.path, "Its file system is read-only.")) }
            if !facts.isReadOnly, facts.freeBytes < minFreeBytes {
                findings.append(
                    .problem(folder.path, "Only \(NumberText.bytes(facts.freeBytes)) are free there. Free some space."))
            }
            if facts.isNetwork, !facts.sharesLocks {
                findings.append(
                    .problem(
                        folder.path,
                        "It is a network file system with local locks, so two machines may write to the library at the "
                            + "same time. Mount it without nolock and local_lock."))
            }
        }
        return findings + (folder.abilities.map { ofAbilities($0, folder) } ?? [])
    }

    private static func ofAbilities(_ abilities: FolderAbilities, _ folder: FolderFacts) -> [Finding] {
        var findings: [Finding] = []
        if !abilities.locks {
            findings.append(
                .problem(
                    folder.path,
                    "Its file system has no locks, so two runs may write to the library at the same time. "
                        + "Put the library elsewhere."))
        }
        if !abilities.hardLinks {
            findings.append(
                .advice(
                    folder.path,
                    "Its file system has no hard links: a RAW that is copied or moved into the library takes its space twice."
                ))
        }
        if !abilities.reflink {
            findings.append(
                .advice(
                    folder.path,
                    "Its file system cannot share space between copies (no reflink), so "
                        + "--originals copy needs the space of the RAWs again."))
        }
        return findings
    }

    private static let minFreeBytes: UInt64 = 1 << 30
}

/// The first two numbers of a kernel's version.
private struct KernelVersion: Comparable {
    let major: Int
    let minor: Int

    init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    init?(_ text: String) {
        let numbers = text.split(separator: ".").prefix(2).compactMap { Int($0.prefix(while: \.isNumber)) }
        guard numbers.count == 2 else { return nil }
        self.init(major: numbers[0], minor: numbers[1])
    }

    static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
