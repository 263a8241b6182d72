import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { addToGroup, serveModel, type ServedModel } from '../../../api/catalogue-changes.ts'
import { createUpstream, type NewUpstream, tryUpstream } from '../../../api/upstream-admin.ts'

export interface NewUpstreamSetup {
  readonly upstream: NewUpstream
  readonly models: readonly Pick<ServedModel, 'name' | 'price'>[]
  readonly groups: readonly GroupView[]
}

export interface SetUpStep {
  readonly what: 'upstream' | 'model' | 'group' | 'answer'
  readonly name: string
  /** null: it went well. */
  readonly error: unknown
}

export interface SetUpResult {
  readonly upstream: UpstreamView
  /** null: there was nothing to ask for. */
  readonly trial: UpstreamTrialView | null
}

/**
 * Creates an upstream with its models, puts them in groups, and ends with one real answer. Each step is reported; rejects
 * where the upstream itself cannot be created, and goes on after any other step.
 */
export async function setUpUpstream(
  setup: NewUpstreamSetup,
  at: { readonly known: readonly ModelView[]; readonly idempotencyKey: string },
  report: (step: SetUpStep) => void,
): Promise<SetUpResult> {
  const upstream = await createUpstream(setup.upstream, at.idempotencyKey)
  report({ what: 'upstream', name: upstream.name, error: null })
  const step = async (what: SetUpStep['what'], name: string, run: () => Promise<unknown>): Promise<boolean> => {
    const error: unknown = await run().then(
      () => null,
      (cause: unknown) => cause,
    )
    report({ what, name, error })
    return error === null
  }
  const served: string[] = []
  for (const { name, price } of setup.models) {
    if (await step('model', name, () => serveModel({ name, price, upstream: upstream.name }, at.known)))
      served.push(name)
  }
  for (const group of served.length === 0 ? [] : setup.groups) {
    await step('group', group.name, () => addToGroup(group, served))
  }
  const [first] = served
  let trial: UpstreamTrialView | null = null
  if (first !== undefined) {
    await step('answer', first, async () => {
      trial = await tryUpstream(upstream.id, { model: first })
    })
  }
  return { upstream, trial }
}
