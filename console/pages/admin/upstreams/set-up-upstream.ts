import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { addToGroup, type ServedModel, serveModel } from '../../../api/catalogue-changes.ts'
import { createUpstream, type NewUpstream, tryUpstream } from '../../../api/upstream-admin.ts'

/** What an admin chose of a new upstream. */
export interface UpstreamSetup {
  readonly upstream: NewUpstream
  readonly models: readonly Pick<ServedModel, 'name' | 'price'>[]
  readonly groups: readonly GroupView[]
}

/** A model that could not be added, or a group that could not be changed. */
export interface FailedStep {
  readonly name: string
  readonly error: unknown
}

export interface UpstreamMade {
  readonly upstream: UpstreamView
  /** The names of the models that are served from it now. */
  readonly served: readonly string[]
  readonly failed: readonly FailedStep[]
  /** null: there was nothing to ask for, or nothing could be sent. */
  readonly trial: UpstreamTrialView | null
}

/**
 * Creates an upstream with its models, puts them in groups, and ends with one real request. Rejects where the upstream itself
 * cannot be created; what fails afterwards is returned. `report` is called with the number of models that were sent.
 */
export async function setUpUpstream(
  setup: UpstreamSetup,
  at: { readonly known: readonly ModelView[]; readonly idempotencyKey: string },
  report: (models: number) => void,
): Promise<UpstreamMade> {
  const upstream = await createUpstream(setup.upstream, at.idempotencyKey)
  const served: string[] = []
  const failed: FailedStep[] = []
  const step = async (name: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run()
      return true
    } catch (error) {
      failed.push({ name, error })
      return false
    }
  }
  for (const [index, { name, price }] of setup.models.entries()) {
    const isServed = await step(name, () => serveModel({ name, price, upstream: upstream.name }, at.known))
    if (isServed) served.push(name)
    report(index + 1)
  }
  for (const group of served.length === 0 ? [] : setup.groups) {
    await step(group.name, () => addToGroup(group, served))
  }
  const priced = setup.models.find(({ name, price }) => price !== null && served.includes(name))
  const model = priced?.name ?? served[0]
  let trial: UpstreamTrialView | null = null
  if (model !== undefined) {
    await step(model, async () => {
      trial = await tryUpstream(upstream.id, { model })
    })
  }
  return { upstream, served, failed, trial }
}
