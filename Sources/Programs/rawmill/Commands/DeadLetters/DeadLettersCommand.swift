import Arguments
import Broker
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

enum DeadLettersCommand {
    static let group: Command = Command(
        "dead-letters", summary: "List and retry jobs and records that a cluster rejected.",
        subcommands: [list, show, redrive])

    static let reason: Parameter<EnumArgument<FailureReason>?> = .optional(
        "reason", "REASON", help: "Select letters with this failure reason.")
    static let number: Parameter<Int> = .positional(
        "NUMBER", must: .within(0...Int.max), help: "Number of the letter, as the list shows it.")
    static let numbers: Parameter<[Int]> = .positionals(
        "NUMBER", atLeastOne: false, help: "Numbers of the letters, as the list shows them.")
    static let all: Parameter<Bool> = .flag("all", help: "Select all letters.")

    private static let list: Command = Command(
        "list", summary: "List dead letters, oldest first.",
        parameters: BrokerOptions.all + [reason, LibraryOption.json]
    ) { values in
        let output = TextOutput.standardOutput
        let asJSON = values[LibraryOption.json]
        var found = 0
        let transport = try BrokerOptions.commandTransport(values)
        let unreadable = try await NumberedLetter.each(transport) { letter in
            guard isSelected(letter, values) else { return }
            found += 1
            for line in asJSON ? [DeadLetterReport.json(letter)] : DeadLetterReport.lines(letter) {
                output.write(line: line)
            }
        }
        await transport.close()
        guard !asJSON else { return ExitStatus.done }
        if found == 0 {
            EmptyList.note(
                values[reason] == nil ? "There are no dead letters." : "No dead letter has this reason.", isText: true)
        } else {
            output.write(line: "\(SummaryText.counted(found, "dead letter")).")
        }
        if unreadable > 0 { output.write(line: "\(unreadable) more cannot be read by this version.") }
        return ExitStatus.done
    }

    private static let show: Command = Command(
        "show", summary: "Show one dead letter in full.",
        parameters: [number] + BrokerOptions.all + [LibraryOption.json]
    ) { values in
        let selected = Int64(values[number])
        var found: NumberedLetter?
        let transport = try BrokerOptions.commandTransport(values)
        try await NumberedLetter.each(transport) { if $0.number == selected { found = $0 } }
        await transport.close()
        guard let found else { throw missing(selected) }
        let lines = values[LibraryOption.json] ? [DeadLetterReport.json(found)] : DeadLetterReport.text(found)
        for line in lines { TextOutput.standardOutput.write(line: line) }
        return ExitStatus.done
    }

    private static let redrive: Command = Command(
        "redrive", summary: "Retry dead letters.",
        discussion: """
            The coordinator starts the jobs again. A job that was already restarted, or is done, stays unchanged. \
            Records that could not be read return to their topics unchanged. The letters are kept.
            """,
        examples: [
            .init("rawmill dead-letters redrive --reason out-of-memory", "after giving the workers more memory")
        ],
        parameters: [numbers] + BrokerOptions.all + [reason, all, LibraryOption.json]
    ) { values in
        let selected = Set(values[numbers].map { Int64($0) })
        guard !selected.isEmpty || values[reason] != nil || values[all] else {
            throw UsageError("Give NUMBER…, --reason REASON or --all.", command: values.command)
        }
        var redrive = Redrive()
        var missed = selected
        let transport = try BrokerOptions.commandTransport(values)
        try await NumberedLetter.each(transport) { letter in
            missed.remove(letter.number)
            guard selected.isEmpty || selected.contains(letter.number), isSelected(letter, values) else { return }
            redrive.add(letter)
        }
        if let number = missed.min() { throw missing(number) }
        try await redrive.send(transport)
        await transport.close()
        report(redrive, asJSON: values[LibraryOption.json])
        return ExitStatus.done
    }

    private static func isSelected(_ letter: NumberedLetter, _ values: ArgumentValues) -> Bool {
        values[reason].map { $0.value == letter.letter.failure.reason } ?? true
    }

    private static func missing(_ number: Int64) -> CommandFailure {
        CommandFailure("there is no dead letter \(number): `rawmill dead-letters list` shows all.")
    }

    private static func report(_ redrive: Redrive, asJSON: Bool) {
        guard asJSON else {
            var sentence = "Retrying \(SummaryText.counted(redrive.jobs.count, "job"))"
            if !redrive.records.isEmpty {
                sentence += ", resent \(SummaryText.counted(redrive.records.count, "record"))"
            }
            if redrive.unsendable > 0 {
                sentence += ", skipped \(SummaryText.counted(redrive.unsendable, "letter")) without a record"
            }
            return TextOutput.standardOutput.write(line: sentence + ".")
        }
        TextOutput.standardOutput.write(
            event: "redriven",
            [
                "jobs": redrive.jobs.count,
                "records": redrive.records.count,
                "leftOut": redrive.unsendable,
            ])
    }
}
