import { queryOptions } from '@tanstack/react-query'
import type { GroupKeysMoved, GroupsUse, GroupView } from '../../src/contract/groups.ts'
import { apiPath, patch, post, remove, request } from './request.ts'

export type UseOfGroup = GroupsUse['data'][number]

/** Who uses each group, and what it was charged in the last seven days; by its id. */
export const groupsUseQuery = queryOptions({
  queryKey: ['groups', 'use'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, UseOfGroup>> => {
    const { data } = await request<GroupsUse>('/api/groups/use', { signal })
    return new Map(data.map((row) => [row.id, row]))
  },
})

/** What an admin sets of a group. */
export type GroupSettings = Pick<
  GroupView,
  'name' | 'multiplier' | 'models' | 'enabled' | 'open' | 'open_to_roles' | 'cache' | 'devices' | 'claude_settings'
>

export const createGroup = (body: GroupSettings, idempotencyKey: string) =>
  post<GroupView>('/api/groups', body, idempotencyKey)

/** What is absent stays. `version`: of the group as it was read. */
export const changeGroup = (id: string, body: Partial<GroupSettings>, version: string) =>
  patch<GroupView>(apiPath`/api/groups/${id}`, body, version)

/** Half a million keys, at 200 a call. */
const MOST_CALLS = 2500

/** Moves all keys of a group to another, by as many calls as it takes. `onMoved` hears how many are still there. */
export async function moveKeys(
  id: string,
  { to, onMoved }: { readonly to: string; onMoved(remaining: number): void },
): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const body = { to }
    const { moved, remaining } = await post<GroupKeysMoved>(apiPath`/api/groups/${id}/move-keys`, body)
    onMoved(remaining)
    if (remaining === 0 || moved === 0) return
  }
}

export const deleteGroup = (id: string) => remove(apiPath`/api/groups/${id}`)
