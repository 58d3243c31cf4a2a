-- The array of /api/events.json, built by PostgreSQL: see json_agg.py, which fills in what is in braces.
WITH
selected AS MATERIALIZED (
    SELECT e.id, e.area_id, e.sub_area_id,
        json_build_object('en', nullif(e.intro_en, ''), 'sv', nullif(e.intro_sv, '')) AS intro,
        json_build_object('en', nullif(e.description_en, ''), 'sv', nullif(e.description_sv, '')) AS description,
        {last_modified} AS last_modified
    FROM programme_event e
    WHERE e.status = 'published' AND {condition}
),
shown AS MATERIALIZED (
    SELECT o.*, (local_start - %(first_hour)s * interval '1 hour')::date AS day
    FROM (
        SELECT o.id, o.event_id, o.start, o."end", o.cancelled, o.access, o.location_id, o.room_id, o.stream_id,
            o.start AT TIME ZONE %(zone)s AS local_start, o."end" AT TIME ZONE %(zone)s AS local_end
        FROM programme_occasion o
        WHERE o.event_id IN (SELECT id FROM programme_event WHERE status = 'published')
        OFFSET 0
    ) o
),
per_event AS MATERIALIZED (
    SELECT e.id, e.area_id, s.id AS sub_area_id, e.sub_area_id AS any_sub_area_id, e.organizer_id, n.occasions
    FROM (SELECT event_id, count(*) AS occasions FROM shown GROUP BY event_id) n
    JOIN programme_event e ON e.id = n.event_id
    LEFT JOIN programme_subarea s ON s.id = e.sub_area_id AND s.area_id = e.area_id
),
per_day AS MATERIALIZED (
    SELECT e.area_id, e.any_sub_area_id, s.day, count(*) AS occasions
    FROM shown s JOIN per_event e ON e.id = s.event_id
    GROUP BY e.area_id, e.any_sub_area_id, s.day
),
labels AS MATERIALIZED (
    SELECT day,
        CASE day - %(today)s
            WHEN -1 THEN %(yesterday_label)s WHEN 0 THEN %(today_label)s WHEN 1 THEN %(tomorrow_label)s
            ELSE (%(days_short)s::text[])[extract(isodow FROM day)::int]
                || ' ' || extract(day FROM day) || ' ' || (%(months_short)s::text[])[extract(month FROM day)::int]
                || CASE WHEN extract(year FROM day) = extract(year FROM %(today)s) THEN ''
                    ELSE ' ' || extract(year FROM day) END
        END AS relative,
        (%(days)s::text[])[extract(isodow FROM day)::int] || ' ' || extract(day FROM day)
            || ' ' || (%(months)s::text[])[extract(month FROM day)::int] AS name
    FROM (
        SELECT day FROM shown UNION SELECT local_start::date FROM shown UNION SELECT local_end::date FROM shown
        UNION SELECT d.date FROM programme_areaday a JOIN programme_day d ON d.id = a.day_id
    ) every
),
streams AS MATERIALIZED (
    SELECT id, name COLLATE "C" AS name, area_id, sub_area_id, json_build_object('name', name, 'url', url, 'source', source) AS json
    FROM programme_stream
),
area_days AS (
    SELECT area_id, json_agg(json_build_object(
        'date', day, 'name', l.name, 'opens', a.opens, 'closes', a.closes,
        'openTimeSpan', to_char(a.opens, 'HH24:MI') || '–' || to_char(a.closes, 'HH24:MI'),
        'ticketOpens', a.ticket_opens, 'ticketCloses', a.ticket_closes,
        'ticketOpenTimespan', to_char(a.ticket_opens, 'HH24:MI') || '–' || to_char(a.ticket_closes, 'HH24:MI'),
        'title', nullif(a.title, ''), 'priceInfo', nullif(a.price_info, ''),
        'occationCount', coalesce(n.occasions, 0)
    ) ORDER BY day) AS json
    FROM (
        SELECT a.*, d.date AS day FROM programme_areaday a JOIN programme_day d ON d.id = a.day_id
    ) a
    FULL JOIN (
        SELECT area_id, day, sum(occasions) AS occasions FROM per_day GROUP BY area_id, day
    ) n USING (area_id, day)
    JOIN labels l USING (day)
    GROUP BY area_id
),
sub_area_days AS (
    SELECT any_sub_area_id AS sub_area_id, json_agg(json_build_object(
        'date', day, 'name', l.name, 'opens', NULL, 'closes', NULL, 'openTimeSpan', NULL,
        'ticketOpens', NULL, 'ticketCloses', NULL, 'ticketOpenTimespan', NULL,
        'title', NULL, 'priceInfo', NULL, 'occationCount', n.occasions
    ) ORDER BY day) AS json
    FROM (
        SELECT any_sub_area_id, day, sum(occasions) AS occasions FROM per_day
        WHERE any_sub_area_id IS NOT NULL GROUP BY any_sub_area_id, day
    ) n
    JOIN labels l USING (day)
    GROUP BY any_sub_area_id
),
areas AS MATERIALIZED (
    SELECT a.id, a.sort_order, a.name COLLATE "C" AS name, json_build_object(
        'id', a.id, 'name', a.name, 'fullName', coalesce(nullif(a.full_name, ''), a.name),
        'color', nullif(a.color, ''), 'location', nullif(a.location_name, ''), 'address', nullif(a.address, ''),
        'info', json_build_object('en', nullif(a.info_en, ''), 'sv', nullif(a.info_sv, '')),
        'externalUrl', nullif(a.external_url, ''),
        'eventCount', coalesce(n.events, 0), 'occationCount', coalesce(n.occasions, 0),
        'price', nullif(a.price, ''), 'ticketUrl', nullif(a.ticket_url, ''),
        'subAreaEventCount', coalesce(n.sub_area_events, 0),
        'subAreaOccationCount', coalesce(n.sub_area_occasions, 0),
        'days', coalesce(d.json, '[]'), 'streams', coalesce(s.json, '[]')
    ) AS json
    FROM programme_area a
    LEFT JOIN (
        SELECT area_id, count(*) AS events, sum(occasions) AS occasions,
            count(any_sub_area_id) AS sub_area_events,
            coalesce(sum(occasions) FILTER (WHERE any_sub_area_id IS NOT NULL), 0) AS sub_area_occasions
        FROM per_event GROUP BY area_id
    ) n ON n.area_id = a.id
    LEFT JOIN area_days d ON d.area_id = a.id
    LEFT JOIN (
        SELECT area_id, json_agg(json ORDER BY name, id) AS json FROM streams GROUP BY area_id
    ) s ON s.area_id = a.id
),
sub_areas AS MATERIALIZED (
    SELECT a.id, json_build_object(
        'id', a.id, 'name', a.name, 'fullName', coalesce(nullif(a.full_name, ''), a.name),
        'color', nullif(a.color, ''), 'location', nullif(a.location_name, ''), 'address', nullif(a.address, ''),
        'info', json_build_object('en', nullif(a.info_en, ''), 'sv', nullif(a.info_sv, '')),
        'externalUrl', nullif(a.external_url, ''),
        'eventCount', coalesce(n.events, 0), 'occationCount', coalesce(n.occasions, 0),
        'days', coalesce(d.json, '[]'), 'streams', coalesce(s.json, '[]')
    ) AS json
    FROM programme_subarea a
    LEFT JOIN (
        SELECT sub_area_id, count(*) AS events, sum(occasions) AS occasions FROM per_event GROUP BY sub_area_id
    ) n ON n.sub_area_id = a.id
    LEFT JOIN sub_area_days d ON d.sub_area_id = a.id
    LEFT JOIN (
        SELECT sub_area_id, json_agg(json ORDER BY name, id) AS json FROM streams GROUP BY sub_area_id
    ) s ON s.sub_area_id = a.id
),
organizers AS MATERIALIZED (
    SELECT o.id, json_build_object(
        'id', o.id, 'name', o.name,
        'info', json_build_object('en', nullif(o.info_en, ''), 'sv', nullif(o.info_sv, '')),
        'externalUrl', nullif(o.external_url, ''), 'eventCount', n.events, 'occationCount', n.occasions,
        'offerCount', o.offer_count
    ) AS json
    FROM programme_organizer o
    JOIN (
        SELECT organizer_id, count(*) AS events, sum(occasions) AS occasions FROM per_event GROUP BY organizer_id
    ) n ON n.organizer_id = o.id
),
languages AS MATERIALIZED (
    SELECT id, json_build_object(
        'code', code, 'name', json_build_object('en', nullif(name_en, ''), 'sv', nullif(name_sv, ''))
    ) AS json
    FROM programme_language
),
types AS MATERIALIZED (
    SELECT id, json_build_object(
        'id', id, 'name', json_build_object('en', nullif(name_en, ''), 'sv', nullif(name_sv, '')),
        'color', nullif(color, '')
    ) AS json
    FROM programme_eventtype
),
places AS MATERIALIZED (
    SELECT l.id AS location_id, coalesce(r.id, 0) AS room_id, json_build_object(
        'name', l.name, 'isOnline', l.online, 'address', nullif(l.address, ''), 'room', r.name,
        'fullName', l.name || coalesce(', ' || r.name, ''), 'floor', nullif(r.floor, ''),
        'accessibilityInfo',
        json_build_object('en', nullif(l.accessibility_en, ''), 'sv', nullif(l.accessibility_sv, '')),
        'roomAccessibilityInfo',
        json_build_object('en', nullif(r.accessibility_en, ''), 'sv', nullif(r.accessibility_sv, '')),
        'publicTransportStation', nullif(l.public_transport_station, '')
    ) AS json
    FROM programme_location l
    JOIN (
        SELECT id, location_id, name, floor, accessibility_en, accessibility_sv FROM programme_room
        UNION ALL SELECT NULL, id, NULL, NULL, NULL, NULL FROM programme_location
    ) r ON r.location_id = l.id
),
occasions AS MATERIALIZED (
    SELECT o.id, o.event_id, o.start, o."end", o.cancelled, o.access, o.location_id,
        CASE WHEN r.location_id = o.location_id THEN o.room_id END AS room_id,
        json_build_object(
            'id', o.id, 'dayID', to_char(o.day, 'YYYYMMDD')::int, 'date', o.local_start::date,
            'startTime', o.local_start::time, 'endTime', o.local_end::time, 'stream', stream.json,
            'start', to_char(o.local_start, 'HH24:MI'),
            'timeSpan', first.relative || to_char(o.local_start, ' HH24:MI–')
                || CASE WHEN o.local_end - o.local_start >= interval '24 hours' THEN last.relative || ' ' ELSE '' END
                || to_char(o.local_end, 'HH24:MI'),
            'url', json_build_object('en', %(base_url)s || '/en/occasion/' || o.id,
                'sv', %(base_url)s || '/tillfalle/' || o.id)
        ) AS json
    FROM shown o
    JOIN selected e ON e.id = o.event_id
    JOIN labels first ON first.day = o.local_start::date
    JOIN labels last ON last.day = o.local_end::date
    LEFT JOIN streams stream ON stream.id = o.stream_id
    LEFT JOIN programme_room r ON r.id = o.room_id
),
of_events AS MATERIALIZED (
    SELECT event_id, count(*) > 1 AS recurring, json_agg(json ORDER BY start, "end", id) AS json
    FROM occasions GROUP BY event_id
)
SELECT coalesce(json_agg(element), '[]')
FROM (
    SELECT e.id, a.json AS area, sub_area.json AS "subArea", e.title, organizer.json AS organizer,
        'sign-language' = ANY (string_to_array(o.access, ' ')) AS "signInterpreted", e.highlighted, e.production,
        o.cancelled, of_event.recurring,
        language.json AS language, type.json AS type, place.json AS location, o.json AS occation,
        nullif(e.price, '') AS price, described.intro, described.description,
        coalesce(%(media_url)s || nullif(e.image, ''), nullif(e.image_url, '')) AS "imageUrl",
        nullif(e.image_caption, '') AS "imageCaption", nullif(e.external_url, '') AS "externalUrl",
        nullif(e.ticket_url, '') AS "ticketUrl", of_event.json AS "allOccations",
        coalesce(marked.at <= %(now)s AND %(now)s < marked.at + %(updated_for)s, false) AS updated,
        marked.note AS "changeInfo",
        {changed_at} AS "changeTimestamp",
        described.last_modified AS "lastModified"
    FROM occasions o
    JOIN of_events of_event ON of_event.event_id = o.event_id
    JOIN programme_event e ON e.id = o.event_id
    JOIN selected described ON described.id = o.event_id
    JOIN areas a ON a.id = e.area_id
    JOIN types type ON type.id = e.type_id
    LEFT JOIN sub_areas sub_area ON sub_area.id = e.sub_area_id
    LEFT JOIN organizers organizer ON organizer.id = e.organizer_id
    LEFT JOIN languages language ON language.id = e.language_id
    LEFT JOIN places place ON place.location_id = o.location_id AND place.room_id = coalesce(o.room_id, 0)
    -- What readers were last told of the occasion, if it is so.
    LEFT JOIN LATERAL (
        SELECT told_at AS at, nullif(coalesce(nullif(note_sv, ''), note_en), '') AS note FROM programme_news
        WHERE occasion_id = o.id
            AND kind IN ('moved', 'changed', CASE WHEN o.cancelled THEN 'cancelled' ELSE 'reinstated' END)
        ORDER BY told_at DESC LIMIT 1
    ) marked ON true
    ORDER BY o.start, o."end", a.sort_order, a.name COLLATE of_names, a.id, e.title COLLATE of_names, o.id
) element
