internal import Mounts

/// The control groups (cgroups(7)) of a process: where the kernel tells what they allow it.
///
/// A process is in one group of each hierarchy: in version 2 there is one hierarchy for everything, in version 1 one for
/// each controller, and a machine may have both. A limit of a group holds for all groups below it, so each folder from the
/// process's own up to the top of what is mounted counts.
struct ControlGroups {
    /// One limit's files: in the process's own group first, then in each group above.
    private let memberships: [Membership]
    private let mounts: [Hierarchy]

    /// - Parameters:
    ///   - membership: what `/proc/self/cgroup` says.
    ///   - mounts: what `/proc/self/mountinfo` says.
    init(membership: String, mounts: String) {
        memberships = membership.split(separator: "\n").compactMap { Membership($0) }
        self.mounts = mounts.split(separator: "\n").compactMap { Hierarchy($0) }
    }

    /// The folders whose limits of a controller hold for the process, its own first.
    ///
    /// - Parameter controller: `cpu`, `memory`, …; nil for version 2, where one hierarchy has them all.
    func folders(controller: String?) -> [String] {
        guard let group = memberships.first(where: { $0.has(controller) }) else { return [] }
        let candidates = mounts.filter { $0.has(controller) }
        // A mount may show only a part of the hierarchy. One that does not reach the group by its name shows it at its
        // top, if at all: so it is in a container that has its own mount, but the names of the machine.
        guard let mount = candidates.first(where: { $0.relative(group.path) != nil }) ?? candidates.first else {
            return []
        }
        var names = (mount.relative(group.path) ?? "").split(separator: "/")
        var folders: [String] = []
        while true {
            folders.append(([mount.point] + names.map(String.init)).joined(separator: "/"))
            guard names.popLast() != nil else { return folders }
        }
    }

    /// A line of `/proc/self/cgroup`: `4:memory:/user/session`, and in version 2 `0::/user/session`.
    private struct Membership {
        private let controllers: [Substring]
        let path: Substring

        init?(_ line: Substring) {
            // The path comes last and may contain colons.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
            controllers = fields[1].split(separator: ",")
            path = fields[2]
        }

        func has(_ controller: String?) -> Bool {
            controller.map { name in controllers.contains { $0 == name } } ?? controllers.isEmpty
        }
    }

    /// A mounted hierarchy.
    private struct Hierarchy {
        /// The group that the mount shows at its top.
        private let root: String
        /// Where it is mounted, without a slash at its end.
        let point: String
        /// Nil for version 2.
        private let controllers: [String]?

        init?(_ line: Substring) {
            guard let mount = Mount(line) else { return nil }
            switch mount.kind {
            case "cgroup": controllers = mount.fileSystemOptions
            case "cgroup2": controllers = nil
            default: return nil
            }
            root = mount.root
            let point = String(decoding: mount.path, as: UTF8.self)
            self.point = point == "/" ? "" : point
        }

        func has(_ controller: String?) -> Bool {
            switch (controllers, controller) {
            case (nil, nil): true
            case (let controllers?, let controller?): controllers.contains { $0 == controller }
            default: false
            }
        }

        /// A group's path below the mount; nil if the mount does not show it.
        func relative(_ path: Substring) -> Substring? {
            // A group outside of the process's namespace is named by a path that climbs.
            guard !path.split(separator: "/").contains("..") else { return nil }
            if root == "/" { return path }
            guard path.hasPrefix(root) else { return nil }
            let rest = path.dropFirst(root.count)
            return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
        }
    }
}
