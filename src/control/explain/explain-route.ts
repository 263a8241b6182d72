import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { stopOf } from '../../access/key-stop.ts'
import type { RouteAnswer, RouteAsked } from '../../contract/route.ts'
import { countedLimitFacts } from '../../core/counted-limits.ts'
import { Fault } from '../../core/faults.ts'
import { formatMultiplier } from '../../core/money.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import type { RouteExplanation, RouteQuestion } from '../../entitlement/route-explanation.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import { existing, fieldProblem, notFound } from '../problem.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { readCatalogue } from '../catalogue.ts'
import { ownerOf } from '../keys/key-owner.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { learnedRefusalView, pricesView } from '../views/model-view.ts'
import { routeStepView, shownNames } from '../views/route-view.ts'
import { type Actor, isStaff, owned, ownAccount, requireRight } from '../who/actor.ts'

/** What the answer is made from: a running gateway's, or what the database alone can say. */
export interface RouteAnswerParts extends Pick<ControlParts, 'explainRoute' | 'limitStates'> {
  readonly store: Pick<ControlStores, 'accounts' | 'subscriptions' | 'keys' | 'groups' | 'catalog' | 'budgets'>
}

/** Where a request with a key would go, and what stands in its way, without sending it. Throws Problem. */
export async function answerRoute(
  asked: RouteAsked,
  { actor, nowMs }: { readonly actor: Actor; readonly nowMs: number },
  parts: RouteAnswerParts,
): Promise<RouteAnswer> {
  const key = await keyMeant(actor, asked, parts.store)
  const { account, ...owner } = await ownerOf(key, nowMs, parts)
  if (account === null) throw notFound('API key')
  const of = { ...owner, account }
  const { model: modelName, protocol: wire } = asked
  const ofAccount = await readLimits(account, parts.store, nowMs)
  const { fault, explained } = await judgedRoute({ of, modelName, wire, nowMs }, parts)
  const [ofKey, ofOwner] = await Promise.all([
    parts.limitStates({ id: of.key.id, rateLimit: of.key.rateLimit }),
    parts.limitStates({ id: account.id, rateLimit: ofAccount }),
  ])
  return {
    account_id: of.account.id,
    key_id: of.key.id,
    key_name: of.key.name,
    model: modelName,
    protocol: wire,
    fault: fault?.code ?? null,
    detail: fault?.message ?? null,
    group: explained?.group.name ?? null,
    multiplier: explained === null ? null : formatMultiplier(explained.group.multiplier),
    price: explained === null ? null : pricesView(explained.prices, explained.group.multiplier),
    limits: [...limitsView('key', ofKey, nowMs), ...limitsView('account', ofOwner, nowMs)],
    hedge_after_ms: explained?.hedgeAfterMs ?? null,
    candidates: explained === null ? [] : candidatesView(explained, isStaff(actor)),
  }
}

function limitsView(
  of: RouteAnswer['limits'][number]['of'],
  states: readonly LimitState[],
  nowMs: number,
): RouteAnswer['limits'] {
  return states.map(({ limit, max, used, resetMs }) => {
    const { field: type, window } = countedLimitFacts(limit)
    const resets = used > 0 && window !== null && Number.isFinite(resetMs)
    return {
      of,
      type,
      limit: max,
      used: Math.ceil(used),
      resets_at: resets ? timeOnWire(Math.ceil(nowMs + resetMs)) : null,
    }
  })
}

/** Where such a request would go, and the first Fault that it would meet now: the key's own, the route's, its money's, or that of targets none of which may be asked. */
export async function judgedRoute(
  question: RouteQuestion,
  parts: RouteAnswerParts,
): Promise<{ readonly fault: Fault | null; readonly explained: RouteExplanation | null }> {
  const { of, nowMs } = question
  const catalogue = await readCatalogue(parts.store)
  const funds = await readFunds(of, { catalogue, budgets: parts.store.budgets }, nowMs)
  const route = routeOrFault(question, parts)
  const [refused, explained] = route instanceof Fault ? [route, null] : [null, route]
  const stops = [stopOf(of, nowMs), refused, verdictOn(of, funds, { catalogue, nowMs }), explained?.fault ?? null]
  return { fault: stops.find((each) => each !== null) ?? null, explained }
}

function routeOrFault(question: RouteQuestion, parts: RouteAnswerParts): RouteExplanation | Fault {
  try {
    return parts.explainRoute(question)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function candidatesView({ candidates }: RouteExplanation, showsAll: boolean): RouteAnswer['candidates'] {
  const shownName = shownNames(showsAll)
  return candidates.map((candidate) => ({
    ...routeStepView(candidate, shownName),
    ...(candidate.waitMs !== null && candidate.attempt === 1 ? WOULD_BE_TAKEN : {}),
    model: showsAll ? candidate.model : null,
    priority: candidate.priority,
    weight: candidate.weight,
    group: candidate.group?.name ?? null,
    multiplier: candidate.group === null ? null : formatMultiplier(candidate.group.multiplier),
    attempt: candidate.attempt,
    wait_ms: candidate.waitMs,
    why: showsAll ? candidate.why : null,
    hedge: candidate.isHedge,
    learned: showsAll ? candidate.learned.map(learnedRefusalView) : [],
  }))
}

/** What its reason says of it is why it is waited for. */
const WOULD_BE_TAKEN = { decision: 'taken' } as const

const KEYS_LOOKED_AT = 1_000

/** The key that is asked for: by its id, by its name in the account, or the only one that the account has. Throws Problem. */
async function keyMeant(
  actor: Actor,
  { account, key }: Pick<RouteAsked, 'account' | 'key'>,
  store: Pick<ControlStores, 'accounts' | 'keys'>,
): Promise<ApiKey> {
  const byId = key === undefined ? null : await store.keys.findById(key)
  const owner = account === undefined ? null : await accountNamed(actor, account, store)
  if (byId !== null && byId.status !== 'deleted' && (owner === null || byId.accountId === owner.id)) {
    return owned({ actor, reach: 'read' }, byId, 'API key')
  }
  if (key !== undefined && owner === null && actor.kind === 'admin_token') {
    throw fieldProblem('key', 'There is no API key with this id. To give its name instead, give its account as well.')
  }
  const accountId = owner?.id ?? ownAccount(actor).id
  const keys = await store.keys.list({ accountId, limit: KEYS_LOOKED_AT })
  const meant = key === undefined ? keys : keys.filter(({ name }) => name === key)
  const [only] = meant
  if (only !== undefined && meant.length === 1) return only
  if (key !== undefined && only === undefined) throw notFound('API key')
  throw fieldProblem(
    'key',
    meant.length === 0
      ? 'This account has no API key. A route is that of a key: create one first.'
      : `${meant.length} API keys of this account are meant. Give the id of one as key.`,
  )
}

async function accountNamed(
  actor: Actor,
  idOrEmail: string,
  { accounts }: Pick<ControlStores, 'accounts'>,
): Promise<Account> {
  const own = actor.kind === 'admin_token' ? null : actor.account
  if (own !== null && (own.id === idOrEmail || own.email.toLowerCase() === idOrEmail.toLowerCase())) return own
  const detail = 'Your role may not name another account. Leave account out for your own.'
  requireRight(actor, 'staff', { detail, field: 'account' })
  const found = existing((await accounts.findById(idOrEmail)) ?? (await accounts.findByEmail(idOrEmail)), 'account')
  return found
}
