// Files of what was dropped or chosen: folders in full, in the order of their names.

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

// Files and folders that are skipped inside a folder, as the program's own walk skips them: hidden files (a Mac leaves one
// beside each photo of a card), and folders in which systems keep deleted and internal files. A file that is dropped directly
// is always taken.
const systemFolders = new Set([
    "lost+found", "$recycle.bin", "recycler", "system volume information", "#recycle", "#snapshot", "@eadir", "@recycle",
    "@recently-snapshot",
]);

function isPassedOver(name, isFolder) {
    return name.startsWith(".") || (isFolder && systemFolders.has(name.toLowerCase()));
}

// To be called while the drop is handled; the entries must be taken before anything is waited for.
export function filesDropped(transfer) {
    const entries = [];
    const loose = [];
    for (const item of transfer.items) {
        if (item.kind !== "file") continue;
        const entry = item.webkitGetAsEntry?.();
        if (entry) entries.push(entry);
        else if (item.getAsFile()) loose.push({ file: item.getAsFile(), path: "" });
    }
    entries.sort((a, b) => byName.compare(a.name, b.name));
    return async (progress = () => {}) => {
        const found = [...loose];
        for (const entry of entries) await walk(entry, "", found, progress);
        return found;
    };
}

export function filesChosen(list) {
    return [...list].map((file) => ({ file, parts: file.webkitRelativePath.split("/") }))
        .filter(({ parts }) => !parts.some((name, at) => at > 0 && isPassedOver(name, at < parts.length - 1)))
        .map(({ file, parts }) => ({ file, path: parts.slice(0, -1).join("/") }))
        .sort((a, b) => byName.compare(`${a.path}/${a.file.name}`, `${b.path}/${b.file.name}`));
}

async function walk(entry, path, found, progress) {
    if (entry.isFile) {
        // A file that cannot be read is listed all the same: its upload says what is wrong.
        const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
        found.push({ file, path, name: entry.name });
        if (found.length % 50 === 0) progress(found.length);
        return;
    }
    const below = path ? `${path}/${entry.name}` : entry.name;
    for (const child of await childrenOf(entry)) {
        if (!isPassedOver(child.name, child.isDirectory)) await walk(child, below, found, progress);
    }
}

// A reader hands out some of a folder's entries (Chromium: 100) at each call, and none when it is empty.
async function childrenOf(folder) {
    const reader = folder.createReader();
    const children = [];
    for (;;) {
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)).catch(() => []);
        if (some.length === 0) break;
        children.push(...some);
    }
    return children.sort((a, b) => byName.compare(a.name, b.name));
}
