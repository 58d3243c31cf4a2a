// The day on the screen, which is replaced as a whole after each move.

import { DAY, STEP, formatClock } from "./clock.js";
import { texts } from "./messages.js";

const titleOf = (item) => item.querySelector("strong").textContent.trim();

export const day = {
    get root() {
        return document.getElementById("timetable");
    },
    get scroller() {
        return this.root.querySelector(".scroller");
    },
    get body() {
        return this.root.querySelector(".body");
    },
    /** The first and the last minute that are shown. */
    get begins() {
        return Number(this.root.dataset.begins);
    },
    get ends() {
        return Number(this.root.dataset.ends);
    },
    /** The first and the last minute at which an occasion of the day may begin. */
    get first() {
        return Number(this.root.dataset.day);
    },
    get last() {
        return this.first + DAY - STEP;
    },
    /** Whether the screen is so narrow that the day is shown as a list. */
    get isList() {
        const heads = this.root.querySelector(".heads");
        return !heads || heads.offsetParent === null;
    },
    get columns() {
        return [...this.root.querySelectorAll(".rooms .head")];
    },
    findColumn(key) {
        return this.columns.find((head) => head.dataset.column === key);
    },
    columnLabel(key) {
        const options = [...document.getElementById("moving-room").options];
        return options.find((option) => option.value === key)?.text ?? "";
    },
    findOccasion(id) {
        return this.root.querySelector(`.occasion[data-occasion="${id}"]`);
    },
    /** What is on or comes next, if the day is today and the list does not begin with it. */
    get next() {
        return this.findOccasion(this.root.dataset.next);
    },
    toMinutes(pixels) {
        return (pixels / this.body.clientHeight) * (this.ends - this.begins);
    },
    replace(html) {
        const [top, left] = this.scroller ? [this.scroller.scrollTop, this.scroller.scrollLeft] : [0, 0];
        const template = document.createElement("template");
        template.innerHTML = html;
        // The page's policy knows the nonce that the page came with, not that of a later answer.
        template.content.querySelector("style").nonce = this.root.querySelector("style").nonce;
        this.root.replaceWith(template.content);
        this.scroller?.scrollTo(left, top);
        this.prepare();
    },
    /** Add what a day of thousands is not sent with: a handle to each occasion that can be moved. */
    prepare() {
        for (const item of this.root.querySelectorAll(".movable")) {
            const link = item.querySelector("a");
            link.draggable = false;
            link.setAttribute("aria-keyshortcuts", "M");
            item.append(createHandle(titleOf(item)));
        }
        this.next?.setAttribute("data-now", `${texts.now} ${formatClock(Number(this.root.dataset.now))}`);
    },
};

function createHandle(title) {
    const handle = document.createElement("button");
    handle.type = "button";
    handle.className = "mover";
    handle.tabIndex = -1;
    handle.title = texts.handle;
    handle.setAttribute(
        "aria-label",
        texts.move.replace("%(title)s", () => title),
    );
    return handle;
}

/** Return an occasion as it is before it is moved. */
export function readOccasion(item) {
    const minute = Number(item.dataset.minute);
    return {
        item,
        minute,
        id: item.dataset.occasion,
        seen: item.dataset.seen,
        title: titleOf(item),
        minutes: Number(item.dataset.minutes),
        column: item.dataset.column,
        // Above the hours the height of a drop says nothing.
        isLong: item.closest(".long") !== null,
        // What began before the day keeps its time.
        keepsTime: minute < day.first,
    };
}
