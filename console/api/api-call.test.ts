import { execFileSync } from 'node:child_process'
import { afterEach, expect, test, vi } from 'vitest'
import { curlOf } from './api-call.ts'
import { callOf, request } from './request.ts'

afterEach(() => vi.unstubAllGlobals())

const ORIGIN = 'https://ai.example.test'

test('the first request that is asked for is noted with its filter, and none is sent', async () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  const call = callOf(async (signal) => {
    await request('/api/keys', { query: { search: 'a b', status: '' }, signal })
    await request('/api/groups', { signal })
  })
  expect(call).toEqual({ path: '/api/keys', query: { search: 'a b', status: '' } })
  await Promise.resolve()
  expect(fetched).not.toHaveBeenCalled()
  expect(callOf(() => Promise.resolve())).toBeNull()
})

test('the line for the shell has the filter, and a variable where the access token goes', () => {
  expect(curlOf({ path: '/api/keys', query: { search: 'a b', status: null, limit: 50 } }, ORIGIN)).toBe(
    `curl -sS 'https://ai.example.test/api/keys?search=a+b&limit=50' \\\n  -H "Authorization: Bearer $TOLLGATE_ACCESS_TOKEN"`,
  )
})

test.each(["/api/accounts/a';echo owned;'", '/api/accounts/$(echo owned)`echo owned`"'])(
  'whatever a link holds, the shell runs one command: %s',
  (path) => {
    const line = curlOf({ path, query: {} }, ORIGIN)
    const said = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], {
      env: { TOLLGATE_ACCESS_TOKEN: 'tgat_x' },
      encoding: 'utf8',
    })
    expect(said.split('\n')).toEqual(['-sS', ORIGIN + path, '-H', 'Authorization: Bearer tgat_x', ''])
  },
)
