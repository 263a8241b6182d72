import type { KindEvidence, ModelKind } from '../core/model-kind.ts'
import type { Model } from './catalog.ts'
import { kindByName } from './kind-by-name.ts'

export interface KnownKind {
  readonly kind: ModelKind
  /** By what it is known. */
  readonly from: KindEvidence
}

/** What an admin says of a model, as it is stored; a kind of null is left to `kindOf`. */
export function standingOf(said: {
  readonly kind: ModelKind | null
  readonly isRecommended: boolean
}): Pick<Model, 'kind' | 'isRecommended'> {
  return {
    ...(said.kind === null ? {} : { kind: said.kind }),
    ...(said.isRecommended ? { isRecommended: true } : {}),
  }
}

/** What a model does: what its admin says, else what it is charged by, else what its name speaks of, else conversation. */
export function kindOf({ kind, name, prices }: Pick<Model, 'kind' | 'name' | 'prices'>): KnownKind {
  if (kind !== undefined) return { kind, from: 'set' }
  const named = kindByName(name)
  const priced = kindByUnit(prices, named)
  if (priced !== null) return { kind: priced, from: 'price' }
  return named === null ? { kind: 'chat', from: 'default' } : { kind: named, from: 'name' }
}

/** The unit that alone is charged tells the kind; null: there are tokens, or requests, which any kind may be charged by. */
function kindByUnit(prices: Model['prices'], named: ModelKind | null): ModelKind | null {
  if (prices === null || prices.output !== null) return null
  const { image, second, character } = prices.units ?? {}
  if (image != null) return 'image'
  if (second != null) return named === 'video' ? null : 'audio'
  return character != null ? 'audio' : null
}
