// An app as somebody would write it with openapi-typescript and openapi-fetch: compiled with `--strict`, no casts.
import createClient, { type Client as ClientOf } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Event = components["schemas"]["Event"];
type Client = ClientOf<paths>;
type Problem = components["schemas"]["Problem"];


function fail(problem: Problem): never {
    throw new Error(`${problem.status} ${problem.detail}`);
}

async function listHighlighted(client: Client): Promise<Event[]> {
    const { data, error } = await client.GET("/api/events.json", {
        params: { query: { highlighted: true, area: ["Stora Ångtorget"], date: ["2026-07-29"], language: "en" } },
    });
    return data ?? fail(error);
}

async function listAreaNames(client: Client): Promise<string[]> {
    const { data, error } = await client.GET("/api/areas.json");
    return data === undefined ? fail(error) : data.map((area) => area.info.sv ?? area.fullName);
}

async function follow(client: Client, since: string): Promise<{ stored: number[]; deleted: number[]; until: string | null }> {
    const { data, error, response } = await client.GET("/api/changes.json", {
        params: { query: { modified_since: since } },
    });
    const stored: number[] = [];
    const deleted: number[] = [];
    for (const element of data ?? fail(error)) {
        if ("removed" in element) deleted.push(element.occation.id);
        else stored.push(element.allOccations.length);
    }
    return { stored, deleted, until: response.headers.get("Modified-Until") };
}

async function findProblem(client: Client, id: number): Promise<string> {
    const { error } = await client.GET("/api/occations/{id}.json", { params: { path: { id } } });
    return error === undefined ? "" : `${error.status} ${error.title}`;
}

/** Write what a service answers on standard output. */
export async function report(baseUrl: string): Promise<void> {
    const client = createClient<paths>({ baseUrl });
    const [event] = await listHighlighted(client);
    const answers = {
        event: event && [event.title, event.highlighted, event.subArea?.name ?? null, event.location?.address ?? null],
        areas: await listAreaNames(client),
        changes: await follow(client, "1970-01-01T00:00:00Z"),
        problem: await findProblem(client, 1),
    };
    console.log(JSON.stringify(answers));
}
