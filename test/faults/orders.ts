import type { Chance } from './chance.ts'
import { type Form, FORMS, MENU, type MenuModel, type MenuWire } from './menu.ts'

/** One request of the load, before it is sent. */
export interface Order {
  /** A name of its own, sent as the client program's: by it the usage record is found, whatever the client got to see. */
  readonly tag: string
  readonly form: Form
  readonly model: MenuModel
  readonly key: LoadKey
  readonly body: Buffer
  /** null: the client stays to the end. */
  readonly hangUp: HangUp | null
  /** The client takes its time with every few bytes. */
  readonly readsSlowly?: boolean
}

/** When a client breaks its connection off. */
export type HangUp =
  | { readonly kind: 'while_sending' }
  | { readonly kind: 'after_sending'; readonly delayMs: number }
  | { readonly kind: 'after_bytes'; readonly bytes: number }

/** A key of the load. Money in nano-USD, the multiplier in parts per million. */
export interface LoadKey {
  readonly id: string
  readonly accountId: string
  readonly secret: string
  readonly quota: bigint | null
  /** The name of its first group. */
  readonly group: string
  readonly multiplier: bigint
  /** Requests without an output limit hold a lot: only where there is a lot. */
  readonly isRich: boolean
  /** Limits beside the quota; none unless given. */
  readonly limits?: LoadLimits
  /** The group that the subscription of its account covers. */
  readonly coveredIn?: string
  /** Serves the models that its first group does not have, and those of which no target there answers. */
  readonly fallback?: LoadFallback
}

export interface LoadFallback {
  readonly group: string
  readonly multiplier: bigint
  /** The first group has only these models, and its targets do not fail; null: it has all, and they do. */
  readonly except: ReadonlySet<string> | null
}

/** The limits of a key that count, and those of its account's subscription. Money in nano-USD. */
export interface LoadLimits {
  readonly concurrency?: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  readonly spend?: readonly { readonly window: '5h' | '1d' | '7d'; readonly usd: bigint }[]
  readonly subscription?: readonly { readonly window: '5h' | '1d' | '7d'; readonly usd: bigint }[]
}

export interface OrderOptions {
  readonly count: number
  /** Begins every tag, so that no two lists of orders have one in common. */
  readonly label: string
  readonly keys: readonly LoadKey[]
  readonly hangUpPercent: number
}

/** Mixed orders in random order: every form of every model equally often, so that none is missing by chance. */
export function mixedOrders(chance: Chance, options: OrderOptions): Order[] {
  const { count, label, keys, hangUpPercent } = options
  const choices = Array.from({ length: count }, (_, index) => ({
    form: pickInTurn(FORMS, index),
    model: pickInTurn(MENU, Math.floor(index / FORMS.length)),
  }))
  return chance.shuffled(choices).map(({ form, model: picked }, index) => {
    const key = chance.pick(keys)
    const model = picked.isForRich && !key.isRich ? pickInTurn(MENU, 0) : picked
    const question = prose(chance, chance.between(20, 110))
    const body = bodyOf(form, { model, question, outputLimit: outputLimitOf(chance, { model, key, question }), chance })
    const hangUp = chance.isHit(hangUpPercent) ? hangUpOf(chance, model) : null
    return { tag: `${label}-${index}`, form, model, key, body, hangUp, readsSlowly: chance.isHit(SLOW_PERCENT) }
  })
}

/** Mixed orders without an end, as long as more are asked for. */
export function* endlessOrders(chance: Chance, options: Omit<OrderOptions, 'count'>): Generator<Order, void> {
  for (let part = 0; part < PARTS_LIMIT; part++) {
    const count = FORMS.length * MENU.length
    yield* mixedOrders(chance, { ...options, count, label: `${options.label}-${part}` })
  }
}

const SLOW_PERCENT = 10
const PARTS_LIMIT = 1_000

interface Asking {
  readonly model: MenuModel
  readonly question: string
  /** null: the request says none. */
  readonly outputLimit: number | null
  readonly chance: Chance
}

/** The JSON of a request on its wire. */
function bodyOf({ wire, isStream }: Form, { model, question, outputLimit, chance }: Asking): Buffer {
  const messages = [{ role: 'user', content: question }]
  const limit = (name: string) => (outputLimit === null ? {} : { [name]: outputLimit })
  const fields = { model: model.name, ...(isStream || chance.isHit(50) ? { stream: isStream } : {}) }
  const bodies: Record<MenuWire, () => object> = {
    'openai-chat': () => ({
      ...fields,
      messages: [{ role: 'system', content: 'Answer in few words.' }, ...messages],
      ...limit(chance.pick(['max_tokens', 'max_completion_tokens'])),
      ...(isStream ? chance.pick([{}, { stream_options: { include_usage: true } }, { stream_options: {} }]) : {}),
    }),
    'openai-responses': () => ({ ...fields, input: question, ...limit('max_output_tokens') }),
    'anthropic-messages': () => ({ ...fields, messages, max_tokens: outputLimit ?? 8_192 }),
    'openai-embeddings': () => ({ model: model.name, input: chance.isHit(50) ? question : [question, 'more'] }),
  }
  return Buffer.from(JSON.stringify(bodies[wire]()))
}

/** More than the answer can have by any count, so that what is held for the request covers its cost. */
function outputLimitOf(chance: Chance, about: { model: MenuModel; key: LoadKey; question: string }): number | null {
  if (about.key.isRich && chance.isHit(20)) return null
  const bytes = about.model.answerBytes ?? Buffer.byteLength(about.question)
  return Math.ceil(bytes / 2) + chance.between(40, 240)
}

function hangUpOf(chance: Chance, model: MenuModel): HangUp {
  const kind = chance.pick(['while_sending', 'after_sending', 'after_sending', 'after_bytes', 'after_bytes'] as const)
  if (kind === 'while_sending') return { kind }
  if (kind === 'after_sending') return { kind, delayMs: chance.between(0, 12) }
  return { kind, bytes: chance.between(1, model.isSlow ? 300 : 3_000) }
}

const WORDS = `gate road river bridge toll coin purse ledger clerk lantern cart mill winter harvest letter seal market
  weather stone tower garden bread salt copper silver mountain shepherd ferry harbour sail anchor captain wind storm
  Zürich café naïve 你好 quickly slowly under over beside between because although whenever nothing everything`.split(
  /\s+/,
)

function prose(chance: Chance, words: number): string {
  return Array.from({ length: words }, () => chance.pick(WORDS)).join(' ')
}

function pickInTurn<T>(list: readonly T[], index: number): T {
  const picked = list[index % list.length]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
