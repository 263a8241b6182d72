import type { KindEvidence, ModelKind } from '../core/model-kind.ts'
import { wireFacts } from '../core/wire.ts'
import type { Model } from './catalog.ts'
import { kindByName } from './kind-by-name.ts'
import type { Serving } from './serving.ts'

export interface KnownKind {
  readonly kind: ModelKind
  /** The evidence by which the kind is known. */
  readonly from: KindEvidence
}

/**
 * What a model does: what its admin says, else what it may be called at, else what it is charged by, else what its name speaks
 * of, else conversation.
 */
export function kindOf({
  kind,
  name,
  prices,
  serving,
}: Pick<Model, 'kind' | 'name' | 'prices' | 'serving'>): KnownKind {
  if (kind !== undefined) return { kind, from: 'set' }
  const called = kindByEndpoints(serving)
  if (called !== null) return { kind: called, from: 'endpoints' }
  const named = kindByName(name)
  const priced = kindByUnit(prices, named)
  if (priced !== null) return { kind: priced, from: 'price' }
  return named === null ? { kind: 'chat', from: 'default' } : { kind: named, from: 'name' }
}

/** What all endpoints serve that are set; null: none are, or they serve several kinds. */
function kindByEndpoints(serving: Serving | undefined): ModelKind | null {
  const kinds = new Set(serving?.endpoints?.map((wire) => wireFacts(wire).serves))
  const [kind] = kinds
  return kinds.size === 1 ? (kind ?? null) : null
}

/** The unit that alone is charged tells the kind; null: there are tokens, or requests, which any kind may be charged by. */
function kindByUnit(prices: Model['prices'], named: ModelKind | null): ModelKind | null {
  if (prices === null || prices.output !== null) return null
  const { image, second, character } = prices.units ?? {}
  if (image != null) return 'image'
  if (second != null) return named === 'video' ? null : 'audio'
  return character != null ? 'audio' : null
}
