// A text field with a list of what is found for its text, by mouse, finger or keyboard (WAI-ARIA's combobox).

// Milliseconds without typing before it looks.
const PAUSE = 200;

export class Combobox {
    /**
     * `find` returns the options for a text, each with an `id`, a `text` and a `label`; `onChange` is called
     * with the chosen one, and with null when something else is typed.
     */
    constructor(input, list, { find, onChange }) {
        Object.assign(this, { input, list, find, onChange, options: [], active: -1, asked: 0 });
        input.addEventListener("input", () => this.#type());
        input.addEventListener("keydown", (event) => this.#handleKey(event));
        input.addEventListener("blur", () => this.#close());
        // The field keeps the focus.
        list.addEventListener("pointerdown", (event) => event.preventDefault());
        list.addEventListener("click", ({ target }) => {
            this.#choose([...list.children].indexOf(target.closest("[role=option]")));
        });
    }

    reset() {
        this.input.value = "";
        this.#close();
        this.onChange(null);
    }

    #type() {
        this.onChange(null);
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.#look(), PAUSE);
    }

    async #look() {
        const asked = ++this.asked;
        const text = this.input.value.trim();
        const options = text ? await this.find(text) : [];
        // A later question may have been answered before.
        if (asked === this.asked && document.activeElement === this.input) {
            this.#show(options);
        }
    }

    #show(options) {
        this.options = options;
        this.list.replaceChildren(...options.map((option, number) => createOption(option, number)));
        this.list.hidden = options.length === 0;
        this.input.setAttribute("aria-expanded", String(options.length > 0));
        this.#activate(-1);
    }

    #close() {
        window.clearTimeout(this.timer);
        this.asked += 1;
        this.#show([]);
    }

    #activate(number) {
        this.active = number;
        for (const [index, item] of [...this.list.children].entries()) {
            item.setAttribute("aria-selected", String(index === number));
        }
        const item = this.list.children[number];
        if (item) {
            item.scrollIntoView({ block: "nearest" });
            this.input.setAttribute("aria-activedescendant", item.id);
        } else {
            this.input.removeAttribute("aria-activedescendant");
        }
    }

    #choose(number) {
        const option = this.options[number];
        if (option) {
            this.input.value = option.text;
            this.#close();
            this.onChange(option);
        }
    }

    #handleKey(event) {
        const count = this.options.length;
        const actions = {
            ArrowDown: () => this.#activate((this.active + 1) % count),
            ArrowUp: () => this.#activate((Math.max(this.active, 0) + count - 1) % count),
            Escape: () => this.#close(),
            ...(this.active >= 0 ? { Enter: () => this.#choose(this.active) } : {}),
        };
        if (count && actions[event.key]) {
            event.preventDefault();
            event.stopPropagation();
            actions[event.key]();
        }
    }
}

function createOption(option, number) {
    const item = document.createElement("li");
    item.id = `found-${number}`;
    item.setAttribute("role", "option");
    item.textContent = option.label;
    return item;
}
