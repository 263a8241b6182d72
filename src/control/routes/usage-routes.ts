import type { z } from '@hono/zod-openapi'
import {
  firstSteps,
  firstStepsQuery,
  keySpendCsvQuery,
  keySpendPage,
  keySpendQuery,
  summaryQuery,
  tagSpendQuery,
  tagSpends,
  usageCsvQuery,
  type usageFilter,
  usageQuery,
  usageRecord,
  usageSummary,
} from '../../contract/usage.ts'
import { pageOf, time } from '../../contract/wire-values.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { type FaultCode, isFaultCode } from '../../core/faults.ts'
import { deletedAt, type DeletedRecords } from '../../metering/usage/retention.ts'
import type { UsageFilter } from '../../metering/usage/usage-store.ts'
import { SUMMARY_BUCKETS_LIMIT } from '../../metering/usage/usage-summary.ts'
import { accountMeant, type Actor, isStaff, mayReach, ownAccount, type Reach } from '../who/actor.ts'
import { idAt, valueAt } from '../api/paging.ts'
import type { ControlStores } from '../parts.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import { keySpendCsv, keySpendView, tagSpendsView } from '../views/key-spend-view.ts'
import { unknownTryView } from '../views/unknown-try-view.ts'
import { usageCsv } from '../views/usage-csv.ts'
import { usageRecordView } from '../views/usage-record-view.ts'
import { stepView } from '../views/usage-step-view.ts'
import { usageSummaryView } from '../views/usage-summary-view.ts'
import { csvAnswer, dayOnWire } from '../api/table-file.ts'
import { readTime, timeOrNull } from '../api/wire-forms.ts'

const route = routesOf('Usage')

const NO_EMAILS: ReadonlyMap<string, string> = new Map()

const listUsage = route('get /api/usage', {
  summary: 'List usage records, newest first',
  description:
    'A page may be shorter than "limit", or empty, and go on all the same: only a next_cursor of null is the end.',
  who: 'account',
  query: usageQuery,
  answer: pageOf(usageRecord).extend({
    kept_since: time
      .nullable()
      .describe('on the last page, where older records of the filter may have been deleted: since when they are kept'),
  }),
  async handle(call, { store }) {
    const filter = await readFilter(call, call.query, store)
    const page = await store.usage.list(filter, { after: idAt(call.position), limit: call.query.limit })
    const isForStaff = isStaff(call.actor)
    // One's own address is known.
    const isOfOthers = isForStaff && (filter.accountId === null || call.query.account_id !== undefined)
    const emails = isOfOthers ? await store.accounts.emails(page.records.map(({ accountId }) => accountId)) : NO_EMAILS
    return {
      data: page.records.map((record) =>
        usageRecordView(record, { isStaff: isForStaff, accountEmail: emails.get(record.accountId) }),
      ),
      next_cursor: page.next === null ? null : call.nextCursor([page.next]),
      kept_since: page.next === null ? timeOrNull(await keptSince(filter, store)) : null,
    }
  },
})

const sumUsage = route('get /api/usage/summary', {
  summary: 'Sum usage by hour or day, and by key, model or group',
  description: `Without "from" the last 30 days, or by the hour the last two. A span has at most ${SUMMARY_BUCKETS_LIMIT} buckets.`,
  who: 'account',
  query: summaryQuery,
  answer: usageSummary,
  async handle(call, { store }) {
    const { by, split, offset_minutes: offsetMinutes, key, model, ...rest } = call.query
    const span = readSpan(rest, { by, nowMs: call.nowMs })
    const summary = await store.usage.summary({
      accountId: accountMeant(call, rest.account_id, 'all_allowed'),
      ...span,
      by,
      split: split === 'none' ? null : split,
      keyId: key,
      groupId: await groupIdOf(rest.group, store),
      model,
      top: SERIES_SHOWN,
      offsetMinutes,
    })
    return usageSummaryView(summary, by, split !== 'none')
  },
})

const followFirstSteps = route('get /api/usage/first-steps', {
  summary: 'List the newest attempts since a moment',
  description: 'Made to be asked every second while a client is set up.',
  who: 'account',
  query: firstStepsQuery,
  answer: firstSteps,
  async handle(call, { store, unknownTries }) {
    const { key, since, limit } = call.query
    const accountId = ownAccount(call.actor).id
    const records = await store.usage.firstSteps({ accountId, keyId: key, sinceMs: readTime(since), limit })
    const unknown = unknownTries(call.address, readTime(since))
    return { data: records.map(stepView), unrecognized: unknown.map((each) => unknownTryView(each, call.origin)) }
  },
})

const readRecord = route('get /api/usage/{id}', {
  summary: 'Read a usage record',
  description: 'With its cost explained line by line.',
  who: 'account',
  answer: usageRecord,
  problems: ['record_deleted'],
  async handle(call, { store }) {
    const found = await store.usage.record(call.params.id)
    if (found !== null && mayReach(call.actor, found.accountId, call.reach)) {
      return usageRecordView(found, { isStaff: isStaff(call.actor) })
    }
    throw noRecord(deletedAt(call.params.id, await store.usage.keptSince()))
  },
})

const exportUsage = route('get /api/usage.csv', {
  summary: 'Read all usage records of a filter as CSV',
  description:
    'text/csv as in RFC 4180, newest first, with a header row. Text that a spreadsheet would run begins with an apostrophe. Where older records of the filter were deleted, the name of the file says since when they are kept.',
  who: 'account',
  query: usageCsvQuery,
  mediaType: 'text/csv',
  status: 200,
  async handle(call, { store }) {
    const filter = await readFilter(call, call.query, store)
    const stream = usageCsv(store.usage, filter, {
      isStaff: isStaff(call.actor),
      startsWithMark: call.query.bom === 'true',
    })
    const since = await keptSince(filter, store)
    const kept = since === null ? '' : `-kept-since-${dayOnWire(since)}`
    return csvAnswer(stream, `usage-${dayOnWire(call.nowMs)}${kept}`)
  },
})

const sumKeys = route('get /api/usage/keys', {
  summary: 'Sum usage by key, and compare it with the time before',
  description: `Every key that was used in the span, which is widened to whole hours and is the last 30 days without "from". The time before is as long. At most ${SUMMARY_BUCKETS_LIMIT - 2} days.`,
  who: 'account',
  problems: ['account_needed', 'role_insufficient', 'cursor_invalid'],
  query: keySpendQuery,
  answer: keySpendPage,
  async handle(call, { store }) {
    const { sort, order, limit } = call.query
    const after = valueAt(call.position)
    const span = await readKeySpan(call, store)
    const how = { orderBy: sort, isDescending: order === 'desc', after, limit }
    const page = await store.usage.keySpend({ ...span, ...how })
    const next = page.next === null ? null : call.nextCursor([page.next.value, page.next.id])
    return { ...keySpendView(page), next_cursor: next }
  },
})

const exportKeys = route('get /api/usage/keys.csv', {
  summary: 'Read usage by key as CSV',
  description: 'text/csv as in RFC 4180, the dearest key first, with a header row; see GET /api/usage/keys.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: keySpendCsvQuery,
  mediaType: 'text/csv',
  status: 200,
  async handle(call, { store }) {
    const span = await readKeySpan(call, store)
    const stream = keySpendCsv(store.usage, span, { startsWithMark: call.query.bom === 'true' })
    return csvAnswer(stream, `keys-${dayOnWire(call.nowMs)}`)
  },
})

const sumTags = route('get /api/usage/tags', {
  summary: 'Sum usage by the tags of keys, and compare it with the time before',
  description:
    'As GET /api/usage/keys, by the tags that keys have now. A key with two tags counts in both, and keys without one are summed as `null`, so the shares may add up to more than the whole.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: tagSpendQuery,
  answer: tagSpends,
  handle: async (call, { store }) => tagSpendsView(await store.usage.tagSpend(await readKeySpan(call, store))),
})

/** Paths without a parameter come first: the first that fits serves. */
export const usageRoutes: readonly ApiRoute[] = [
  listUsage,
  sumUsage,
  sumKeys,
  exportKeys,
  sumTags,
  followFirstSteps,
  exportUsage,
  ...listFiles(listUsage, { name: 'usage', formats: ['ndjson'] }),
  readRecord,
]

const SERIES_SHOWN = 10

/** The moment since which records of a filter are kept, where it asks for older ones; null: none was deleted. */
async function keptSince({ fromMs = 0 }: UsageFilter, { usage }: Pick<ControlStores, 'usage'>): Promise<number | null> {
  const { recordsMs } = await usage.keptSince()
  return recordsMs !== null && fromMs < recordsMs ? recordsMs : null
}

/**
 * Why there is no record. The time in an id says that it is too old to be there, whosever it was; what belongs to others is
 * answered as what is not there.
 */
function noRecord(deleted: DeletedRecords | null): Problem {
  if (deleted === null) return notFound('usage record')
  const day = dayOnWire(deleted.keptSinceMs)
  return deleted.which === 'all'
    ? new Problem('record_deleted', `This usage record is older than what is kept: records are kept since ${day}.`)
    : new Problem(
        'not_found',
        `This usage record was not found. If the request was refused, the record was deleted: refusals that cost nothing are kept since ${day}.`,
      )
}

async function readKeySpan(
  call: {
    readonly actor: Actor
    readonly reach: Reach
    readonly nowMs: number
    readonly query: z.output<typeof keySpendCsvQuery | typeof keySpendQuery | typeof tagSpendQuery>
  },
  store: Pick<ControlStores, 'groups'>,
) {
  const { account_id: accountId, group, model, from, to } = call.query
  return {
    accountId: accountMeant(call, accountId) ?? '',
    ...readSpan({ from, to }, { by: 'day', nowMs: call.nowMs }),
    groupId: await groupIdOf(group, store),
    model,
    ...('tag' in call.query && call.query.tag !== undefined ? { tag: call.query.tag } : {}),
  }
}

/** A filter that staff alone may use: upstreams, credentials and what they say are not for everyone to find out. */
function forStaff(
  actor: Actor,
  field: 'upstream' | 'credential' | 'said',
  name: string | undefined,
): string | undefined {
  if (name === undefined || isStaff(actor)) return name
  throw fieldProblem(field, `${field} is for staff: leave it out.`)
}

async function readFilter(
  asker: Pick<ApiCall<'account'>, 'actor' | 'reach'>,
  query: z.output<typeof usageFilter>,
  store: Pick<ControlStores, 'groups'>,
): Promise<UsageFilter> {
  return {
    accountId: accountMeant(asker, query.account_id, 'all_allowed'),
    keyId: query.key,
    groupId: await groupIdOf(query.group, store),
    model: query.model,
    upstream: forStaff(asker.actor, 'upstream', query.upstream),
    credential: forStaff(asker.actor, 'credential', query.credential),
    protocol: query.protocol,
    client: query.client,
    tag: query.tag,
    fault: readFault(query.fault),
    outcome: query.outcome,
    idPrefix: query.request,
    said: forStaff(asker.actor, 'said', query.said),
    fromMs: query.from === undefined ? undefined : readTime(query.from),
    toMs: query.to === undefined ? undefined : readTime(query.to),
  }
}

/** Names are what people know; records of a group that is gone are found by its id. */
async function groupIdOf(
  group: string | undefined,
  { groups }: Pick<ControlStores, 'groups'>,
): Promise<string | undefined> {
  if (group === undefined) return undefined
  return (await groups.groups()).find(({ name }) => name === group)?.id ?? group
}

function readFault(fault: string | undefined): FaultCode | 'any' | undefined {
  if (fault === undefined || fault === 'any') return fault
  if (isFaultCode(fault)) return fault
  throw fieldProblem('fault', 'fault must be the code of a fault, or "any".')
}

/** The span that is asked for, or the usual one up to now. */
function readSpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  { by, nowMs }: { by: 'hour' | 'day'; nowMs: number },
): { fromMs: number; toMs: number } {
  const bucketMs = by === 'hour' ? HOUR_MS : DAY_MS
  const toMs = to === undefined ? Math.max(nowMs, from === undefined ? 0 : readTime(from) + 1) : readTime(to)
  const fromMs = from === undefined ? toMs - (by === 'hour' ? 48 : 30) * bucketMs : readTime(from)
  if (fromMs >= toMs) throw fieldProblem('from', 'from must be before to.')
  // Both ends are widened to whole buckets.
  if ((toMs - fromMs) / bucketMs > SUMMARY_BUCKETS_LIMIT - 2) {
    throw fieldProblem(
      'from',
      `from and to must be at most ${SUMMARY_BUCKETS_LIMIT - 2} ${by}s apart: choose a shorter span${by === 'hour' ? ', or days' : ''}.`,
    )
  }
  return { fromMs, toMs }
}
