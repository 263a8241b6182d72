import type { FirstSteps } from '../../src/contract/usage.ts'
import { read } from './request.ts'

const POLL_MS = 1_000
const POLL_AFTER_FAILURE_MS = 5_000

/**
 * The tries since a moment (RFC 3339), asked for every second. A timer and no event stream, as browsers give one origin
 * six connections for all tabs together; a hidden tab asks for nothing.
 */
export const firstStepsQuery = (since: string) =>
  read<FirstSteps>(['first-steps', since], '/api/usage/first-steps', {
    query: { since },
    refetchInterval: (query) => (query.state.status === 'error' ? POLL_AFTER_FAILURE_MS : POLL_MS),
    staleTime: 0,
    retry: false,
  })
