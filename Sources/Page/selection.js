// Which photos are selected. One for the whole page, so that looks can be tried for what was chosen in the gallery.

const chosen = new Map();
const listeners = new Set();

function changed() {
    for (const listener of listeners) listener();
}

export const selection = {
    get size() {
        return chosen.size;
    },
    has: (id) => chosen.has(id),
    ids: () => [...chosen.keys()],
    photos: () => [...chosen.values()],
    set(photos) {
        chosen.clear();
        for (const photo of photos) chosen.set(photo.id, photo);
        changed();
    },
    add(photos) {
        for (const photo of photos) chosen.set(photo.id, photo);
        changed();
    },
    remove(photos) {
        for (const photo of photos) chosen.delete(photo.id);
        changed();
    },
    toggle(photo) {
        if (!chosen.delete(photo.id)) chosen.set(photo.id, photo);
        changed();
    },
    clear() {
        if (chosen.size === 0) return;
        chosen.clear();
        changed();
    },
    // After an undo or an edit photos have other ids: what was chosen stays chosen.
    follow(changes) {
        const before = [...chosen.entries()];
        chosen.clear();
        const after = new Map(changes.filter((change) => change.after).map((change) => [change.before, change.after]));
        for (const [id, photo] of before) {
            const next = after.get(id);
            if (next?.id) chosen.set(next.id, next);
            else if (typeof next === "string") chosen.set(next, { ...photo, id: next });
            else chosen.set(id, photo);
        }
        changed();
    },
    listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
    },
};
