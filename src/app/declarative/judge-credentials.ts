import { mustBe } from '../../core/must-be.ts'
import { objectionToCredential } from '../../routing/credential-settings.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import type { Installation } from './apply-step.ts'

/**
 * Throws ConfigurationError for the first credential that has expired before it was ever stored, or that is for a model
 * without a target at its upstream, in the file or stored.
 */
export async function judgeDeclaredCredentials(
  file: DeclarativeFile,
  { store, nowMs }: Pick<Installation, 'store' | 'nowMs'>,
): Promise<void> {
  const { upstreams, models } = file.declaration
  const [storedUpstreams, storedModels] = await Promise.all([store.catalog.upstreams(), store.catalog.models()])
  for (const [i, { name, credentials }] of upstreams.entries()) {
    const stored = storedUpstreams.find((upstream) => upstream.name === name)
    const modelsAtUpstream = new Set([
      ...models.flatMap(({ targets }) => targets.filter(({ upstream }) => upstream === name)).map(({ model }) => model),
      ...storedModels
        .flatMap(({ targets }) => targets.filter(({ upstreamId }) => upstreamId === stored?.id))
        .map(({ model }) => model),
    ])
    for (const [k, credential] of credentials.entries()) {
      const before = stored?.credentials.find((each) => each.name === credential.name)
      const objection = objectionToCredential(credential, { modelsAtUpstream, nowMs, before })
      if (objection === null) continue
      const { field, index, takes } = objection
      const path = ['upstreams', i, 'credentials', k, field, ...(index === null ? [] : [index])]
      throw file.refusal(path, mustBe(takes))
    }
  }
}
