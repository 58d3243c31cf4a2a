// Sends what a form asks for and shows the answer beneath; without this script the form opens it.

const MAX_SHOWN = 60000;

function buildUrl(form) {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    for (const field of form.elements) {
        if (!field.name || (field.type === "checkbox" && !field.checked)) continue;
        const value = field.value.trim();
        if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
        else if (value) query.append(field.name, value);
    }
    return path + (String(query) && `?${query}`);
}

function createElement(name, textContent, className = "") {
    return Object.assign(document.createElement(name), { textContent, className });
}

/** Return a block of text that can be scrolled by the keyboard. */
function createBlock(text) {
    const block = createElement("pre", text);
    block.tabIndex = 0;
    return block;
}

function indentJson(text, type) {
    if (!/json/.test(type)) return text;
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}

function createSummary(response, body, milliseconds) {
    const summary = createElement("p", "", "line");
    const size = new TextEncoder().encode(body).length / 1000;
    const kilobytes = size.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
    summary.append(
        createElement("b", `${response.status} ${response.statusText}`.trim(), response.ok ? "" : "bad"),
        createElement("span", `${Math.round(milliseconds)} ms`),
        createElement("span", `${kilobytes} kB`),
    );
    return summary;
}

async function showResponse(form, output) {
    const begun = performance.now();
    let response, body;
    try {
        response = await fetch(buildUrl(form));
        body = await response.text();
    } catch {
        output.replaceChildren(createElement("p", output.dataset.failed));
        return;
    }
    const summary = createSummary(response, body, performance.now() - begun);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const text = indentJson(body, response.headers.get("Content-Type") ?? "");
    output.replaceChildren(summary, createBlock(headers), createBlock(text.slice(0, MAX_SHOWN)));
    if (text.length > MAX_SHOWN) output.append(createElement("p", output.dataset.cut));
}

function enhance(section) {
    const form = section.querySelector("form");
    const command = section.querySelector(".curl");
    const copy = section.querySelector(".copy");
    for (const hidden of section.querySelectorAll(".by-script")) hidden.hidden = false;
    for (const field of form.querySelectorAll("[data-in]")) field.disabled = false;
    form.addEventListener("input", () => {
        command.textContent = `curl '${form.dataset.base}${buildUrl(form).replaceAll("'", "%27")}'`;
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        showResponse(form, section.querySelector(".response"));
    });
    copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(command.textContent);
        copy.textContent = copy.dataset.copied;
    });
}

document.querySelectorAll(".endpoint").forEach(enhance);
