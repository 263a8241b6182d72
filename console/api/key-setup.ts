import type { KeySetup, SetupListed } from '../../src/contract/setup.ts'
import { apiPath, readKept } from './request.ts'

/**
 * How clients are set up with a key. The secret is neither sent nor answered: the page fills it in. `listed`: which models
 * files list; null: as many as suit.
 */
export const keySetupQuery = (id: string, listed: SetupListed | null = null) =>
  readKept<KeySetup>(['keys', 'setup', id, listed], apiPath`/api/keys/${id}/setup`, {
    query: { listed },
    staleTime: 60_000,
  })
