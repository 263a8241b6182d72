import type { FirstSteps, UsageRecordView } from '../../src/contract/usage.ts'
import { mockRecords } from './mock-records.ts'
import { answer, problem, type MockRoutes } from './mock-route.ts'

const REFUSED_AFTER_MS = 4_000
const DONE_AFTER_MS = 9_000

/** A first try that is refused, and then one that works, each some seconds after the moment that is asked about. */
export const mockFirstSteps: MockRoutes = {
  'GET /api/usage/first-steps': ({ query, state }) => {
    const sinceMs = Date.parse(query.get('since') ?? '')
    const awayMs = Date.now() - sinceMs
    const tries: FirstSteps['data'] = []
    if (state.isEmpty && awayMs > REFUSED_AFTER_MS) tries.unshift(refused(sinceMs + REFUSED_AFTER_MS))
    if (state.isEmpty && awayMs > DONE_AFTER_MS) tries.unshift(completed(sinceMs + DONE_AFTER_MS))
    return answer<FirstSteps>({ data: tries })
  },
  'GET /api/usage/req_1002': () => {
    const [record] = mockRecords(Date.now())
    return record === undefined ? problem(404, 'not_found') : answer<UsageRecordView>({ ...record, id: 'req_1002' })
  },
}

type Try = FirstSteps['data'][number]

function completed(atMs: number): Try {
  return {
    id: 'req_1002',
    created_at: new Date(atMs).toISOString(),
    key_id: 'key_made',
    key_name: 'My Linux computer',
    model: 'claude-sonnet-5',
    protocol: 'anthropic-messages',
    client: 'claude-cli/2.4.1 (external, cli)',
    outcome: 'completed',
    fault: null,
    detail: null,
    cost: '0.003164',
    total_ms: 1_840,
  }
}

function refused(atMs: number): Try {
  return {
    ...completed(atMs),
    id: 'req_1001',
    model: 'claude-sonnet-4',
    outcome: 'refused',
    fault: 'model_not_in_group',
    detail: 'The group "default" does not have the model "claude-sonnet-4".',
    cost: '0',
    total_ms: 3,
  }
}
