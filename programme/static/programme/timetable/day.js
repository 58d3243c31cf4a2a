// The day on the screen, which is replaced as a whole after each write.

import { HOUR, STEP, formatClock } from "./clock.js";
import { texts } from "./messages.js";

const titleOf = (item) => item.querySelector("strong").textContent.trim();

// Handles are put into what is in sight: a day has hundreds.
const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        if (isIntersecting) {
            observer.unobserve(target);
            addHandles(target);
        }
    }
});

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
    get date() {
        return this.root.dataset.date;
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
        return Number(this.root.dataset.dayEnds) - STEP;
    },
    /** Whether the screen is so narrow that the day is shown as a list. */
    get isList() {
        const heads = this.root.querySelector(".heads");
        return !heads || heads.offsetParent === null;
    },
    get columns() {
        return [...this.root.querySelectorAll(".rooms .head")];
    },
    /** The days that have tabs. */
    get days() {
        return [...document.querySelectorAll(".days li")].map((tab) => tab.dataset.day);
    },
    findColumn(key) {
        return this.columns.find((head) => head.dataset.column === key);
    },
    columnAt(x) {
        const column = this.columns.find((head) => {
            const box = head.getBoundingClientRect();
            return box.left <= x && x < box.right;
        });
        return column?.dataset.column;
    },
    minuteAt(y) {
        const minutes = (y - this.body.getBoundingClientRect().top) / this.body.clientHeight;
        return this.begins + minutes * (this.ends - this.begins);
    },
    /** Where something is put that nobody has pointed to a place for. */
    get firstSlot() {
        return { minute: this.begins + HOUR, column: this.columns[0]?.dataset.column ?? "none" };
    },
    columnLabel: (key) => findOptionText("moving-room", key),
    dayLabel: (date) => findOptionText("moving-day", date),
    findOccasion(id) {
        return this.root.querySelector(`.occasion[data-occasion="${id}"]`);
    },
    /** What is on or comes next, if the day is today and the list does not begin with it. */
    get next() {
        return this.findOccasion(this.root.dataset.next);
    },
    replace(html) {
        const [top, left] = this.scroller ? [this.scroller.scrollTop, this.scroller.scrollLeft] : [0, 0];
        const isShelfOpen = this.root.querySelector(".shelf")?.open ?? false;
        const template = document.createElement("template");
        template.innerHTML = html;
        // The page's policy knows the nonce that the page came with, not that of a later answer.
        template.content.querySelector("style").nonce = this.root.querySelector("style").nonce;
        this.root.replaceWith(template.content);
        this.scroller?.scrollTo(left, top);
        this.root.querySelector(".shelf")?.toggleAttribute("open", isShelfOpen);
        this.prepare();
    },
    replaceTabs(html) {
        const left = document.querySelector(".days ul").scrollLeft;
        document.querySelector(".days").outerHTML = html;
        document.querySelector(".days ul").scrollLeft = left;
    },
    /** Add what the day is not sent with. */
    prepare() {
        observer.disconnect();
        for (const item of this.root.querySelectorAll(".movable")) {
            observer.observe(item);
        }
        this.next?.setAttribute("data-now", `${texts.now} ${formatClock(Number(this.root.dataset.now))}`);
    },
};

function findOptionText(id, value) {
    const options = [...document.getElementById(id).options];
    return options.find((option) => option.value === value)?.text.trim() ?? "";
}

function addHandles(item) {
    const link = item.querySelector("a");
    link.draggable = false;
    link.setAttribute("aria-keyshortcuts", "M");
    const handles = document.getElementById("handles").content.cloneNode(true);
    const [mover, stretcher] = handles.children;
    mover.setAttribute(
        "aria-label",
        mover.getAttribute("aria-label").replace("{}", () => titleOf(item)),
    );
    if (item.classList.contains("long")) {
        stretcher.remove();
    }
    item.append(handles);
}

/** Return an occasion, or what is on the shelf, as it is before it is moved. */
export function readHeld(item) {
    const isShelved = item.classList.contains("shelved");
    const { occasion, id = occasion, event, seen, minute, minutes, column } = item.dataset;
    const begins = minute === undefined ? null : Number(minute);
    return {
        ...{ item, isShelved, id, event, seen, column },
        title: titleOf(item),
        day: isShelved ? item.dataset.day : day.date,
        minute: begins,
        minutes: Number(minutes),
        isLong: item.classList.contains("long"),
        // What began before the day keeps its time.
        keepsTime: !isShelved && begins < day.first,
    };
}
