// A scrolling grid of which only the rows in sight have elements, so that a million cells cost what fifty do.

import { element } from "./elements.js";

// Browsers end elements at some 16 to 33 million pixels. A taller grid scrolls faster than its bar, in proportion.
const tallest = 12_000_000;
const rowsBeyond = 2;

export class Grid {
    // cellWidth: the least, in pixels. ratio: height of a picture for its width. caption: pixels below it.
    // fill(cell, index) draws a cell; free(cell) is called before it is removed.
    constructor({ label, cellWidth, narrowCellWidth = cellWidth, ratio = 0.75, caption = 40, gap = 14, fill, free = () => {},
        inSight = () => {} }) {
        Object.assign(this, { cellWidth, narrowCellWidth, ratio, caption, gap, fill, free, inSight });
        this.cells = new Map();
        this.count = 0;
        this.columns = 1;
        this.space = element("div", { class: "grid-space", role: "presentation" });
        this.element = element("div", {
            class: "grid", tabindex: "0", role: "listbox", "aria-label": label, "aria-multiselectable": "true",
        }, this.space);
        this.element.addEventListener("scroll", () => this.drawSoon(), { passive: true });
        this.observer = new ResizeObserver(() => this.layOut());
        this.observer.observe(this.element);
    }

    close() {
        this.observer.disconnect();
        cancelAnimationFrame(this.frame);
        this.setCount(0);
    }

    setCount(count) {
        this.count = count;
        for (const [index, cell] of this.cells) if (index >= count) this.remove(index, cell);
        this.layOut();
    }

    // Measures, keeping the first photo in sight where it is.
    layOut() {
        const style = getComputedStyle(this.element);
        const width = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        if (width <= 0) return;
        const first = this.columns * Math.floor(this.virtualTop() / (this.rowHeight || 1));
        const moved = this.width !== undefined && this.width !== width;
        const least = width < 600 ? this.narrowCellWidth : this.cellWidth;
        this.width = width;
        this.columns = Math.max(1, Math.floor((width + this.gap) / (least + this.gap)));
        this.wide = (width - this.gap * (this.columns - 1)) / this.columns;
        this.rowHeight = Math.round(this.wide * this.ratio) + this.caption + this.gap;
        const rows = Math.ceil(this.count / this.columns);
        this.total = rows * this.rowHeight;
        this.space.style.height = `${Math.min(this.total, tallest)}px`;
        this.element.style.setProperty("--cell-width", `${this.wide}px`);
        this.element.style.setProperty("--picture-height", `${Math.round(this.wide * this.ratio)}px`);
        if (moved) this.scrollToVirtual(Math.floor(first / this.columns) * this.rowHeight);
        this.draw();
    }

    get height() {
        return this.element.clientHeight;
    }

    get stretch() {
        const shown = Math.min(this.total, tallest);
        return this.total > shown ? (this.total - this.height) / (shown - this.height) : 1;
    }

    virtualTop() {
        return this.element.scrollTop * (this.total ? this.stretch : 1);
    }

    scrollToVirtual(top) {
        this.element.scrollTop = top / this.stretch;
    }

    drawSoon() {
        this.frame ??= requestAnimationFrame(() => {
            this.frame = null;
            this.draw();
        });
    }

    get range() {
        const top = this.virtualTop();
        const first = Math.max(0, Math.floor(top / this.rowHeight) * this.columns);
        const last = Math.min(this.count - 1, Math.ceil((top + this.height) / this.rowHeight) * this.columns - 1);
        return { first, last };
    }

    draw() {
        if (!this.rowHeight) return;
        const { first, last } = this.range;
        const from = Math.max(0, first - rowsBeyond * this.columns);
        const to = Math.min(this.count - 1, last + rowsBeyond * this.columns);
        for (const [index, cell] of this.cells) if (index < from || index > to) this.remove(index, cell);
        const shift = this.stretch === 1 ? 0 : this.element.scrollTop - this.virtualTop();
        for (let index = from; index <= to; index += 1) {
            let cell = this.cells.get(index);
            if (!cell) {
                cell = element("div", { class: "cell", role: "option", "aria-selected": "false" });
                this.cells.set(index, cell);
                this.space.append(cell);
                this.refill(cell, index);
            }
            const x = (index % this.columns) * (this.wide + this.gap);
            const y = Math.floor(index / this.columns) * this.rowHeight + shift;
            cell.style.transform = `translate(${x}px, ${y}px)`;
        }
        this.inSight(from, to);
    }

    refill(cell, index) {
        cell.id = `cell-${index}`;
        cell.dataset.index = index;
        cell.setAttribute("aria-setsize", this.count);
        cell.setAttribute("aria-posinset", index + 1);
        this.fill(cell, index);
    }

    // Draws the cells in sight again, as after a change of what they show.
    redraw() {
        for (const [index, cell] of this.cells) this.refill(cell, index);
    }

    remove(index, cell) {
        this.free(cell);
        cell.remove();
        this.cells.delete(index);
    }

    // Scrolls as little as shows the cell whole.
    reveal(index) {
        const top = Math.floor(index / this.columns) * this.rowHeight;
        const seen = this.virtualTop();
        if (top < seen) this.scrollToVirtual(top);
        else if (top + this.rowHeight > seen + this.height) this.scrollToVirtual(top + this.rowHeight - this.height);
        this.draw();
    }

    get rowsInSight() {
        return Math.max(1, Math.floor(this.height / this.rowHeight));
    }

    indexOf(target) {
        const cell = target.closest?.(".cell");
        return cell ? Number(cell.dataset.index) : null;
    }
}
