/// Runs `body` for all items, at most `atOnce` at a time, and returns when all are done.
public func runConcurrently<Item: Sendable>(
    _ items: [Item], atOnce: Int, _ body: @escaping @Sendable (Item) async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        for (index, item) in items.enumerated() {
            if index >= atOnce { await group.next() }
            group.addTask { await body(item) }
        }
    }
}
