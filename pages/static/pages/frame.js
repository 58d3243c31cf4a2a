// Tells the page around the embedded list how tall the list is, in the messages of WordPress's embeds, which its
// wp-embed.js understands; takes the colour of that page's texts; and has WordPress open links, because its sandbox
// lets no frame do so. It is no module: in a sandbox a module would have to be sent with a permission for every website.

// WordPress names each frame by a secret in its address, and puts only those into a sandbox.
const secret = new URLSearchParams(location.hash.replace(/^#\??/, "")).get("secret") ?? "";

const tell = (message, value) => parent.postMessage({ message, value, secret }, "*");

function tellHeight() {
    tell("height", Math.ceil(document.body.getBoundingClientRect().height));
}

if (parent !== window) {
    // WordPress hides a frame until this arrives, and browsers observe no sizes in hidden frames.
    tellHeight();
    addEventListener("load", tellHeight);
    new ResizeObserver(tellHeight).observe(document.body);
    addEventListener("message", ({ source, data }) => {
        if (source !== parent) return;
        if (data?.message === "ready") tellHeight();
        if (data?.message === "ink") take(data.value);
    });
}

// The script beside the frame says which colour texts have around it; what the address chooses stays.
function take(ink) {
    const { body, documentElement: root } = document;
    if (/[?&](ink|paper)=/.test(location.search)) return;
    body.style.setProperty("--festival-ink", `color-mix(in srgb, ${ink}, ${ink})`);
    const [red, green, blue] = getComputedStyle(body)
        .color.match(/[\d.]+/g)
        .map(Number);
    body.style.colorScheme = 2 * red + 7 * green + blue > 5 ? "dark" : "light";
    // A frame of another scheme than the page around it is not transparent, and the script makes that light.
    root.style.colorScheme = "light";
    body.style.background = "none";
}

if (secret) {
    document.addEventListener("click", (event) => {
        const link = event.target.closest("a[target]");
        if (!link) return;
        event.preventDefault();
        tell("link", link.href);
    });
}
