import type { GroupView } from '../../src/contract/groups.ts'
import type { ModelView } from '../../src/contract/models.ts'
import type { ShippedPrice } from '../../src/contract/price-catalogue.ts'
import { apiPath, patch, post, remove } from './request.ts'

/** A model that is to be served from an upstream. */
export interface ServedModel {
  /** The model's name, at the upstream and here. */
  readonly name: string
  readonly upstream: string
  /** USD per million tokens; null: it has none yet. */
  readonly price: { readonly input: string; readonly output: string } | ShippedPrice['price'] | null
}

/** Settings of a model; what is absent stays. */
export type ModelChange = Partial<
  Pick<
    ModelView,
    | 'recommended'
    | 'price_locked'
    | 'context_tokens'
    | 'max_output_tokens'
    | 'hedge_after_ms'
    | 'first_event_timeout_ms'
    | 'idle_timeout_ms'
    | 'timeout_ms'
    | 'rules'
  >
> & {
  /** What is planned of its price is not done. */
  readonly scheduled?: null
  /** null: it is worked out. */
  readonly kind?: ModelView['kind'] | null
  readonly price?: ServedModel['price']
  /** Take the place of all that it has. */
  readonly targets?: readonly object[]
}

export const changeModel = (id: string, body: ModelChange, version?: string) =>
  patch<ModelView>(apiPath`/api/models/${id}`, body, version)

export const createModel = (
  body: {
    readonly name: string
    readonly price: ServedModel['price']
    readonly targets: readonly { readonly upstream: string; readonly model: string }[]
  },
  idempotencyKey: string,
) => post<ModelView>('/api/models', body, idempotencyKey)

export const deleteModel = (id: string) => remove(apiPath`/api/models/${id}`)

/** Adds the model, or a target to the one that is there; the price of one that is there stays. */
export function serveModel(served: ServedModel, known: readonly ModelView[]): Promise<ModelView> {
  const target = { upstream: served.upstream, model: served.name }
  const found = known.find(({ name }) => name === served.name)
  if (found === undefined) {
    const body = { name: served.name, price: served.price, targets: [target] }
    return post('/api/models', body)
  }
  const targets = [...(found.targets ?? []), target]
  const price = found.price === null && served.price !== null ? { price: served.price } : {}
  return patch(apiPath`/api/models/${found.id}`, { targets, ...price }, found.version)
}

/** Puts models on a group's list, unless it has all. */
export async function addToGroup({ id, models, version }: GroupView, names: readonly string[]): Promise<void> {
  if (models.includes('*')) return
  const body = { models: [...new Set([...models, ...names])] }
  await patch(apiPath`/api/groups/${id}`, body, version)
}
