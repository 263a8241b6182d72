import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KeySetup, SetupListed } from '../../src/contract/setup.ts'
import { read } from './request.ts'

/**
 * How clients are set up with a key. The secret is neither sent nor answered: the page fills it in. `listed`: which models
 * files list; null: as many as suit.
 */
export const keySetupQuery = (id: string, listed: SetupListed | null = null) =>
  queryOptions({
    ...read<KeySetup>(
      ['keys', 'setup', id, listed],
      `/api/keys/${encodeURIComponent(id)}/setup`,
      listed === null ? {} : { listed },
    ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
