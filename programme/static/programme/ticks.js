// Ticks all rows or none, and counts those that are ticked.

const every = document.querySelector("[data-every]");
const ticks = [...document.querySelectorAll("[type=checkbox][name=_selected_action]")];

function count() {
    const ticked = ticks.filter((tick) => tick.checked).length;
    document.querySelector("[data-ticked]").textContent = ticked;
    every.checked = ticked === ticks.length;
    every.indeterminate = ticked > 0 && ticked < ticks.length;
}

if (every) {
    every.closest("[hidden]").hidden = false;
    every.addEventListener("change", () => {
        ticks.forEach((tick) => (tick.checked = every.checked));
        count();
    });
    ticks.forEach((tick) => tick.addEventListener("change", count));
    count();
}
