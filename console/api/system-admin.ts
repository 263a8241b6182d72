import type { RetentionView } from '../../src/contract/retention.ts'
import type { SystemView } from '../../src/contract/system.ts'
import { post, readKept } from './request.ts'

const RENEWED_MS = 15_000
const RENEWED_WHILE_RUNNING_MS = 1_000

/** How nodes, database and backups stand; often while a backup is made. */
export const systemQuery = readKept<SystemView>(['system'], '/api/system', {
  refetchInterval: ({ state }) => (state.data?.backups.running == null ? RENEWED_MS : RENEWED_WHILE_RUNNING_MS),
})

const COUNTED_EVERY_MS = 300_000

/** What is deleted once it is too old. It is counted, so it is not asked for often. */
export const retentionQuery = readKept<RetentionView>(['system', 'retention'], '/api/system/retention', {
  staleTime: COUNTED_EVERY_MS,
})

export type Backups = SystemView['backups']
export type Maintenance = NonNullable<Backups['running']>['kind']

/** Begins a backup or a rehearsal, which goes on after the answer. */
export const beginMaintenance = (kind: Maintenance) => post<unknown>('/api/system/maintenance', { kind })
