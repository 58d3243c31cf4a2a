// Search in the stored programme, by the rule of feeds/search.py, whose constants and order these are.

const LETTERS = { ß: "ss", ς: "σ", ø: "o", æ: "ae", œ: "oe", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" };
const MIN_PART = 3;
const MIN_NEAR = 5;
const MIN_STEM = 4;
const PART = "[\\u0300-\\u036f\\p{L}\\p{N}_'’]+";
const HYPHENS = /[-‐‑]/g;
// A word, with what hyphens join to it.
const TOKEN = new RegExp(`(${PART}(?:[-‐‑]${PART})*)`, "u");
const TOKENS = new RegExp(TOKEN.source, "gu");

const splitWords = (text) =>
    new Set((text.normalize("NFKC").toLowerCase().match(TOKENS) ?? []).flatMap(foldToken));

// Of `hip-hop` also `hiphop`.
function foldToken(token) {
    const folded = token
        .normalize("NFKD")
        .replace(/[\u0300-\u036f'’ßςøæœđðłþı]/g, (found) => LETTERS[found] ?? "");
    return `${folded} ${folded.replace(HYPHENS, "")}`.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

// One letter is wrong, missing or too many, or two neighbours are swapped.
function isNear(word, name) {
    let same = 0;
    while (same < word.length && word[same] === name[same]) same++;
    const [mine, its] = [word.slice(same), name.slice(same)];
    const isSwapped = mine[0] === its[1] && mine[1] === its[0] && mine.slice(2) === its.slice(2);
    return isSwapped || mine.slice(1) === its.slice(1) || mine.slice(1) === its || mine === its.slice(1);
}

export class Search {
    // By word, the IDs of occasions.
    #words = new Map();
    #names = new Map();
    #hits = new Set();
    #swedish;
    #english;

    /** `texts` are of each occasion its ID, its title and names, and its other texts. */
    constructor(texts, { SwedishStemmer, EnglishStemmer }) {
        const [swedish, english] = [new SwedishStemmer(), new EnglishStemmer()];
        this.#swedish = (word) => swedish.stemWord(word);
        this.#english = (word) => english.stemWord(word);
        // Events have several occasions, and their texts stay the same.
        const split = new Map();
        const wordsOf = (text) => split.get(text) ?? split.set(text, splitWords(text)).get(text);
        for (const [id, names, others] of texts) {
            for (const word of wordsOf(names)) this.#add(this.#names, word, id);
            for (const text of [names, others])
                for (const word of wordsOf(text)) this.#add(this.#words, word, id);
        }
    }

    #add(groups, word, id) {
        const group = groups.get(word);
        if (group) group.add(id);
        else groups.set(word, new Set([id]));
    }

    /** Return the IDs of the occasions that have all words of one of the texts; `isNamed`: in titles and names. */
    find(texts, isNamed = false) {
        const found = new Set();
        const groups = isNamed ? this.#names : this.#words;
        // What is typed with a hyphen is two words, or one.
        for (const text of texts.flatMap((each) => [" ", ""].map((other) => each.replace(HYPHENS, other)))) {
            const each = [...splitWords(text)].map((word) => this.#findOccasions(word, groups));
            for (const id of each[0] ?? []) if (each.every((ids) => ids.has(id))) found.add(id);
        }
        return found;
    }

    /** Return the parts of a text, of which every other one is a word, with whether it was found. */
    split(text) {
        const isHit = (part) => foldToken(part.toLowerCase()).some((word) => this.#hits.has(word));
        return text.split(TOKEN).map((part, at) => [part, at % 2 === 1 && isHit(part)]);
    }

    #findOccasions(word, groups) {
        const found = new Set();
        for (const each of this.#findWords(word)) {
            this.#hits.add(each);
            for (const id of groups.get(each) ?? []) found.add(id);
        }
        return found;
    }

    #findWords(word) {
        const all = [...this.#words.keys()];
        if (word.length < MIN_PART) return all.filter((each) => each.startsWith(word));
        const isInflected = this.#build(word);
        const found = all.filter((each) => each.includes(word) || isInflected(each));
        if (found.length || word.length < MIN_NEAR) return found;
        return [...this.#names.keys()].filter((name) => isNear(word, name));
    }

    #build(wanted) {
        const [stem, english, head] = [
            this.#swedish(wanted),
            this.#english(wanted),
            wanted.slice(0, MIN_PART),
        ];
        // In Swedish the last part of a compound is inflected.
        const isPart = stem.length >= MIN_STEM && wanted.includes(stem);
        const isSwedish = (its) => its === stem || (isPart && its.endsWith(stem));
        return (word) =>
            (word.includes(stem) && isSwedish(this.#swedish(word))) ||
            (word.startsWith(head) && this.#english(word) === english);
    }
}
