// The shadow that an occasion casts where it would be put.

import { formatClock } from "./clock.js";
import { day } from "./day.js";

const element = document.createElement("li");
element.setAttribute("aria-hidden", "true");

export function showShadow(target) {
    const list = day.root.querySelector(".body ol");
    if (day.isList || !list || (target.day ?? day.date) !== day.date) {
        element.remove();
        return;
    }
    const end = target.minute + target.minutes;
    const top = Math.max(target.minute, day.begins);
    const percent = (minutes) => `${(minutes / (day.ends - day.begins)) * 100}%`;
    const head = day.findColumn(target.column);
    element.className = `shadow ${head?.dataset.place ?? ""}`;
    Object.assign(element.style, {
        top: percent(top - day.begins),
        height: percent(Math.min(end, day.ends) - top),
    });
    element.textContent = `${formatClock(target.minute)}–${formatClock(end)} ${day.columnLabel(target.column)}`;
    list.append(element);
    target.item?.classList.add("moving");
}

export function scrollToShadow() {
    if (element.isConnected) {
        element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
}

export function hideShadow() {
    element.remove();
    day.root.querySelector(".moving")?.classList.remove("moving");
}
