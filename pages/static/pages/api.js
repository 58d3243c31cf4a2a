// Sends what a form asks for and shows the answer beneath; without this script the form opens it.
"use strict";

const MOST_SHOWN = 60000;

function asked(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || (field.type === "checkbox" && !field.checked)) continue;
    const value = field.value.trim();
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value) query.append(field.name, value);
  }
  return path + (query.size ? `?${query}` : "");
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function readable(text, type) {
  if (!/json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function scrolling(text) {
  const made = element("pre", text);
  made.tabIndex = 0;
  return made;
}

async function show(form, told) {
  const begun = performance.now();
  let response, body;
  try {
    response = await fetch(asked(form));
    body = await response.text();
  } catch {
    told.replaceChildren(element("p", told.dataset.failed));
    return;
  }
  const line = element("p", "", "line");
  const size = new TextEncoder().encode(body).length;
  line.append(
    element("b", `${response.status} ${response.statusText}`.trim(), response.ok ? "" : "bad"),
    element("span", `${Math.round(performance.now() - begun)} ms`),
    element("span", `${(size / 1000).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })} kB`),
  );
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const whole = readable(body, response.headers.get("Content-Type") ?? "");
  told.replaceChildren(line, scrolling(headers), scrolling(whole.slice(0, MOST_SHOWN)));
  if (whole.length > MOST_SHOWN) told.append(element("p", told.dataset.cut));
}

for (const section of document.querySelectorAll(".endpoint")) {
  const form = section.querySelector("form");
  const curl = section.querySelector(".curl");
  for (const hidden of section.querySelectorAll(".by-script")) hidden.hidden = false;
  for (const field of form.querySelectorAll("[data-in]")) field.disabled = false;
  form.addEventListener("input", () => {
    curl.textContent = `curl '${form.dataset.base}${asked(form).replaceAll("'", "%27")}'`;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(form, section.querySelector(".told"));
  });
  const copy = section.querySelector(".copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(curl.textContent);
    copy.textContent = copy.dataset.copied;
  });
}
