import {
  keyRotate,
  type KeyRotated,
  keyRotated,
  keysBulk,
  type KeysBulkAnswer,
  keysBulkAnswer,
  keyTest,
} from '../../contract/keys.ts'
import { keySetupAnswer, keySetupQuery } from '../../contract/setup.ts'
import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { stopOf, STOPPED_WITH_THE_ROTATION } from '../../access/key-stop.ts'
import { setupMark } from '../../access/setup-mark.ts'
import { readCatalogue } from '../catalogue.ts'
import { ownerOf } from '../keys/key-owner.ts'
import { setKeyStatus } from '../keys/set-key-status.ts'
import { keySetup } from '../keys/setup/key-setup.ts'
import { ANSWERS_COUNT_MS, setupModels } from '../keys/setup/setup-models.ts'
import { ownedKey, requireUnmanaged } from '../keys/owned-key.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { existing, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { readKeyView } from '../views/key-view.ts'
import type { FaultCode } from '../../core/faults.ts'
import { callableModels, type Moment } from '../../entitlement/callable-models.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'

const route = routesOf('Keys')

const rotate = route('post /api/keys/{id}/rotate', {
  summary: 'Give an API key a new secret',
  description:
    'The new secret is in this answer and in no other. The old one works for `overlap_seconds` more, and `overlap` of the key shows when it was used last; streams that run go on. With 0 it stops at once: when the call has returned, every node refuses it and has cut its running streams. Rotating again within an overlap ends that overlap: `ended_overlap` says which secret lost how much.',
  who: 'account',
  problems: ['managed', 'conflict'],
  body: keyRotate,
  answer: keyRotated,
  secretFields: ['secret'],
  example: { body: { overlap_seconds: 86_400 } },
  async handle(call, parts) {
    const before = requireSecret(requireUnmanaged(await ownedKey(call, parts)))
    const { id, accountId, secretEnd } = before
    const { overlap_seconds: seconds } = call.body
    const secret = newSecret(parts.randomBytes)
    const endsAt = seconds === 0 ? STOPPED_WITH_THE_ROTATION : call.nowMs + seconds * 1000
    const shown = displayParts(secret)
    const endedOverlap = overlapEnded(before, call.nowMs)
    const changed = await call.change(async ({ keys }, audit) => {
      const change = existing(await keys.rotate(id, { hash: parts.hashes.apiKey(secret), ...shown }, endsAt), 'API key')
      await audit({
        action: 'key.rotate',
        subject: id,
        accountId,
        changes: {
          secret_end: { before: secretEnd, after: shown.end },
          overlap_ends_at: { before: endedOverlap?.ends_at ?? null, after: seconds === 0 ? null : timeOnWire(endsAt) },
        },
      })
      return change
    })
    await call.reachNodes(changed)
    const key = await readKeyView(await ownedKey(call, parts), parts.store, call.nowMs)
    return { key, secret, ended_overlap: endedOverlap }
  },
})

/** The overlap that a rotation ends before its time; null: none. */
function overlapEnded({ overlap }: ApiKey, nowMs: number): KeyRotated['ended_overlap'] {
  if (overlap === null || overlap.endsAt <= nowMs) return null
  return { secret_end: overlap.secretEnd, ends_at: timeOnWire(overlap.endsAt) }
}

const bulk = route('post /api/keys/bulk', {
  summary: 'Enable, disable or delete many API keys',
  description:
    'Each key is judged by itself: those that could not be changed are named with a code, and the others are done. Holds on every node when the call has returned.',
  who: 'account',
  body: keysBulk,
  answer: keysBulkAnswer,
  example: { body: { ids: ['key_01k9x0000000000000000000aa'], action: 'disable' } },
  async handle(call, parts) {
    const { action, ids } = call.body
    const done: string[] = []
    const failed: KeysBulkAnswer['failed'] = []
    let latest: { readonly seq: number } | null = null
    for (const id of new Set(ids)) {
      try {
        latest = (await setKeyStatus(call, parts, { id, action })) ?? latest
        done.push(id)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failed.push({ id, code: error.code, detail: error.message })
      }
    }
    await call.reachNodes(latest)
    return { done, failed }
  },
})

const test = route('post /api/keys/{id}/test', {
  summary: 'Check whether an API key could call models now',
  description:
    'A judgement without its secret, for nothing: the state of the key, its account and groups, and its money. `fault` is the code that a request would get.',
  who: 'account',
  limits: { isReadOnly: true },
  answer: keyTest,
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    const { account, ...of } = await ownerOf(key, call.nowMs, parts)
    if (account === null) throw notFound('API key')
    const { fault, detail, models } = await judgeKey(
      { ...of, account },
      { catalogue: await readCatalogue(parts.store), nowMs: call.nowMs },
      parts.store.budgets,
    )
    return { ok: fault === null, fault, detail, models: [...models] }
  },
})

const setup = route('get /api/keys/{id}/setup', {
  summary: 'Read how clients are set up with an API key',
  description:
    'Base URLs, models, snippets by client and operating system, and import links. The secret is not in it and is not taken: placeholders stand where the browser fills it in.',
  who: 'account',
  query: keySetupQuery,
  answer: keySetupAnswer,
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    const [{ account, ...of }, own, catalogue, settings, answers] = await Promise.all([
      ownerOf(key, call.nowMs, parts),
      parts.store.accounts.findOwn(key.accountId),
      readCatalogue(parts.store),
      readSettings(parts.store.settings),
      parts.store.usage.answersByModel(call.nowMs - ANSWERS_COUNT_MS),
    ])
    if (account === null) throw notFound('API key')
    const { explainRoute } = parts
    const models = setupModels({ ...of, account }, { catalogue, nowMs: call.nowMs, answers, explainRoute })
    const texts = keySetup({
      origin: call.origin,
      keyName: key.name,
      keyId: key.id,
      models,
      customImports: settings.imports,
      hiddenImports: settings.hidden_imports,
      favourites: own?.profile.favouriteModels ?? [],
      listed: call.query.listed,
    })
    return { ...texts, mark: setupMark(key.id, call.nowMs, parts.hashes.apiKey) }
  },
})

/** Throws Problem for the key of a device: its tokens are replaced by themselves. */
function requireSecret(key: ApiKey): ApiKey {
  if (key.device === undefined) return key
  throw new Problem('conflict', 'A signed-in device has no secret to replace. Sign it out instead.')
}

export const keyStepRoutes: readonly ApiRoute[] = [bulk, rotate, test, setup]

interface KeyVerdict {
  /** The fault that a request would get now; null: it would be let through. */
  readonly fault: FaultCode | null
  readonly detail: string
  /** Names of what it can call now, whatever is left of its money. */
  readonly models: readonly string[]
}

/** Whether a key could call now, as the gateway would judge it, without sending anything. */
async function judgeKey(of: KeyWithOwner, moment: Moment, budgets: BudgetStore): Promise<KeyVerdict> {
  const { catalogue, nowMs } = moment
  const fault = verdictOn(of, await readFunds(of, { catalogue, budgets }, nowMs), moment)
  const isStopped = stopOf(of, nowMs) !== null
  const models = isStopped ? [] : callableModels(of, moment).map(({ model }) => model.name)
  return { fault: fault?.code ?? null, detail: fault?.message ?? goodNews(of, models), models }
}

function goodNews({ key }: KeyWithOwner, models: readonly string[]): string {
  const count = models.length === 1 ? '1 model' : `${models.length} models`
  const where = key.allowedIps.length === 0 ? '' : ' from one of its allowed addresses'
  return `A request with this key${where} would be let through now, to ${count}.`
}
