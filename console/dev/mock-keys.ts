import type { GroupView } from '../../src/contract/groups.ts'
import type {
  ApiKeyView,
  KeyCreate,
  KeyPatch,
  KeysBulk,
  KeysBulkAnswer,
  KeysPage,
  KeyTest,
  KeyWithSecret,
} from '../../src/contract/keys.ts'
import type { KeySetup } from '../../src/contract/setup.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { mockApiKeys } from './mock-key-list.ts'
import { mockKeySetup } from './mock-key-setup.ts'
import { answer, problem, type MockAnswer, type MockCall, type MockRoutes, type MockState } from './mock-route.ts'

const SECRET = 'sk-tg-Hq7RzW2mXk9vT4cLpB8nYdJ3sFgA6eUoQ1iZx5KwVbMtN0r'
const PAGE_SIZE = 50

/** What a key has not done yet. */
const NEW = { overlap: null, last_used_at: null, quota_resets_at: null, spent: '0' }

/** The keys of each mock's account: they change while it runs, and are as before in the next. */
const keysOf = new WeakMap<MockState, ApiKeyView[]>()

function all(state: MockState): ApiKeyView[] {
  const known = keysOf.get(state) ?? (state.isEmpty ? [] : mockApiKeys(Date.now()))
  keysOf.set(state, known)
  return known
}

const groups: GroupView[] = [
  group({ name: 'default', multiplier: '1', model_count: 12 }),
  group({ name: 'saver', multiplier: '0.6', model_count: 5, protocols: ['openai-chat'] }),
  group({ name: 'pro', multiplier: '1.25', model_count: 18, open: false }),
  group({ name: 'research', multiplier: '2', model_count: 3, open: false, usable: false }),
]

/** Keys, and the groups that they belong to. */
export const mockKeys: MockRoutes = {
  'GET /api/groups': () => answer<Page<GroupView>>({ data: groups, next_cursor: null }),
  'GET /api/keys': (call) => answer<KeysPage>(pageOf(call)),
  'POST /api/keys': ({ body, state }) => create(body as KeyCreate, state),
  'GET /api/keys/:id': (call) => ofKey(call, (key) => answer<ApiKeyView>(key)),
  'PATCH /api/keys/:id': (call) =>
    ofKey(call, (key) => {
      const patch = call.body as KeyPatch
      if (key.managed) return problem(409, 'managed')
      return answer<ApiKeyView>(put(call.state, { ...key, ...(patch as Partial<ApiKeyView>) }))
    }),
  'DELETE /api/keys/:id': (call) =>
    ofKey(call, (key) => {
      keysOf.set(
        call.state,
        all(call.state).filter(({ id }) => id !== key.id),
      )
      return {}
    }),
  'POST /api/keys/:id/rotate': (call) =>
    ofKey(call, (key) => {
      const seconds = (call.body as { overlap_seconds: number }).overlap_seconds
      const ends_at = new Date(Date.now() + seconds * 1000).toISOString()
      const overlap = seconds === 0 ? null : { secret_end: key.secret_end, ends_at, last_used_at: null }
      const rotated = put(call.state, {
        ...key,
        overlap,
        secret_start: SECRET.slice(0, 10),
        secret_end: SECRET.slice(-4),
      })
      return answer<KeyWithSecret>({ key: rotated, secret: SECRET })
    }),
  'POST /api/keys/bulk': ({ body, state }) => answer<KeysBulkAnswer>(bulk(body as KeysBulk, state)),
  'POST /api/keys/:id/test': (call) =>
    ofKey(call, (key) => {
      const models = mockKeySetup(key).models.map(({ name }) => name)
      if (key.status === 'active') return answer<KeyTest>({ ok: true, fault: null, detail: 'It works.', models })
      const fault = { disabled: 'key_disabled', expired: 'key_expired', quota_exhausted: 'key_quota_exhausted' }[
        key.status
      ]
      return answer<KeyTest>({ ok: false, fault, detail: 'It would be refused.', models: [] })
    }),
  'GET /api/keys/:id/setup': (call) => ofKey(call, (key) => answer<KeySetup>(mockKeySetup(key))),
}

function pageOf({ query, state }: MockCall): KeysPage {
  const search = query.get('search')?.toLowerCase() ?? ''
  const found = all(state).filter(
    (key) =>
      `${key.name} ${key.secret_start} ${key.secret_end}`.toLowerCase().includes(search) &&
      (query.get('status') ?? key.status) === key.status &&
      [null, key.group].includes(query.get('group')),
  )
  const by = (query.get('sort') ?? 'created_at') as 'created_at' | 'name' | 'last_used_at' | 'spent' | 'expires_at'
  const sign = query.get('order') === 'asc' ? 1 : -1
  found.sort((a, b) => sign * (a[by] ?? '').localeCompare(b[by] ?? '', 'en', { numeric: true }))
  return { data: found.slice(0, PAGE_SIZE), next_cursor: null, total: found.length, total_is_more: false }
}

function create(body: KeyCreate, state: MockState): MockAnswer {
  if (body.custom_key !== undefined) return problem(422, 'custom_key_unavailable', 'custom_key')
  if (body.name === 'taken') return problem(422, 'field_invalid', 'rate_limit.spend.0.usd')
  const now = new Date().toISOString()
  const { custom_key: _never, account_id: _own, ...settings } = body
  const key = {
    ...mockApiKeys(Date.now())[0],
    ...NEW,
    ...settings,
    id: all(state).some(({ id }) => id === 'key_made') ? `key_${Date.now()}` : 'key_made',
    created_at: now,
    secret_start: SECRET.slice(0, 10),
    secret_end: SECRET.slice(-4),
    group_multiplier: groups.find(({ name }) => name === body.group)?.multiplier ?? '1',
  } as ApiKeyView
  keysOf.set(state, [key, ...all(state)])
  return answer<KeyWithSecret>({ key, secret: SECRET }, 201)
}

function bulk({ ids, action }: KeysBulk, state: MockState): KeysBulkAnswer {
  const meant = all(state).filter(({ id }) => ids.includes(id))
  const free = meant.filter(({ managed }) => !managed)
  const left = action === 'delete' ? all(state).filter((key) => !free.includes(key)) : all(state)
  const status = action === 'enable' ? 'active' : 'disabled'
  keysOf.set(
    state,
    left.map((key) => (free.includes(key) ? { ...key, status } : key)),
  )
  const failed = meant
    .filter(({ managed }) => managed)
    .map(({ id }) => ({ id, code: 'managed', detail: 'From the file.' }))
  return { done: free.map(({ id }) => id), failed }
}

function ofKey({ params, state }: MockCall, then: (key: ApiKeyView) => MockAnswer): MockAnswer {
  const key = all(state).find(({ id }) => id === params['id'])
  return key === undefined ? problem(404, 'not_found') : then(key)
}

function put(state: MockState, key: ApiKeyView): ApiKeyView {
  keysOf.set(
    state,
    all(state).map((each) => (each.id === key.id ? key : each)),
  )
  return key
}

function group(about: Partial<GroupView> & Pick<GroupView, 'name'>): GroupView {
  return {
    id: `grp_${about.name}`,
    multiplier: '1',
    models: ['*'],
    model_count: 12,
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    enabled: true,
    open: true,
    usable: true,
    managed: false,
    ...about,
  }
}
