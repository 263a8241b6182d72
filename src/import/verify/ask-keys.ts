import type { ImportPlan, PlannedKey } from '../import-plan.ts'
import { nearest, readRational, times, NANO } from '../rational.ts'
import { differingNames, shownNames, type PlanHere } from './compare.ts'
import { type AskSource, bearer, fieldIn, modelsIn, type SourceAnswer, whyNot, goodBody } from './source-word.ts'
import { BROUGHT_RANGE, isBroughtKeyHash } from '../../access/brought-key.ts'

const AT_A_TIME = 4
/** So many keys are asked for, one or two calls each: those of different kinds first. */
const KEYS_LIMIT = 2_000
/** A source that fails so often in a row is asked no more. */
const FAILURES_LIMIT = 8

/** What came of asking a source for the models of each key. */
export interface AskedKeys {
  /** What is different, with the keys of which it is true, by their names. */
  readonly differences: ReadonlyMap<string, readonly string[]>
  /** Why keys were not compared, with how many. */
  readonly missed: ReadonlyMap<string, number>
  /** Keys that should have been compared and were not. */
  readonly failed: number
  readonly compared: readonly PlannedKey[]
  /** Models that are there and here, with the groups in which keys call them here. */
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>
}

interface AskAbout {
  readonly ask: AskSource
  /** How a key is asked about that is known by its hash alone, with a key of the admin; null: it is not. */
  readonly keyInfo: KeyInfo | null
  readonly here: PlanHere
  readonly nowMs: number
  /** Whether there is no more time to ask. */
  readonly isOver: () => boolean
  readonly onKey: (done: number, all: number) => void
}

/** Asks with each key for the list of its models, and compares it with what the key may call here. Costs nothing there. */
export async function askKeys(plan: ImportPlan, about: AskAbout): Promise<AskedKeys> {
  const asked = new Asked(plan, about)
  await asked.all()
  return asked
}

class Asked implements AskedKeys {
  readonly differences = new Map<string, string[]>()
  readonly missed = new Map<string, number>()
  readonly compared: PlannedKey[] = []
  readonly pairs = new Map<string, Set<string>>()
  failed = 0
  readonly #about: AskAbout
  readonly #waiting: PlannedKey[]
  readonly #hasUsage: boolean
  #failuresInARow = 0
  #done = 0

  constructor(plan: ImportPlan, about: AskAbout) {
    this.#about = about
    this.#hasUsage = plan.product === 'sub2api'
    const payers = new Map(plan.accounts.map((account) => [account.id, account]))
    const askable = plan.keys.filter((key) => {
      const why = whyUnasked(key, payers.get(key.accountId), about)
      if (why !== null) this.#miss(why)
      return why === null
    })
    this.#waiting = ofEachKind(askable)
    const beyond = this.#waiting.splice(KEYS_LIMIT).length
    if (beyond > 0) this.missed.set(`beyond the ${KEYS_LIMIT} keys that are asked for`, beyond)
  }

  async all(): Promise<void> {
    const all = this.#waiting.length
    this.#about.onKey(0, all)
    const worker = async (): Promise<void> => {
      for (let key = this.#waiting.shift(); key !== undefined; key = this.#waiting.shift()) {
        if (this.#about.isOver() || this.#failuresInARow >= FAILURES_LIMIT) {
          this.failed += 1
          this.#miss(this.#about.isOver() ? 'not reached in time' : 'not asked any more, after so many failures')
          continue
        }
        await this.#one(key)
        this.#about.onKey(++this.#done, all)
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  }

  async #one(key: PlannedKey): Promise<void> {
    if (typeof key.secret !== 'string') {
      await this.#byHash(key, key.secret.hash)
      return
    }
    const headers = bearer(key.secret)
    const answer = await this.#about.ask('/v1/models', headers)
    const there = answer.kind === 'answered' && answer.status === 200 ? modelsIn(answer.body) : null
    if (there === null) {
      this.#refused(key, answer)
      return
    }
    this.#failuresInARow = 0
    this.compared.push(key)
    const here = this.#about.here.modelsOf(key)
    for (const sentence of differingNames(there, new Set(here.keys()))) this.#differs(sentence, key)
    for (const [name, group] of here) {
      if (there.has(name)) this.pairs.set(name, (this.pairs.get(name) ?? new Set<string>()).add(group))
    }
    if (this.#hasUsage) this.#compareUsage(key, await this.#about.ask('/v1/usage', headers))
  }

  async #byHash(key: PlannedKey, hash: string): Promise<void> {
    const { keyInfo, ask, here } = this.#about
    const question = keyInfo?.questionOf(hash)
    if (keyInfo === null || question === undefined) return
    const answer = await ask(question.path, question.headers)
    const found = keyInfo.differences(answer, new Set(here.modelsOf(key).keys()))
    if (found === null) {
      this.#failuresInARow += 1
      this.failed += 1
      this.#miss(whyNot(answer))
      return
    }
    this.#failuresInARow = 0
    this.compared.push(key)
    for (const sentence of found) this.#differs(sentence, key)
  }

  /** A key that is refused there and works here is a difference of rights; anything else is a list that could not be had. */
  #refused(key: PlannedKey, answer: SourceAnswer): void {
    if (answer.kind === 'answered' && (answer.status === 401 || answer.status === 403) && !isOfMoney(answer.body)) {
      this.#failuresInARow = 0
      this.compared.push(key)
      this.#differs(`refused there (${answer.status}), and works here`, key)
      return
    }
    this.#failuresInARow += 1
    this.failed += 1
    this.#miss(whyNot(answer))
  }

  /** What sub2api says of a key itself. */
  #compareUsage(key: PlannedKey, answer: SourceAnswer): void {
    if (answer.kind !== 'answered' || answer.status !== 200) return
    if (fieldIn(answer.body, 'isValid') === false) this.#differs('not valid there, and works here', key)
    const limit = fieldIn(fieldIn(answer.body, 'quota'), 'limit')
    if (typeof limit !== 'number' || !(limit > 0)) return
    const nano = readRational(String(limit))
    const there = nano === null ? null : nearest(times(nano, NANO))
    if (there !== key.quotaLimit) this.#differs(`a quota of $${limit} there, and another here`, key)
  }

  #differs(sentence: string, key: PlannedKey): void {
    this.differences.set(sentence, [...(this.differences.get(sentence) ?? []), shownKey(key)])
  }

  #miss(why: string): void {
    this.missed.set(why, (this.missed.get(why) ?? 0) + 1)
  }
}

/** null: it can be asked for. Those that are refused there for a reason that holds here as well are left out. */
function whyUnasked(
  key: PlannedKey,
  account: ImportPlan['accounts'][number] | undefined,
  { nowMs, keyInfo }: Pick<AskAbout, 'nowMs' | 'keyInfo'>,
): string | null {
  if (typeof key.secret !== 'string' && keyInfo === null)
    return 'whose secret is not known, since the source has a hash of it alone'
  if (typeof key.secret === 'string' && !/^[\x21-\x7e]+$/.test(key.secret)) return 'whose secret no header can have'
  if (!key.isActive || account?.isActive === false) return 'disabled'
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired'
  if (key.quotaLimit !== null && key.quotaUsed >= key.quotaLimit) return 'used up'
  return key.allowedIps.length > 0 ? 'limited to addresses, of which this machine need not be one' : null
}

/** One of each kind first, so that what is not reached is like something that was. */
function ofEachKind(keys: readonly PlannedKey[]): PlannedKey[] {
  const kinds = [...Map.groupBy(keys, kindOf).values()]
  return [...kinds.flatMap(([first]) => first ?? []), ...kinds.flatMap((kind) => kind.slice(1))]
}

function kindOf({ group, fallbackGroups, allowedModels }: PlannedKey): string {
  return JSON.stringify([group, fallbackGroups, allowedModels])
}

/** A refusal for want of money says nothing of what the key may call. */
function isOfMoney(body: unknown): boolean {
  return /insufficient|balance|quota|subscription|额度|余额/i.test(JSON.stringify(body ?? '').slice(0, 1_000))
}

/** The name of a key, and so much of its secret as tells it from others. */
function shownKey({ name, secret }: PlannedKey): string {
  if (typeof secret !== 'string') return `${JSON.stringify(name)} (…${secret.end})`
  const start = secret.slice(0, Math.min(7, Math.floor(secret.length / 4)))
  return `${JSON.stringify(name)} (${start}…)`
}

/** How a source is asked about a key of which the hash is known alone. */
interface KeyInfo {
  /** `hash`: as it is stored here; undefined: it is not one of its hashes. */
  questionOf(hash: string): { readonly path: string; readonly headers: Readonly<Record<string, string>> } | undefined
  /** What is different of it; null: the answer does not say. `here`: the models that it may call here. */
  differences(answer: SourceAnswer, here: ReadonlySet<string>): readonly string[] | null
}

const ALL = ['all-proxy-models', 'all-team-models']

/** LiteLLM takes the SHA-256 of a key in place of the key. `listed`: the models that it says it has. */
export function litellmKeyInfo(masterKey: string, listed: ReadonlySet<string>): KeyInfo {
  return {
    questionOf(hash) {
      if (!isBroughtKeyHash(hash)) return undefined
      return { path: `/key/info?key=${hash.slice(BROUGHT_RANGE.from.length)}`, headers: bearer(masterKey) }
    },
    differences(answer, here) {
      if (answer.kind === 'answered' && answer.status === 404) return ['not there any more, and works here']
      const info = fieldIn(goodBody(answer), 'info')
      const models = fieldIn(info, 'models')
      if (!Array.isArray(models)) return null
      const names = models.map(String)
      return [
        ...(fieldIn(info, 'blocked') === true ? ['blocked there, and works here'] : []),
        ...differingModels(names, { here, listed, hasTeam: fieldIn(info, 'team_id') != null }),
      ]
    },
  }
}

/** Names of sets of models and patterns are not written out there, and a team may allow less than its keys. */
function differingModels(
  names: readonly string[],
  about: { readonly here: ReadonlySet<string>; readonly listed: ReadonlySet<string>; readonly hasTeam: boolean },
): readonly string[] {
  const { here, listed, hasTeam } = about
  if (names.length === 0 || names.some((name) => ALL.includes(name) || name.includes('*'))) return []
  const lacking = hasTeam ? [] : names.filter((name) => listed.has(name) && !here.has(name))
  const added = names.every((name) => listed.has(name)) ? [...here].filter((name) => !names.includes(name)) : []
  return [
    ...(lacking.length === 0 ? [] : [`there and not here: ${shownNames(lacking.toSorted())}`]),
    ...(added.length === 0 ? [] : [`here and not there: ${shownNames(added.toSorted())}`]),
  ]
}
