// Albums: photographs under a name, in a chosen order.

import { get, post, query } from "./api.js";
import { askForName, attempt, complain, confirm } from "./dialogs.js";
import { button, element, emptyState, errorState, heading, reconcile, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { nothingHere, PhotoWall } from "./photo-wall.js";
import { preview, showPicture, watchPicture } from "./pictures.js";
import { mayEdit } from "./session.js";
import { counted } from "./words.js";

const address = (name) => `#/albums/${encodeURIComponent(name)}`;

export function showAlbums(place, route) {
    return route.argument ? showAlbum(place, route.argument) : showAll(place);
}

async function showAll(place) {
    const list = element("ul", { class: "album-list" });
    const make = async () => {
        const name = await askForName("A new album", "Name", "Create");
        if (name && await attempt(() => post("/v1/albums", { name }))) location.hash = address(name);
    };
    const nothing = emptyState("No albums yet",
        mayEdit() ? "Create one here, or select photos in the gallery and press A." : "An operator of this library can create albums.",
        element("a", { class: "button", href: "#/gallery" }, "Open gallery"));
    replace(place, heading("Albums", mayEdit() ? button("New album…", make) : null), list, nothing);
    const read = async () => {
        const { albums } = await get("/v1/albums");
        nothing.hidden = albums.length > 0;
        reconcile(list, albums, (album) => album.name, makeEntry, (entry, album) => {
            say(entry.querySelector(".about"), counted(album.count, "photo"));
            if (entry.shownCount !== album.count) showCover(entry, album);
        });
    };
    await read();
    setKeys("Albums", []);
    const again = calmly(read, 300);
    const stop = listen("library", again);
    return { close() { stop(); again.stop(); } };
}

function makeEntry(album) {
    const image = watchPicture(element("img", { alt: "", decoding: "async" }));
    return element("li", {}, element("a", { class: "album", href: address(album.name) },
        element("div", { class: "picture" }, image),
        element("span", { class: "name" }, album.name), element("span", { class: "about quiet" })));
}

async function showCover(entry, album) {
    entry.shownCount = album.count;
    if (album.count === 0) return;
    try {
        const { photos } = await get(`/v1/photos${query({ album: album.name, offset: 0, limit: 1 })}`);
        if (photos[0]) showPicture(entry.querySelector("img"), preview(photos[0], 260), { atOnce: true });
    } catch (error) {
        complain(error);
    }
}

function showAlbum(place, name) {
    const box = element("div", { class: "wall-place" });
    const archive = (values) => `/v1/albums/archive${query({ name, ...values })}`;
    const rename = async () => {
        const to = await askForName("Rename this album", "Name", "Rename", { value: name });
        if (to && to !== name && await attempt(() => post("/v1/albums/rename", { name, to }))) location.replace(address(to));
    };
    const remove = async () => {
        if (!await confirm(`Delete the album ${name}?`, "Its photos stay in the library.", "Delete the album")) return;
        if (await attempt(() => post("/v1/albums/delete", { name }))) location.hash = "#/albums";
    };
    replace(place,
        heading(name,
            element("div", { class: "actions" },
                element("a", { class: "button", href: archive({ format: "zip" }), download: true }, "Download as ZIP"),
                mayEdit() ? button("Rename…", rename) : null,
                mayEdit() ? button("Delete…", remove, { class: "danger-quiet" }) : null)),
        box);
    const wall = new PhotoWall(box, {
        title: name, filters: { album: name }, album: name,
        empty: () => nothingHere("Select photos in the gallery, and add them to this album.",
            element("a", { class: "button", href: "#/gallery" }, "Open gallery")),
        failed: (error) => replace(box, errorState(error)),
    });
    wall.start();
    return { close: () => wall.close() };
}
