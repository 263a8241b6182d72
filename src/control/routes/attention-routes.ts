import { HOUR_MS } from '../../core/durations.ts'
import { changesBetween } from '../../access/audit.ts'
import { attention, attentionSnooze, attentionSnoozed, attentionWake } from '../../contract/attention.ts'
import { actorId } from '../who/actor.ts'
import { existing } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { readAttention } from '../overview/attention.ts'
import { type Snooze, setSnoozes } from '../overview/attention-memory.ts'

const route = routesOf('Usage')

const listAttention = route('get /api/attention', {
  summary: 'List what needs an admin',
  description:
    'Credentials that a provider refuses or that are near their cap, models that fail, have no price or no target, or are asked for and not there, sales below cost, prices far from the shipped list, accounts that call without a balance, sign-ins that are refused in numbers. At most 200 items, each gone by itself when it is healed. Beside them those that were put off, how each upstream answered in the last 24 hours, what an installation still lacks, and sums of the last seven days and the seven before.',
  who: 'staff',
  answer: attention,
  handle: (call, parts) => readAttention(call.nowMs, parts),
})

/** A step of all staff that may change anything at all: what it hides is what they would do. */
const snoozeItems = route('post /api/attention/snooze', {
  summary: 'Put items of the list off for a time',
  description:
    'They are listed under `snoozed` until then, for all staff, and are back by themselves. An item that is healed and begins anew before then stays put off. The audit has each with the reason.',
  who: 'prices',
  body: attentionSnooze,
  answer: attentionSnoozed,
  example: { body: { items: ['bJ7u0XkQ3vN2mYtR5wZa1c'], hours: 24, reason: 'The provider is fixing it' } },
  async handle(call, parts) {
    const { items: ids, hours, reason } = call.body
    const { data, snoozed } = await readAttention(call.nowMs, parts)
    const items = ids.map((wanted) => {
      const found = existing(
        [...data, ...snoozed].find(({ id }) => id === wanted),
        'item',
      )
      return found
    })
    const snooze: Snooze = { untilMs: call.nowMs + hours * HOUR_MS, by: actorId(call.actor), reason }
    await call.change(async (stores, audit) => {
      const before = await setSnoozes(stores, { ids, snooze, nowMs: call.nowMs })
      for (const { id, kind, detail } of items) {
        const changes = {
          item: { before: null, after: detail },
          ...changesBetween(written(before.get(id)), written(snooze)),
        }
        await audit({ action: 'attention.snooze', subject: kind, accountId: null, changes })
      }
    })
    return { items: ids, until: timeOnWire(snooze.untilMs) }
  },
})

const wakeItems = route('post /api/attention/wake', {
  summary: 'List items again that were put off',
  description: 'At once. Those that were not put off stay as they are.',
  who: 'prices',
  body: attentionWake,
  answer: attentionSnoozed,
  async handle(call, parts) {
    const { items: ids } = call.body
    const { snoozed } = await readAttention(call.nowMs, parts)
    await call.change(async (stores, audit) => {
      const before = await setSnoozes(stores, { ids, snooze: null, nowMs: call.nowMs })
      for (const id of ids) {
        const snooze = before.get(id)
        if (snooze === undefined) continue
        const item = snoozed.find((each) => each.id === id)
        const changes = { item: { before: item?.detail ?? id, after: null }, ...changesBetween(written(snooze), {}) }
        await audit({ action: 'attention.wake', subject: item?.kind ?? null, accountId: null, changes })
      }
    })
    return { items: ids, until: null }
  },
})

export const attentionRoutes: readonly ApiRoute[] = [listAttention, snoozeItems, wakeItems]

function written(snooze: Snooze | undefined): Readonly<Record<string, unknown>> {
  return snooze === undefined ? {} : { until: timeOnWire(snooze.untilMs), reason: snooze.reason }
}
