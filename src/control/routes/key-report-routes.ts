import { keyActivity, keyActivityQuery, keyReport, keyReportQuery } from '../../contract/key-report.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { usageOfDay } from '../keys/key-figures.ts'
import { readKeyReport } from '../keys/key-report.ts'
import { ownedKey } from '../keys/owned-key.ts'
import { startOfDays } from '../overview/overview-spans.ts'
import { accountIdOf, isStaff } from '../who/actor.ts'

const route = routesOf('Keys')

/** The most that a page of keys may have. */
const MOST_KEYS = 200
const DAYS_SHOWN = 30

const report = route('get /api/keys/{id}/report', {
  summary: 'Read how an API key stands, and what it did',
  description:
    'Its limits and how full they are, its last thirty days, its newest requests and faults, and its history.',
  who: 'account',
  query: keyReportQuery,
  answer: keyReport,
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    return readKeyReport(key, { nowMs: call.nowMs, offsetMinutes: call.query.offset_minutes }, parts)
  },
})

const activity = route('get /api/keys/activity', {
  summary: 'Read what API keys used in the last thirty days',
  description: 'For a page of a list: up to 200 keys in one answer. Keys that are not yours are left out.',
  who: 'account',
  query: keyActivityQuery,
  answer: keyActivity,
  async handle(call, { store }) {
    const { offset_minutes: offsetMinutes } = call.query
    const ids = [...new Set(call.query.ids.split(',').filter((id) => id !== ''))]
    if (ids.length === 0 || ids.length > MOST_KEYS) {
      throw fieldProblem('ids', `ids must be the ids of 1 to ${MOST_KEYS} keys, separated by commas.`)
    }
    const found = await store.usage.daysOfKeys(ids, {
      accountId: isStaff(call.actor) ? null : accountIdOf(call.actor),
      fromMs: startOfDays(call.nowMs, { offsetMinutes, days: DAYS_SHOWN }),
      offsetMinutes,
    })
    return { data: [...found].map(([id, days]) => ({ id, days: days.map(usageOfDay) })) }
  },
})

/** Routes that come before those of one key: the first path that fits serves. */
export const keyReportRoutes: readonly ApiRoute[] = [activity, report]
