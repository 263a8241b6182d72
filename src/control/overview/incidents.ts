import type { AdminTrouble } from '../../alerts/alert.ts'
import type { IncidentsView, IncidentView } from '../../contract/incidents.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { FAULTS } from '../../core/faults.ts'
import type { FaultsOfHour, TroubledHour } from '../../metering/usage/incidents.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const MOST_INCIDENTS = 200

/** Troubled hours of one upstream that follow each other, whatever the models, and alerts of hours that follow, newest first. */
export function incidentsOf(
  found: { readonly hours: readonly TroubledHour[]; readonly alerts: readonly AdminTrouble[] },
  nowMs: number,
): readonly IncidentView[] {
  const failures = [...Map.groupBy(found.hours, ({ upstream }) => upstream)].flatMap(([upstream, hours]) =>
    inARow(hours, ({ hourAt }) => hourAt).map((row) => failuresView(upstream, row, nowMs)),
  )
  const alerts = [...Map.groupBy(found.alerts, ({ kind, about }) => `${kind} ${about}`).values()].flatMap((same) =>
    inARow(same, ({ hourAt }) => hourAt).map((row) => alertView(row, nowMs)),
  )
  return [...failures, ...alerts].sort((a, b) => (a.from < b.from ? 1 : -1)).slice(0, MOST_INCIDENTS)
}

/** Sums of each hour by whose part the failures were. */
export function hoursView(faults: readonly FaultsOfHour[]): IncidentsView['hours'] {
  return [...Map.groupBy(faults, ({ hourAt }) => hourAt)].map(([hourAt, rows]) => {
    const failed = { client: 0, gateway: 0, upstream: 0 }
    for (const { fault, requests } of rows) if (fault !== null) failed[FAULTS[fault].blame] += requests
    return { at: timeOnWire(hourAt), requests: sumOf(rows, ({ requests }) => requests), failed }
  })
}

/** Parts of a list whose hours follow each other, or are the same; the newest part first, and in each the newest hour. */
export function inARow<Row>(rows: readonly Row[], hourOf: (row: Row) => number): Row[][] {
  const parts: Row[][] = []
  for (const row of rows.toSorted((a, b) => hourOf(b) - hourOf(a))) {
    const last = parts.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && hourOf(before) - hourOf(row) <= HOUR_MS) last.push(row)
    else parts.push([row])
  }
  return parts
}

function failuresView(upstream: string | null, row: readonly TroubledHour[], nowMs: number): IncidentView {
  const byFault = Map.groupBy(
    row.flatMap(({ faults }) => faults),
    ({ fault }) => fault,
  )
  const [most] = [...byFault].sort(
    ([, a], [, b]) => sumOf(b, ({ requests }) => requests) - sumOf(a, ({ requests }) => requests),
  )
  return {
    kind: 'failures',
    upstream,
    models: [...new Set(row.map(({ model }) => model))].sort(),
    about: null,
    ...spanOf(row, nowMs),
    requests: sumOf(row, ({ requests }) => requests),
    failed: sumOf(row, ({ failed }) => failed),
    fault: most?.[0] ?? null,
  }
}

function alertView(row: readonly AdminTrouble[], nowMs: number): IncidentView {
  const [first] = row
  const about = first?.about ?? ''
  return {
    kind: first?.kind ?? 'model_unserved',
    upstream: null,
    models: [],
    about: about === '' ? null : about,
    ...spanOf(row, nowMs),
    requests: null,
    failed: null,
    fault: null,
  }
}

/** `row`: newest first. */
function spanOf(row: readonly { readonly hourAt: number }[], nowMs: number): Pick<IncidentView, 'from' | 'until'> {
  const endMs = (row[0]?.hourAt ?? 0) + HOUR_MS
  return { from: timeOnWire(row.at(-1)?.hourAt ?? 0), until: endMs > nowMs ? null : timeOnWire(endMs) }
}

function sumOf<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}
