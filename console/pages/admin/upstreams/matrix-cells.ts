import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import type { Cell } from './matrix-run.ts'

/** The chosen models with the chosen credentials; one that is for some models alone is tested with these. */
export function matrixCells(
  { name: upstream, models, credentials: pool }: Pick<UpstreamView, 'name' | 'models' | 'credentials'>,
  chosen: {
    readonly models: readonly string[]
    readonly credentials: readonly string[]
    readonly known: readonly ModelView[]
  },
): readonly Cell[] {
  const wanted = models.filter((model) => chosen.models.includes(model))
  if (pool.length === 0) return wanted.map((model) => ({ model, credential: null }))
  const usable = pool.filter(({ name }) => chosen.credentials.includes(name))
  return wanted.flatMap((model) => {
    const there = (chosen.known.find(({ name }) => name === model)?.targets ?? [])
      .filter((target) => target.upstream === upstream)
      .map((target) => target.model)
    return usable
      .filter((credential) => credential.models === null || there.some((name) => credential.models?.includes(name)))
      .map(({ name }) => ({ model, credential: name }))
  })
}
