import type { z } from '@hono/zod-openapi'
import type { KeysPage, keysQuery } from '../../contract/keys.ts'
import { accountMeant } from '../who/actor.ts'
import { valueAt } from '../api/paging.ts'
import type { ApiCall } from '../api/route.ts'
import type { ControlParts } from '../parts.ts'
import { keyOnWire } from '../views/key-view.ts'

/** A page of keys, searched, filtered and sorted by the database. Throws Problem. */
export async function listKeys(
  call: ApiCall<'account', unknown, z.output<typeof keysQuery>>,
  { store }: ControlParts,
): Promise<KeysPage> {
  const { query, nowMs } = call
  const accountId = accountMeant(call, query.account_id, 'all_allowed')
  const groups = await store.groups.groups()
  const group = query.group === undefined ? undefined : groups.find(({ name }) => name === query.group)
  // A group that is not there has no keys, which is not a mistake in the filter.
  if (query.group !== undefined && group === undefined) return NOTHING
  const page = await store.keys.page(
    {
      accountId,
      search: query.search,
      status: query.status,
      groupId: group?.id,
      tag: query.tag,
      isWithoutPlayground: query.playground === 'false',
    },
    {
      order: { by: query.sort, isDescending: query.order === 'desc' },
      after: valueAt(call.position),
      limit: query.limit,
    },
  )
  const own = await store.accounts.ownMultipliers(page.keys.map(({ key }) => key.accountId))
  return {
    data: page.keys.map((listed) => keyOnWire(listed, { groups, own }, nowMs)),
    next_cursor: page.next === null ? null : call.nextCursor([page.next.value, page.next.id]),
    total: page.total,
    total_is_more: page.isTotalMore,
  }
}

const NOTHING: KeysPage = { data: [], next_cursor: null, total: 0, total_is_more: false }
