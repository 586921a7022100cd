// The grid of photos: what its cells show, how photos are selected, opened, and moved within an album.

import { attempt } from "./dialogs.js";
import { editOf, whenEditsChange } from "./edits.js";
import { element, say } from "./elements.js";
import { Grid } from "./grid.js";
import { nameOf } from "./keys.js";
import { dropPicture, preview, showPicture, watchPicture } from "./pictures.js";
import { selection } from "./selection.js";
import { lookName, ratingName, stars } from "./words.js";

export class PhotoGrid {
    // open(photo, index); move(before): moves what is selected in front of a photo, null to the end; only where `orderable`.
    constructor(pages, { label, orderable = false, open, move }) {
        Object.assign(this, { pages, orderable, open, move });
        this.focus = 0;
        this.anchor = 0;
        this.grid = new Grid({
            label, cellWidth: 208, narrowCellWidth: 104, ratio: 0.7, caption: 42, gap: 14,
            fill: (cell, index) => this.fill(cell, index),
            free: (cell) => cell.image && dropPicture(cell.image),
            inSight: (first, last) => this.pages.want(first, last),
        });
        this.element = this.grid.element;
        this.element.addEventListener("click", (event) => this.clicked(event));
        this.element.addEventListener("dblclick", (event) => this.openAt(this.grid.indexOf(event.target)));
        this.element.addEventListener("keydown", (event) => this.pressed(event));
        this.element.addEventListener("focus", () => this.markFocus());
        const stops = [selection.listen(() => this.markSelected()), whenEditsChange(() => { this.grid.redraw(); this.grid.draw(); })];
        this.stopListening = () => { for (const stop of stops) stop(); };
        if (orderable) this.allowDragging();
    }

    close() {
        this.stopListening();
        this.grid.close();
    }

    // The pages changed.
    changed() {
        if (this.grid.count !== this.pages.count) this.grid.setCount(this.pages.count);
        this.focus = Math.max(0, Math.min(this.focus, this.pages.count - 1));
        this.grid.redraw();
        this.grid.draw();
    }

    fill(cell, index) {
        if (!cell.image) {
            cell.image = watchPicture(element("img", { alt: "", decoding: "async", draggable: "false" }));
            cell.name = element("span", { class: "name" });
            cell.about = element("span", { class: "about quiet" });
            cell.mark = element("span", { class: "tick", "aria-hidden": "true" });
            cell.burst = element("span", { class: "burst", "aria-hidden": "true", hidden: true });
            cell.append(element("div", { class: "picture" }, cell.image, cell.burst, cell.mark), element("div", { class: "caption" }, cell.name, cell.about));
            if (this.orderable) cell.draggable = true;
        }
        const photo = this.pages.photo(index);
        cell.classList.toggle("empty-cell", !photo);
        cell.classList.toggle("degraded", Boolean(photo?.degraded));
        cell.classList.toggle("at", index === this.focus);
        cell.burst.hidden = !photo?.burst;
        if (photo) {
            const edit = editOf(photo.id);
            const under = edit ? { rendering: "being rendered", failed: "not rendered" }[edit.state] : "";
            cell.dataset.edit = edit?.state ?? "";
            say(cell.name, photo.name);
            say(cell.about, [stars(photo.rating), lookName(edit?.look ?? photo.look), under, photo.degraded ? "colours doubtful" : ""].filter(Boolean).join(" · "));
            say(cell.burst, `⧉ ${photo.burst}`);
            cell.setAttribute("aria-label", [
                photo.name, photo.burst ? `burst of ${photo.burst}` : "", photo.look, photo.degraded ? "degraded" : "", ratingName(photo.rating),
            ].filter(Boolean).join(", "));
            cell.title = [edit?.message, photo.folder, photo.camera, photo.captured?.replace("T", " ")].filter(Boolean).join("\n");
            cell.setAttribute("aria-selected", String(selection.has(photo.id)));
            showPicture(cell.image, preview(photo, this.grid.wide));
        } else {
            say(cell.name, "");
            say(cell.about, "");
            cell.setAttribute("aria-label", `Photo ${index + 1}`);
            cell.setAttribute("aria-selected", "false");
            dropPicture(cell.image);
        }
    }

    markSelected() {
        for (const [index, cell] of this.grid.cells) {
            const photo = this.pages.photo(index);
            cell.setAttribute("aria-selected", String(photo !== undefined && selection.has(photo.id)));
        }
    }

    markFocus() {
        for (const [index, cell] of this.grid.cells) cell.classList.toggle("at", index === this.focus);
        this.element.setAttribute("aria-activedescendant", `cell-${this.focus}`);
    }

    goTo(index) {
        this.focus = Math.max(0, Math.min(index, this.pages.count - 1));
        this.grid.reveal(this.focus);
        this.markFocus();
    }

    openAt(index) {
        const photo = index === null ? undefined : this.pages.photo(index);
        if (photo) this.open(photo, index);
    }

    async clicked(event) {
        const index = this.grid.indexOf(event.target);
        const photo = index === null ? undefined : this.pages.photo(index);
        if (!photo) {
            if (index === null) selection.clear();
            return;
        }
        this.focus = index;
        this.markFocus();
        const touched = event.pointerType === "touch";
        if (event.shiftKey) await this.selectRange(this.anchor, index, event.ctrlKey || event.metaKey);
        else if (event.ctrlKey || event.metaKey || event.target.closest(".tick")) await this.toggle(photo);
        else if (touched) {
            // A finger opens, and goes on selecting once something is selected.
            if (selection.size > 0) await this.toggle(photo);
            else this.openAt(index);
        } else await this.select([photo]);
        if (!event.shiftKey) this.anchor = index;
    }

    async selectRange(a, b, adding) {
        await this.select(await this.pages.all(Math.min(a, b), Math.max(a, b)), adding);
    }

    // What stands for a burst is chosen at once, and all of it as soon as it is known.
    async select(photos, adding = false) {
        if (adding) selection.add(photos);
        else selection.set(photos);
        if (photos.some((photo) => photo.burst)) await attempt(async () => selection.add(await this.pages.whole(photos)));
    }

    async toggle(photo) {
        if (!photo.burst) selection.toggle(photo);
        else if (!selection.has(photo.id)) await this.select([photo], true);
        else await attempt(async () => selection.remove(await this.pages.whole([photo])));
    }

    step(name) {
        const { columns, rowsInSight } = this.grid;
        const steps = {
            ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns,
            PageUp: -columns * rowsInSight, PageDown: columns * rowsInSight, Home: -this.pages.count, End: this.pages.count,
        };
        return steps[name];
    }

    pressed(event) {
        const name = nameOf(event);
        const plain = name.replace("Shift+", "");
        const step = this.step(plain);
        const photo = this.pages.photo(this.focus);
        if (step !== undefined) {
            this.goTo(this.focus + step);
            if (event.shiftKey) this.selectRange(this.anchor, this.focus, false);
            else this.anchor = this.focus;
        } else if (name === "Enter") this.openAt(this.focus);
        else if ((name === "Space" || name === "Ctrl+Space") && photo) {
            this.toggle(photo);
            this.anchor = this.focus;
        } else return;
        event.preventDefault();
    }

    // Dragging one of several selected photos moves them all.
    allowDragging() {
        const line = element("div", { class: "drop-line", hidden: true });
        this.grid.space.append(line);
        let to = null;
        this.element.addEventListener("dragstart", (event) => {
            const photo = this.pages.photo(this.grid.indexOf(event.target) ?? -1);
            if (!photo) return;
            if (!selection.has(photo.id)) selection.set([photo]);
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", selection.photos().map((chosen) => chosen.name).join("\n"));
            this.dragging = true;
        });
        this.element.addEventListener("dragover", (event) => {
            if (!this.dragging) return;
            event.preventDefault();
            to = this.placeAt(event);
            const { columns, wide, gap, rowHeight } = this.grid;
            const end = to === this.pages.count && to % columns === 0 && to > 0;
            const column = end ? columns : to % columns;
            const row = Math.floor(to / columns) - (end ? 1 : 0);
            line.hidden = false;
            line.style.height = `${rowHeight - gap}px`;
            line.style.transform = `translate(${column * (wide + gap) - gap / 2 - 2}px, ${row * rowHeight}px)`;
        });
        this.element.addEventListener("drop", (event) => {
            if (!this.dragging) return;
            event.preventDefault();
            if (to !== null) this.moveTo(to);
        });
        this.element.addEventListener("dragend", () => {
            this.dragging = false;
            line.hidden = true;
            to = null;
        });
    }

    // The gap between photos that the pointer is nearest to, as the index of the photo behind it.
    placeAt(event) {
        const box = this.grid.space.getBoundingClientRect();
        const { columns, wide, gap, rowHeight } = this.grid;
        const row = Math.max(0, Math.floor((event.clientY - box.top) / rowHeight));
        const column = Math.max(0, Math.min(columns, Math.round((event.clientX - box.left) / (wide + gap))));
        return Math.min(this.pages.count, row * columns + column);
    }

    // Puts what is selected in front of the first photo from `index` on that is not selected itself.
    async moveTo(index) {
        for (let at = index; at < this.pages.count; at += 1) {
            const photo = this.pages.photo(at) ?? (await this.pages.all(at, at))[0];
            if (photo && !selection.has(photo.id)) return this.move(photo.id);
        }
        return this.move(null);
    }

    // Moves what is selected by so many places, as a group.
    async shift(by) {
        const places = selection.ids().map((id) => this.pages.indexOf(id)).filter((index) => index !== null).sort((a, b) => a - b);
        if (places.length === 0) return;
        const to = by < 0 ? Math.max(0, places[0] + by) : Math.min(this.pages.count, places.at(-1) + 1 + by);
        await this.moveTo(to);
    }
}
