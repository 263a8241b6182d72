import type { z } from '@hono/zod-openapi'
import {
  apiKey,
  keyCreate,
  type KeyCreate,
  keyPatch,
  keysPage,
  type KeysPage,
  keysQuery,
  keyTags,
  keyTagsQuery,
  keyWithSecret,
} from '../../contract/keys.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { accountMeant, hasRight } from '../who/actor.ts'
import { keyDeleted, keyUpdated } from '../audit/key-notes.ts'
import { createdKey, readKeySettings, requireSoonEnd } from '../keys/create-key.ts'
import { readCatalogue } from '../catalogue.ts'
import { ownedKey, requireUnmanaged } from '../keys/owned-key.ts'
import { setKeyStatus } from '../keys/set-key-status.ts'
import { existing, notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import { viewerOfAccount } from '../who/viewer.ts'
import { keyOnWire, keySettings, readKeyView } from '../views/key-view.ts'
import { keyStepRoutes } from './key-step-routes.ts'
import { quotaRaiseRoutes } from './quota-raise-routes.ts'
import { valueAt } from '../api/paging.ts'
import type { ControlParts } from '../parts.ts'

const route = routesOf('Keys')

const list = route('get /api/keys', {
  summary: 'List API keys',
  description:
    'Your own, newest first unless sorted otherwise; admins may name an account with `account_id`, or all with `*`, which the admin token means by itself. Deleted keys are left out.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient', 'cursor_invalid'],
  query: keysQuery,
  answer: keysPage,
  handle: (call, parts) => listKeys(call, parts),
})

const tags = route('get /api/keys/tags', {
  summary: 'List the tags of API keys',
  description: 'With how many keys have each; deleted keys do not count.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: keyTagsQuery,
  answer: keyTags,
  async handle(call, { store }) {
    return { data: [...(await store.keys.tags(accountMeant(call, call.query.account_id, 'all_allowed')))] }
  },
})

const read = route('get /api/keys/{id}', {
  summary: 'Read an API key',
  who: 'account',
  answer: apiKey,
  handle: async (call, parts) => readKeyView(await ownedKey(call, parts), parts.store, call.nowMs),
})

const EXAMPLE: KeyCreate = {
  name: 'laptop',
  group: 'default',
  quota_limit: '20',
  quota_reset: 'monthly',
  rate_limit: { requests_per_minute: 60, spend: [{ window: '1d', usd: '5' }] },
}

const create = route('post /api/keys', {
  summary: 'Create an API key',
  description:
    'The secret is in this answer and in no other. Leave `custom_key` out to have it generated, which is the better choice: a custom key that is taken, easy to guess or not allowed is refused with one and the same answer, and five refusals within an hour lock the option. A wrong length or character is an ordinary `field_invalid` and does not count.',
  who: 'account',
  problems: ['account_needed', 'admin_needed', 'custom_key_unavailable', 'custom_key_locked', 'too_many_keys'],
  body: keyCreate,
  answer: keyWithSecret,
  status: 201,
  secretFields: ['secret'],
  example: { body: EXAMPLE },
  async handle(call, parts) {
    const accountId = accountMeant(call, call.body.account_id) ?? ''
    const { key, secret } = await createdKey(call, parts, accountId)
    return { key: await readKeyView(key, parts.store, call.nowMs), secret }
  },
})

const change = route('patch /api/keys/{id}', {
  summary: 'Change an API key',
  description:
    'What is left out stays as it is. Disabling refuses new requests on every node when the call has returned, and cuts running streams; lowered limits hold from then on likewise. Another `quota_limit` ends a raise of the quota. Of a key from the declarative file only the status can be changed, and only the file enables what it disables.',
  who: 'account',
  problems: ['managed'],
  body: keyPatch,
  answer: apiKey,
  example: { body: { quota_limit: '50', status: 'active' } },
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    const { status, ...wanted } = call.body
    const { store } = parts
    if (key.isManaged && status !== undefined && Object.keys(wanted).length === 0) {
      const action = status === 'active' ? 'enable' : 'disable'
      const groups = await store.groups.groups()
      call.requireVersion({ before: keySettings(key, groups), after: keySettings({ ...key, status }, groups) })
      await call.reachNodes(await setKeyStatus(call, parts, { id: key.id, action }))
      return readKeyView(await ownedKey(call, parts), store, call.nowMs)
    }
    const { id, accountId, createdAt: madeAt } = requireUnmanaged(key)
    const account = existing(await store.accounts.findById(accountId), 'account')
    const [owner, catalogue, { maxKeyValidityDays }] = await Promise.all([
      viewerOfAccount(accountId, store, call.nowMs),
      readCatalogue(store),
      readLimits(account, store, call.nowMs),
    ])
    const isByDeviceRule = key.device !== undefined && !hasRight(call.actor, 'admin')
    const context = { owner, catalogue, nowMs: call.nowMs, madeAt, maxKeyValidityDays, isByDeviceRule }
    const settingsAfter = (before: ApiKey): Partial<ApiKey> => {
      const settings = readKeySettings(wanted, before, context)
      if (before.isForPlayground) requireSoonEnd({ ...before, ...settings }.expiresAt, madeAt)
      return settings
    }
    const edited = await call.change(async ({ keys }, audit) => {
      const answer = await keys.edit(
        id,
        (before) => {
          const after = { ...before, ...settingsAfter(before), status: status ?? before.status }
          call.requireVersion({
            before: keySettings(before, catalogue.groups),
            after: keySettings(after, catalogue.groups),
          })
          return after
        },
        call.nowMs,
      )
      if (answer === null) throw notFound('API key')
      const { before, after, seq } = answer
      if (seq !== null) await audit(keyUpdated(before, after, catalogue.groups))
      return answer
    })
    await call.reachNodes(edited)
    return readKeyView(edited.after, parts.store, call.nowMs)
  },
})

const remove = route('delete /api/keys/{id}', {
  summary: 'Delete an API key',
  description:
    'Takes effect on every node before the call returns, and cuts running streams. What the key used stays in the books. This cannot be undone.',
  who: 'account',
  problems: ['managed'],
  async handle(call, parts) {
    const key = requireUnmanaged(await ownedKey(call, parts))
    const groups = await parts.store.groups.groups()
    const changed = await call.change(async ({ keys }, audit) => {
      const deleted = existing(await keys.setStatus(key.id, 'deleted', call.nowMs), 'API key')
      await audit(keyDeleted(key, groups))
      return deleted
    })
    await call.reachNodes(changed)
  },
})

export const keyRoutes: readonly ApiRoute[] = [
  list,
  ...listFiles(list, { name: 'keys' }),
  create,
  tags,
  read,
  change,
  remove,
  ...keyStepRoutes,
  ...quotaRaiseRoutes,
]

/** A page of keys, searched, filtered and sorted by the database. Throws Problem. */
async function listKeys(
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
