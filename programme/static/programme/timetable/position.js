// Where the page opens: at the present, or at what the day begins with.

import { day } from "./day.js";

// Above what is shown first, so that it does not look cut off.
const MARGIN = 60;

const isFirstVisit = () => performance.getEntriesByType("navigation")[0]?.type === "navigate";
const reducesMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function scrollList() {
    // Who comes back finds the list where it was left; what was done on another page is said above it.
    if (isFirstVisit() && !document.querySelector(".messagelist")) {
        day.next?.scrollIntoView({ block: "start", behavior: reducesMotion() ? "instant" : "smooth" });
    }
}

function scrollTable() {
    const first = day.root.querySelector(".now") ?? day.findOccasion(day.root.dataset.opens);
    if (first) {
        const above = day.root.querySelector(".heads").offsetHeight + MARGIN;
        day.scroller.scrollTop = first.offsetTop + day.body.offsetTop - above;
    }
}

export function scrollToStart() {
    document.querySelector(".days [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    if (day.isList) {
        scrollList();
    } else {
        scrollTable();
    }
}
