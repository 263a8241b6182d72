import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { readPlan } from '../read-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'

const MAPPING = { model_mapping: { house: 'house-v2' } }

/** The plan for accounts of which all are in the one group. */
async function planned(...accounts: readonly Row[]) {
  const usual = { platform: 'openai', type: 'apikey', status: 'active', credentials: credentials({}) }
  const tables = {
    users: [{ id: '1', email: 'a@example.test', password_hash: '', role: 'user', status: 'active', balance: '0' }],
    api_keys: [{ id: '1', user_id: '1', key: 'sk-0123456789abcdef', name: 'k', group_id: '1', status: 'active' }],
    groups: [{ id: '1', name: 'all', rate_multiplier: '1', status: 'active', platform: 'openai' }],
    accounts: accounts.map((account) => ({ ...usual, name: `account ${account['id']}`, ...account })),
    account_groups: accounts.map(({ id = '' }) => ({ account_id: id, group_id: '1', priority: '1' })),
    proxies: [
      { id: '1', protocol: 'socks5h', host: 'proxy.example.test', port: '1080', username: 'u', password: 'p' },
      { id: '2', protocol: 'ss', host: 'proxy.example.test', port: '1', username: '', password: '' },
    ],
  }
  const plan = await readPlan(rowsInMemory(tables), 'sub2api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 1,
  })
  return { ...plan, said: notesReport(plan.notes).join('\n') }
}

function credentials(more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ api_key: 'sk-a', ...MAPPING, ...more })
}

test('of the credentials and the extra of an account each setting that says something is named, without what it says', async () => {
  const { said } = await planned({
    id: '1',
    credentials: credentials({ pool_mode: true, custom_error_codes: [], rules: [{ code: 429 }], intercept: false }),
    extra: JSON.stringify({ base_rpm: 15, quota_limit: 0, openai_passthrough: false, note: 'h1dden' }),
  })
  const listed = [...said.matchAll(/accounts 1: have ((?:credentials|extra)\.\w+), which is not carried/g)]
  expect(listed.map(([, name]) => name)).toEqual([
    'credentials.pool_mode',
    'credentials.rules',
    'extra.base_rpm',
    'extra.note',
  ])
  expect(said).not.toMatch(/h1dden/)
})

test('an account that is not schedulable, and one behind a proxy that cannot be used here, is asked nothing', async () => {
  const { upstreams, models, said } = await planned(
    { id: '1' },
    { id: '2', schedulable: 'f' },
    { id: '3', proxy_id: '2' },
    { id: '4', proxy_id: '1', schedulable: 't' },
  )
  expect(upstreams.map(({ proxyUrl, credentials: [only] }) => [proxyUrl, only?.isDisabled])).toEqual([
    [null, false],
    [null, true],
    [null, true],
    ['socks5://u:p@proxy.example.test:1080', false],
  ])
  // Once its proxy is set right, the one credential has to be enabled and nothing else.
  expect(models[0]?.targets.map(({ upstream }) => upstream)).toEqual(['account 1', 'account 3', 'account 4'])
  expect(said).toContain('accounts 2: are not active there')
  expect(said).toContain('accounts 3: name a proxy that cannot be used here: their credentials are disabled')
})
