// Reads calendars, one JSON string a line, with ical.js and writes each as jCal (RFC 7265), one a line.
import { createInterface } from "node:readline";
import ICAL from "ical.js";

for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
        answer = ICAL.parse(JSON.parse(line));
    } catch (error) {
        answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
