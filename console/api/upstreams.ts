import { queryOptions } from '@tanstack/react-query'
import type { Page } from '../../src/contract/wire-values.ts'
import { read } from './request.ts'

/** Two upstreams at most, for admins: whether there is another than the demo's. */
export const fewUpstreamsQuery = queryOptions({
  ...read<Page<{ readonly id: string }>>(['upstreams', 'few'], '/api/upstreams', { limit: 2 }),
  staleTime: 60_000,
})
