import type { Page } from '../../src/contract/wire-values.ts'
import { read } from './request.ts'

/** Two upstreams at most, for admins: whether there is another than the demo's. */
export const fewUpstreamsQuery = read<Page<{ readonly id: string }>>(['upstreams', 'few'], '/api/upstreams', {
  query: { limit: 2 },
  staleTime: 60_000,
})
