import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RetentionView } from '../../src/contract/retention.ts'
import type { SystemView } from '../../src/contract/system.ts'
import { post, read } from './request.ts'

const RENEWED_MS = 15_000
const RENEWED_WHILE_RUNNING_MS = 1_000

/** How nodes, database and backups stand; often while a backup is made. */
export const systemQuery = queryOptions({
  ...read<SystemView>(['system'], '/api/system'),
  placeholderData: keepPreviousData,
  refetchInterval: ({ state }) => (state.data?.backups.running == null ? RENEWED_MS : RENEWED_WHILE_RUNNING_MS),
})

const COUNTED_EVERY_MS = 300_000

/** What is deleted once it is too old. It is counted, so it is not asked for often. */
export const retentionQuery = queryOptions({
  ...read<RetentionView>(['system', 'retention'], '/api/system/retention'),
  placeholderData: keepPreviousData,
  staleTime: COUNTED_EVERY_MS,
})

export type Backups = SystemView['backups']
export type Maintenance = NonNullable<Backups['running']>['kind']

/** Begins a backup or a rehearsal, which goes on after the answer. */
export function beginMaintenance(kind: Maintenance): Promise<unknown> {
  return post('/api/system/maintenance', { kind })
}
