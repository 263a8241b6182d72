import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import type { DiagnosisAsked, DiagnosisView } from '../../contract/diagnosis.ts'
import type { Fault } from '../../core/faults.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import { deletedAt } from '../../metering/usage/retention.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { type RouteAnswerParts, judgedRoute } from './explain-route.ts'
import { readCatalogue } from '../catalogue.ts'
import { ownerOf } from '../keys/key-owner.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { unknownTryView } from '../views/unknown-try-view.ts'
import { usageRecordView } from '../views/usage-record-view.ts'
import { type Actor, isStaff, mayReach, ownAccount } from '../who/actor.ts'

/** `address` and `origin`: from where, and under which the asker reaches this gateway. */
interface Asker {
  readonly actor: Actor
  readonly nowMs: number
  readonly address: string
  readonly origin: string
}

interface DiagnosingParts extends RouteAnswerParts, Pick<ControlParts, 'unknownTries'> {
  readonly store: RouteAnswerParts['store'] & Pick<ControlStores, 'usage'>
}

/** What the database and this node know of something that failed: its record, its key, and what would happen now. */
export async function diagnose(asked: DiagnosisAsked, who: Asker, parts: DiagnosingParts): Promise<DiagnosisView> {
  const { actor, nowMs } = who
  const record = asked.request === undefined ? null : await recordOf(asked.request, actor, parts)
  const found = await keysOf(asked.key ?? record?.keyId, actor, parts)
  const [key = null] = found.length === 1 ? found : []
  const judged = key === null ? NOT_JUDGED : await judge(key, { asked, record, nowMs, actor }, parts)
  return {
    record: record === null ? null : usageRecordView(record, { isStaff: isStaff(actor) }),
    unrecognized: record === null ? unknownTryOf(asked.request, who, parts) : null,
    deleted: record === null && asked.request !== undefined ? await deletedOf(asked.request, parts) : null,
    key: key === null ? null : await keyView(key, nowMs, parts),
    keys_alike: asked.key === undefined ? null : found.length,
    ...judged,
  }
}

type Judgement = Pick<DiagnosisView, 'now' | 'judged_model' | 'targets'>
const NOT_JUDGED: Judgement = { now: null, judged_model: false, targets: null }

async function recordOf(id: string, actor: Actor, { store }: DiagnosingParts): Promise<UsageRecord | null> {
  const record = await store.usage.record(id)
  if (record === null) return null
  return mayReach(actor, record.accountId, 'read') ? record : null
}

async function deletedOf(id: string, { store }: DiagnosingParts): Promise<DiagnosisView['deleted']> {
  const deleted = deletedAt(id, await store.usage.keptSince())
  return deleted === null ? null : { records: deleted.which, kept_since: timeOnWire(deleted.keptSinceMs) }
}

function unknownTryOf(
  id: string | undefined,
  { address, origin }: Asker,
  { unknownTries }: DiagnosingParts,
): DiagnosisView['unrecognized'] {
  const tried = id === undefined ? undefined : unknownTries(address, 0).find((each) => each.id === id)
  return tried === undefined ? null : unknownTryView(tried, origin)
}

/** Deleted ones too: that they are deleted is the answer. */
const KEYS_LOOKED_AT = 1_000

/** The keys that are meant: by an id, or by the end of their secret, or of the one before it. */
async function keysOf(meant: string | undefined, actor: Actor, { store }: DiagnosingParts): Promise<readonly ApiKey[]> {
  if (meant === undefined) return []
  if (meant.startsWith('key_')) {
    const key = await store.keys.findById(meant)
    if (key === null) return []
    return mayReach(actor, key.accountId, 'read') ? [key] : []
  }
  const { id: accountId } = ownAccount(actor)
  const order = { by: 'last_used_at', isDescending: true } as const
  const page = await store.keys.page({ accountId, search: meant }, { order, after: null, limit: 50 })
  const listed = page.keys.map(({ key }) => key).filter(({ secretEnd }) => secretEnd === meant)
  if (listed.length > 0) return listed
  const all = await store.keys.list({ accountId, includeDeleted: true, limit: KEYS_LOOKED_AT })
  return all.filter(({ secretEnd, overlap }) => secretEnd === meant || overlap?.secretEnd === meant)
}

async function judge(
  key: ApiKey,
  about: {
    readonly asked: DiagnosisAsked
    readonly record: UsageRecord | null
    readonly nowMs: number
    readonly actor: Actor
  },
  parts: DiagnosingParts,
): Promise<Judgement> {
  const { asked, record, nowMs } = about
  const { account, ...owner } = await ownerOf(key, nowMs, parts)
  if (account === null) return NOT_JUDGED
  const of: KeyWithOwner = { ...owner, account }
  const modelName = asked.model ?? record?.model ?? undefined
  const wire = asked.protocol ?? record?.wire ?? 'openai-chat'
  if (modelName !== undefined) {
    const { fault, explained } = await judgedRoute({ of, modelName, wire, nowMs }, parts)
    const targets = explained?.candidates.filter(({ attempt }) => attempt !== null).length ?? null
    return { now: faultView(fault), judged_model: true, targets }
  }
  const catalogue = await readCatalogue(parts.store)
  const funds = await readFunds(of, { catalogue, budgets: parts.store.budgets }, nowMs)
  return { now: faultView(verdictOn(of, funds, { catalogue, nowMs })), judged_model: false, targets: null }
}

function faultView(fault: Fault | null): DiagnosisView['now'] {
  return fault === null ? null : { code: fault.code, facts: fault.details.facts ?? null, detail: fault.message }
}

async function keyView(key: ApiKey, nowMs: number, { store }: DiagnosingParts): Promise<DiagnosisView['key']> {
  const [{ lastUsedAt }, groups] = await Promise.all([store.keys.activityOf(key), store.groups.groups()])
  const isOver = key.expiresAt !== null && key.expiresAt <= nowMs
  return {
    id: key.id,
    name: key.name,
    start: key.secretStart,
    end: key.secretEnd,
    status: key.status === 'active' && isOver ? 'expired' : key.status,
    group: groups.find(({ id }) => id === key.groupId)?.name ?? null,
    last_used_at: lastUsedAt === null ? null : timeOnWire(lastUsedAt),
  }
}
