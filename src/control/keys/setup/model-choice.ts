import type { ModelSlot, SetupProtocol } from '../../../contract/setup.ts'
import type { SetupModel } from './client-description.ts'
import { familyPlace, type ModelVariant, newerFirst, variantOf } from './model-variant.ts'

/**
 * The chat models that can be called over the protocol, the one to suggest first. That is never one that failed of late or
 * has no price for what it writes, while there is another; then what an admin recommends; and else never the dearest tier.
 * What is left is judged by how well it fits the client, whether it answered here, and its name: the plain one of its line
 * before small ones and those for a purpose, the newer before the older.
 */
export function modelsFor(protocol: SetupProtocol, models: readonly SetupModel[]): SetupModel[] {
  const speaking = models.filter(({ wires, kind }) => kind === 'chat' && wires.includes(protocol))
  const candidates = speaking.map((model): ModelCandidate => ({ model, variant: variantOf(model.name) }))
  const dear = dearestPrice(candidates)
  const places = new Map(candidates.map((each) => [each, placesOf(each, protocol, dear)]))
  return candidates
    .toSorted((a, b) => compared(places.get(a), places.get(b)) || newerFirst(a.variant, b.variant) || byName(a, b))
    .map(({ model }) => model)
}

/** Claude Code asks for models by their size. `models`: the suggested one first, never empty. */
export function claudeSlots(models: readonly SetupModel[]): ModelSlot[] {
  const well = models.filter(({ answers }) => answers !== false)
  const known = (well.length === 0 ? models : well).map((model): ModelCandidate => ({
    model,
    variant: variantOf(model.name),
  }))
  const newest = (pattern: RegExp): string | undefined =>
    known
      .filter(({ model }) => pattern.test(model.name))
      .toSorted((a, b) => newerFirst(a.variant, b.variant) || byName(a, b))[0]?.model.name
  const model = models[0]?.name ?? ''
  const small = known.find(({ variant }) => variant.tier === 'small')?.model.name
  return [
    { placeholder: 'model', suggested: model },
    { placeholder: 'haiku_model', suggested: newest(/haiku/i) ?? small ?? model },
    { placeholder: 'sonnet_model', suggested: newest(/sonnet/i) ?? model },
    { placeholder: 'opus_model', suggested: newest(/opus/i) ?? model },
  ]
}

interface ModelCandidate {
  readonly model: SetupModel
  readonly variant: ModelVariant
}

/** What a client of the protocol is usually used with; undefined: whatever there is. */
const FITTING: Record<SetupProtocol, string | undefined> = {
  'openai-chat': undefined,
  'openai-responses': 'gpt',
  'anthropic-messages': 'claude',
  gemini: 'gemini',
}

const TIERS: Record<ModelVariant['tier'], number> = { plain: 0, dated: 1, special: 2, small: 3, dearest: 4 }

/** The lower the number, the sooner it is suggested; the earlier ones weigh more. */
function placesOf({ model, variant }: ModelCandidate, protocol: SetupProtocol, dear: bigint | null): readonly number[] {
  const fitting = FITTING[protocol]
  const isDear = variant.tier === 'dearest' || (dear !== null && model.price !== null && model.price > dear)
  return [
    later(model.answers === false),
    later(model.price === null),
    later(!model.isRecommended),
    later(isDear),
    later(fitting !== undefined && variant.family !== fitting),
    later(model.answers !== true),
    TIERS[variant.tier],
    familyPlace(variant.family),
  ]
}

const later = (isSo: boolean): number => (isSo ? 1 : 0)

/** So many times what a usual model costs, and it is of the dearest tier. */
const DEAR_FACTOR = 3n

/** What is dearer than this is of the dearest tier; null: too few have a price to say. In nano-USD, weighed. */
function dearestPrice(candidates: readonly ModelCandidate[]): bigint | null {
  const usual = candidates.filter(({ variant }) => TIERS[variant.tier] <= TIERS.special)
  const prices = usual
    .flatMap(({ model: { price } }) => (price === null || price === 0n ? [] : [price]))
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const median = prices[(prices.length - 1) >> 1]
  return median === undefined ? null : DEAR_FACTOR * median
}

function compared(a: readonly number[] = [], b: readonly number[] = []): number {
  for (const [i, place] of a.entries()) {
    const order = place - (b[i] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

/** The shorter name is the one that the others are forms of. */
function byName(a: ModelCandidate, b: ModelCandidate): number {
  return a.model.name.length - b.model.name.length || NATURAL.compare(b.model.name, a.model.name)
}

const NATURAL = new Intl.Collator('en', { numeric: true })
