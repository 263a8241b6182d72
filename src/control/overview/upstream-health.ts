import type { UpstreamHealthView } from '../../contract/attention.ts'
import type { IncidentHours } from '../../metering/usage/incidents.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const MOST_UPSTREAMS = 20

/** How each upstream answered in the last 24 hours, hour by hour; `nowMs`: epoch milliseconds. From the roll-ups. */
export async function readUpstreamHealth(
  nowMs: number,
  incidents: Pick<IncidentHours, 'hoursOfUpstreams'>,
): Promise<UpstreamHealthView> {
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
  const fromMs = toMs - HOURS * HOUR_MS
  const rows = await incidents.hoursOfUpstreams({ fromMs, toMs })
  const data = [...Map.groupBy(rows, ({ upstream }) => upstream)].map(([upstream, own]) => {
    const requests = Array.from({ length: HOURS }, () => 0)
    const failed = Array.from({ length: HOURS }, () => 0)
    for (const { hourAt, requests: asked, failed: lost } of own) {
      const at = (hourAt - fromMs) / HOUR_MS
      requests[at] = asked
      failed[at] = lost
    }
    return { upstream, requests, failed }
  })
  const asked = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
  return {
    from: timeOnWire(fromMs),
    data: data.toSorted((a, b) => asked(b.requests) - asked(a.requests)).slice(0, MOST_UPSTREAMS),
  }
}
