import type { IncidentView } from '../../../../src/contract/incidents.ts'

export interface AxisSpan {
  readonly fromMs: number
  readonly toMs: number
}

const MOST_LANES = 8

/** Where a moment stands on the axis, from 0 to 100. */
export function positionOf(ms: number, { fromMs, toMs }: AxisSpan): number {
  return Math.min(100, Math.max(0, ((ms - fromMs) / (toMs - fromMs)) * 100))
}

/** Incidents in as few rows as they fit into without standing on each other; those of more than eight rows share the last. */
export function inLanes(incidents: readonly IncidentView[], { toMs }: AxisSpan): readonly (readonly IncidentView[])[] {
  const endOf = ({ until }: IncidentView): number => (until === null ? toMs : Date.parse(until))
  const lanes: IncidentView[][] = []
  for (const incident of incidents.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const free = lanes.find((lane) => lane.every((each) => endOf(each) <= Date.parse(incident.from)))
    if (free !== undefined) free.push(incident)
    else if (lanes.length < MOST_LANES) lanes.push([incident])
    else lanes.at(-1)?.push(incident)
  }
  return lanes
}
