// Where the page opens: at the present, or at what comes next.

import { day } from "./day.js";

// Above what is shown first, so that it does not look cut off.
const MARGIN = 60;

const isFirstVisit = () => performance.getEntriesByType("navigation")[0]?.type === "navigate";
const reducesMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function isInSight(item) {
    const [box, frame] = [item, day.scroller].map((each) => each.getBoundingClientRect());
    const isBeside =
        box.left < frame.right && box.right > frame.left + day.body.querySelector(".side").offsetWidth;
    const heads = day.root.querySelector(".heads").offsetHeight;
    return isBeside && box.top < Math.min(frame.bottom, window.innerHeight) && box.bottom > frame.top + heads;
}

function scrollList() {
    // Who comes back finds the list where it was left; what was done on another page is said above it.
    if (isFirstVisit() && !document.querySelector(".messagelist")) {
        day.next?.scrollIntoView({ block: "start", behavior: reducesMotion() ? "instant" : "smooth" });
    }
}

function scrollTable() {
    const first = day.next ?? day.findOccasion(day.root.dataset.opens);
    const tops = [day.root.querySelector(".now"), first].map((each) => each?.offsetTop ?? 0);
    if (day.scroller) {
        day.scroller.scrollTop = Math.max(...tops) - MARGIN;
    }
    // Where nothing is to be seen at that time, the first that is.
    if (first && ![...day.root.querySelectorAll(".occasion")].some(isInSight)) {
        day.scroller.scrollLeft = first.offsetLeft;
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
