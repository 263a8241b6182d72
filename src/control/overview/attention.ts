import type { AttentionView, UpstreamHealthView } from '../../contract/attention.ts'
import { groupServes } from '../../access/group.ts'
import { attentionItems, type CredentialsStanding } from '../../entitlement/attention.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ModelAnswers } from '../../metering/usage/usage-store.ts'
import { type ListedCatalogue, readCatalogue } from '../catalogue.ts'
import { readModelLists } from '../models/model-lists.ts'
import type { BackupStanding, ControlParts } from '../parts.ts'
import { type RawItem, wholeItem } from './attention-item.ts'
import { type Failures, readFailures } from './attention-failures.ts'
import { failingRenewals, heldCredentials } from './credential-items.ts'
import { failingItems } from './failing-items.ts'
import { ALERTS_LOOKED_AT, failingWays } from './alert-items.ts'
import { clocksOff, failingStore, fullDisks, nodesBehind, oidcClockOff, redisDown } from './machine-items.ts'
import { remembered } from './attention-memory.ts'
import { paymentItems } from './payment-items.ts'
import { spendCapItems } from './spend-cap-items.ts'
import { differingPrices } from './price-items.ts'
import { modelListItems } from './model-list-items.ts'
import { failedSignIns } from './sign-in-items.ts'
import { unpricedCalls } from './unpriced-calls.ts'
import { worstFirst } from './severity.ts'
import { readWeeks } from './attention-weeks.ts'
import type { IncidentHours } from '../../metering/usage/incidents.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const SETUP_DAYS = 30
const MOST_ITEMS = 200

/** What needs an admin now, worst first, with what an installation still lacks and how its week was. */
export async function readAttention(nowMs: number, parts: ControlParts): Promise<AttentionView> {
  const { store } = parts
  const [catalogue, failures, held, monthAnswers, week, people, health] = await Promise.all([
    readCatalogue(store),
    readFailures(nowMs, store),
    store.catalog.credentialStates(),
    store.usage.answersByModel(nowMs - SETUP_DAYS * DAY_MS),
    readWeeks(nowMs, store.usage),
    store.accounts.page({ after: null, limit: 2 }),
    readUpstreamHealth(nowMs, store.usage.incidents),
  ])
  const [storeFailure, backups, disks, nodes, payments, alerts, shipped, signIns, lists, failing, calls] =
    await Promise.all([
      parts.storeFailure(),
      parts.backupStanding(),
      parts.system.disks(),
      parts.system.nodes(),
      paymentItems(nowMs, store),
      store.alerts.list(ALERTS_LOOKED_AT),
      parts.shippedPrices(),
      failedSignIns(nowMs, store.audit),
      readModelLists(store, catalogue.upstreams),
      failingItems({ catalogue, failures }, { nowMs, usage: store.usage }),
      unpricedCalls(nowMs, store, { catalogue, failures }),
    ])
  const items = [
    ...heldCredentials(catalogue, held, failures),
    ...failingRenewals(catalogue.upstreams, parts, failures),
    ...spendCapItems(catalogue.upstreams, parts, failures),
    ...oldBackup(backups),
    ...payments,
    ...failingStore(storeFailure),
    ...fullDisks(disks),
    ...clocksOff(nodes),
    ...oidcClockOff(nodes, parts.signIn.clockAheadMs()),
    ...nodesBehind(nodes),
    ...redisDown(parts.areLimitsExact()),
    ...failingWays(alerts),
    ...signIns,
    ...failing,
    ...catalogueItems(catalogue, { states: held, nowMs }, failures),
    ...unpricedModels(catalogue, failures),
    ...calls,
    ...failures.unknownModels(catalogue),
    ...failures.withoutBalance,
    ...differingPrices(catalogue.models, shipped, failures),
    ...modelListItems(catalogue.upstreams, lists),
  ]
  const worst = worstFirst(items.map(wholeItem)).slice(0, MOST_ITEMS)
  const listed = await remembered(worst, nowMs, { settings: store.settings, nodes, log: parts.log })
  return {
    looked_at: new Date(nowMs).toISOString(),
    data: [...listed.items],
    snoozed: [...listed.snoozed],
    health,
    setup: { ...setupOf(catalogue, monthAnswers), people: people.length > 1 },
    week,
  }
}

function oldBackup(backups: BackupStanding | null): readonly RawItem[] {
  if (backups === null || !backups.isOld) return []
  const since = backups.newestAtMs === null ? null : new Date(backups.newestAtMs).toISOString()
  const what = since === null ? 'There is no backup' : `The newest backup is of ${since}`
  const detail = `${what}, and it may be ${backups.maxAgeHours} hours old: look at what writes the files of TOLLGATE_BACKUP_FILES.`
  return [{ kind: 'backup_old', backup: { newest_at: since }, since, detail }]
}

/** What makes requests fail, rather than cost or go elsewhere. */
const UNSERVED: ReadonlySet<string> = new Set(['no_target', 'no_margin', 'no_credential'])

function catalogueItems(
  catalogue: ListedCatalogue,
  standing: CredentialsStanding,
  failures: Failures,
): readonly RawItem[] {
  return attentionItems(catalogue, standing).map(({ upstream, ...item }) => {
    const found = catalogue.upstreams.find(({ name }) => name === upstream)
    const isHit = ({ model, groupName }: UsageRecord) =>
      model === item.model && (item.group === null || groupName === item.group)
    return {
      ...item,
      upstream: found === undefined ? null : { id: found.id, name: found.name },
      requests: UNSERVED.has(item.kind) ? failures.recent(isHit) : failures.seen(isHit),
    }
  })
}

function unpricedModels({ models }: ListedCatalogue, failures: Failures): readonly RawItem[] {
  return models
    .filter(({ prices, targets }) => prices === null && targets.length > 0)
    .map(({ name }) => ({
      kind: 'unpriced',
      model: name,
      requests: failures.recent((record) => record.model === name && record.fault === 'model_unpriced'),
      detail: `The model "${name}" has targets and no price, so it is not served: set its price.`,
    }))
}

/** What stands of a way from a provider to an answer; the demo's upstream is none. */
function setupOf(
  { upstreams, models, groups }: ListedCatalogue,
  answers: ReadonlyMap<string, ModelAnswers>,
): Omit<AttentionView['setup'], 'people'> {
  const real = new Set(upstreams.filter(({ protocol }) => !isBuiltIn(protocol)).map(({ id }) => id))
  const ready = models.filter(
    ({ prices, targets }) => prices !== null && targets.some(({ upstreamId }) => real.has(upstreamId)),
  )
  return {
    provider: real.size > 0,
    model: ready.length > 0,
    group: ready.some(({ name }) => groups.some((group) => group.isEnabled && groupServes(group, name))),
    answered: ready.some(({ name }) => (answers.get(name)?.good ?? 0) > 0),
  }
}

const HOURS = 24
const MOST_UPSTREAMS = 20

/** How each upstream answered in the last 24 hours, hour by hour; `nowMs`: epoch milliseconds. From the roll-ups. */
async function readUpstreamHealth(
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
