import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import type { NamedEntry } from '../../access/audit.ts'
import { incidents, incidentsQuery } from '../../contract/incidents.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { hoursView, incidentsOf } from '../overview/incidents.ts'
import type { ControlStores } from '../parts.ts'
import { auditEntryView } from '../views/audit-entry-view.ts'

const route = routesOf('Administration')

const TROUBLE = { fewestRequests: 10, failedPercent: 25 }
const CHANGES_SHOWN = 200
const ENTRIES_OF_A_PAGE = 200
/** Entries about keys and accounts stand between those that are shown. */
const PAGES_LOOKED_AT = 5
const SHOWN = /^(upstream\.(?!test|probe)|model\.|group\.|plan\.|settings\.|announcement\.)/

const readIncidents = route('get /api/incidents', {
  summary: 'Read what did not work in the last days, with what was changed meanwhile',
  description:
    'Hours in which too many requests failed for a reason that callers have no part in, and alerts to admins, each as long as it lasted; beside them the audit entries of the same time about upstreams, models, groups, plans, settings and announcements.',
  who: 'staff',
  query: incidentsQuery,
  answer: incidents,
  async handle(call, { store }) {
    const toMs = (Math.floor(call.nowMs / HOUR_MS) + 1) * HOUR_MS
    const asked = { fromMs: toMs - call.query.days * DAY_MS, toMs }
    const [faults, hours, alerts, changes] = await Promise.all([
      store.usage.incidents.faultsByHour(asked),
      store.usage.incidents.troubledAtUpstreams(asked, TROUBLE),
      store.alerts.adminTroubles(asked),
      readChanges(store.audit, asked),
    ])
    return {
      from: timeOnWire(asked.fromMs),
      to: timeOnWire(asked.toMs),
      data: [...incidentsOf({ hours, alerts }, call.nowMs)],
      hours: hoursView(faults),
      changes: changes.map(auditEntryView),
    }
  },
})

export const incidentRoutes: readonly ApiRoute[] = [readIncidents, ...listFiles(readIncidents, { name: 'incidents' })]

async function readChanges(
  audit: ControlStores['audit'],
  asked: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly NamedEntry[]> {
  const found: NamedEntry[] = []
  let after: string | null = null
  for (let page = 0; page < PAGES_LOOKED_AT && found.length < CHANGES_SHOWN; page++) {
    const entries: readonly NamedEntry[] = await audit.page({ ...asked, after, limit: ENTRIES_OF_A_PAGE })
    found.push(...entries.filter(({ action }) => SHOWN.test(action)))
    after = entries.at(-1)?.id ?? null
    if (entries.length < ENTRIES_OF_A_PAGE || after === null) break
  }
  return found.slice(0, CHANGES_SHOWN)
}
