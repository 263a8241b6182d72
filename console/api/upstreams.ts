import type { UpstreamView } from '../../src/contract/upstreams.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { useQuery } from '@tanstack/react-query'
import { instanceQuery } from './instance.ts'
import { read } from './request.ts'
import { useMay } from './use-may.ts'

/** A few upstreams, for whether there is one that requests can be sent to. */
const fewUpstreamsQuery = read<Page<UpstreamView>>(['upstreams', 'few'], '/api/upstreams', {
  query: { limit: 5 },
  staleTime: 60_000,
})

/**
 * Whether the reader may connect a provider and none is connected: no upstream has a credential, or serves models without
 * one. The demo's serves its models so, and does not count. False while it is not known.
 */
export function useNeedsProvider(): boolean {
  const mayConnect = useMay('catalogue')
  const upstreams = useQuery({ ...fewUpstreamsQuery, enabled: mayConnect }).data
  const isDemo = useQuery({ ...instanceQuery, enabled: mayConnect }).data?.demo
  if (upstreams === undefined || isDemo === undefined || upstreams.next_cursor !== null) return false
  const open = upstreams.data.filter(({ models }) => models.length > 0)
  return !upstreams.data.some(({ has_credential: has }) => has) && open.length <= (isDemo ? 1 : 0)
}
