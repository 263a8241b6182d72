import type { UpstreamView } from '../../src/contract/upstreams.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { useQuery } from '@tanstack/react-query'
import { read } from './request.ts'
import { useMay } from './use-may.ts'

/** A few upstreams, for whether there is one that requests can be sent to. */
const fewUpstreamsQuery = read<Page<UpstreamView>>(['upstreams', 'few'], '/api/upstreams', {
  query: { limit: 5 },
  staleTime: 60_000,
})

/**
 * Whether the reader may connect a provider and none is connected: no upstream has a credential, or serves models without
 * one. The demo's is none. False while it is not known.
 */
export function useNeedsProvider(): boolean {
  const upstreams = useQuery({ ...fewUpstreamsQuery, enabled: useMay('catalogue') }).data
  if (upstreams === undefined || upstreams.next_cursor !== null) return false
  return !upstreams.data.some(
    ({ protocol, has_credential: hasCredential, models }) =>
      protocol !== 'demo' && (hasCredential || models.length > 0),
  )
}
