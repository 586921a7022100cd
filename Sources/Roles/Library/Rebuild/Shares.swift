/// Splits work among actors that each have a thread, and puts the answers in the order of the questions.
func shared<Question: Sendable, Answer: Sendable, Worker: Actor>(
    _ questions: [Question], among workers: [Worker],
    _ work: @escaping @Sendable (Worker, [Question]) async throws -> [Answer]
) async throws -> [Answer] {
    let share = max(1, (questions.count + workers.count - 1) / max(1, workers.count))
    return try await withThrowingTaskGroup(of: (Int, [Answer]).self) { group in
        for (index, worker) in workers.enumerated() where index * share < questions.count {
            let part = Array(questions.dropFirst(index * share).prefix(share))
            group.addTask { (index, try await work(worker, part)) }
        }
        var parts: [(Int, [Answer])] = []
        for try await part in group { parts.append(part) }
        return parts.sorted { $0.0 < $1.0 }.flatMap { $0.1 }
    }
}
