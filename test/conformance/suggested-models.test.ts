import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SetupModel } from '../../src/control/keys/setup/client-description.ts'
import { modelsFor } from '../../src/control/keys/setup/model-choice.ts'
import { variantOf } from '../../src/control/keys/setup/model-variant.ts'
import { nanoUsd, type NanoUsd, parseUsd } from '../../src/core/money.ts'
import { MODEL_KINDS, type ModelKind } from '../../src/core/model-kind.ts'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import { kindOf } from '../../src/routing/model-kind.ts'
import { setupModel } from '../support/setup-model.ts'

// What is suggested of the real lists of models of providers, each as if a key could call all of it over every protocol. The
// source of each list stands at its head; the kinds in it are the source's.

interface Listed {
  readonly name: string
  readonly kind: ModelKind
  readonly input: NanoUsd | null
  readonly output: NanoUsd | null
}

const FOLDER = new URL('../fixtures/model-lists/', import.meta.url)
const LISTS = readdirSync(FOLDER).map((file) => ({ provider: file.replace('.txt', ''), listed: read(file) }))

/** Chat models by their source that do something else: they judge, hear, read documents, draw, or are embedding models. */
const NO_CHAT = /guard|audio|lyria|tts|ocr|flux|-image|embed|-fim-|turbo-instruct$|experimental$/i

/** Names that do not say what the source does: a film maker, a listener that also converses, and a chat model that it takes for another. */
const UNTOLD: ReadonlySet<string> = new Set([
  'MiniMax-H3',
  'MiniMax-H3-Max',
  'voxtral-mini-2602',
  'voxtral-mini-latest',
  'gemini-flash-experimental',
])

test('there are lists of more than sixty providers, with models of every kind that people meet', () => {
  expect(LISTS.length).toBeGreaterThan(60)
  const kinds = new Set(LISTS.flatMap(({ listed }) => listed.map(({ kind }) => kind)))
  expect([...kinds].toSorted()).toEqual(MODEL_KINDS.toSorted())
})

describe.each(LISTS)('of the list of $provider', ({ listed }) => {
  const models = listed.map(asCallable)
  const byName = new Map(listed.map((each) => [each.name, each]))

  test('nothing that answers no conversation is offered for one, and every model that does is', () => {
    const offered = new Set(offers(models).flatMap((offer) => offer.models))
    const wrong = [...offered].filter((name) => !CONVERSING.has(byName.get(name)?.kind ?? 'other') && !UNTOLD.has(name))
    expect(wrong).toEqual([])
    const missing = listed.filter(({ name, kind }) => kind === 'chat' && !offered.has(name) && !NO_CHAT.test(name))
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test('no client is given a model of the dearest tier, or one without a price, while there is another', () => {
    const chats = models.filter(({ kind }) => kind === 'chat')
    const priced = chats.flatMap(({ price }) => (price === null || price === 0n ? [] : [price]))
    const usualOnes = chats.filter(({ name }) => USUAL_TIERS.has(variantOf(name).tier))
    const sorted = usualOnes
      .flatMap(({ price }) => (price === null || price === 0n ? [] : [price]))
      .toSorted((a, b) => Number(a - b))
    const usual = sorted[(sorted.length - 1) >> 1] ?? null
    const hasUsual = chats.some(({ name, price }) => price !== null && !isDearByName(name))
    for (const { suggested } of offers(models)) {
      const model = models.find(({ name }) => name === suggested)
      expect(model?.price === null).toBe(priced.length === 0 && !chats.some(({ price }) => price !== null))
      if (hasUsual) expect(isDearByName(suggested)).toBe(false)
      if (usual !== null) expect(model?.price ?? 0n).toBeLessThanOrEqual(usual * DEAREST_SUGGESTED)
    }
  })

  test('one that fails is suggested to no client while another does not, and a recommended one to all', () => {
    const [first] = offers(models)
    const rest = models.filter(({ kind, name }) => kind === 'chat' && name !== first?.suggested)
    if (first === undefined || rest.length === 0) return
    const failing = models.map((each) => (each.name === first.suggested ? { ...each, answers: false } : each))
    for (const { suggested } of offers(failing)) expect(suggested).not.toBe(first.suggested)
    const liked = rest.find(({ price }) => price !== null)?.name
    if (liked === undefined) return
    const marked = models.map((each) => (each.name === liked ? { ...each, isRecommended: true } : each))
    expect(new Set(offers(marked).map(({ suggested }) => suggested))).toEqual(new Set([liked]))
  })
})

/** Base models complete texts, and some sources list them as such that others list as chat models. */
const CONVERSING: ReadonlySet<ModelKind> = new Set(['chat', 'completion'])

/** What costs more than so many times the usual is of the dearest tier, whatever it is called. */
const DEAREST_SUGGESTED = 3n
const USUAL_TIERS: ReadonlySet<string> = new Set(['plain', 'dated', 'special'])

function isDearByName(name: string): boolean {
  return variantOf(name).tier === 'dearest'
}

/** What clients are offered over each protocol, and what is suggested of it. */
function offers(models: readonly SetupModel[]) {
  return CHAT_WIRES.flatMap((protocol) => {
    const names = modelsFor(protocol, models).map(({ name }) => name)
    const [suggested] = names
    return suggested === undefined ? [] : [{ models: names, suggested }]
  })
}

function asCallable({ name, input, output }: Listed): SetupModel {
  const hasPrice = input !== null || output !== null
  const prices = hasPrice ? { ...NONE, input: input ?? nanoUsd(0n), output: output ?? nanoUsd(0n) } : null
  const isWritten = output !== null && (output > 0n || (input ?? 0n) === 0n)
  const price = isWritten ? nanoUsd(3n * (input ?? 0n) + output) : null
  return setupModel({ name, wires: CHAT_WIRES, kind: kindOf({ name, prices }).kind, price })
}

const NONE = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null, units: null }

function read(file: string): readonly Listed[] {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', kind = 'other', input = '-', output = '-'] = line.split(' ')
      const usd = (text: string) => (text === '-' ? null : parseUsd(text))
      return { name, kind: kind as ModelKind, input: usd(input), output: usd(output) }
    })
}
