import { queryOptions } from '@tanstack/react-query'
import type { KeySetup } from '../../src/contract/setup.ts'
import { request } from './request.ts'

/** How clients are set up with a key. The secret is neither sent nor answered: the page fills it in. */
export const keySetupQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'setup', id],
    queryFn: ({ signal }) => request<KeySetup>(`/api/keys/${encodeURIComponent(id)}/setup`, { signal }),
    staleTime: 60_000,
  })
