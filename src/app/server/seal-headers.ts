import { isSealed, type Sealer } from '../../core/secret-box.ts'
import type { CatalogStore } from '../../routing/catalog.ts'

/** Seals the values of headers that a version before this one stored in clear. Nothing is left to do the next time. */
export async function sealHeaders(
  catalog: Pick<CatalogStore, 'upstreams' | 'putUpstream'>,
  { seal }: Pick<Sealer, 'seal'>,
): Promise<void> {
  for (const upstream of await catalog.upstreams()) {
    const values = Object.entries(upstream.headers)
    if (values.every(([, value]) => isSealed(value))) continue
    const headers = values.map(([name, value]) => [name, isSealed(value) ? value : seal(value)] as const)
    await catalog.putUpstream({ ...upstream, headers: Object.fromEntries(headers) })
  }
}
