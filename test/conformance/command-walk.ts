/** Every command, and what it leaves in the audit: a command that is not here is a failing test. */
import type { Environment } from '../../src/app/installation/environment.ts'
import { newRedeemCode, shownParts } from '../../src/metering/funds/redeem-code.ts'
import { parseUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type AuditDesk, SECRET } from './audit-desk.ts'
import { NOON, runningSubscription } from './store-fixtures.ts'

/** What there is for commands. `made`: what the command's own `make` returned. */
export interface Given {
  readonly accountId: string
  readonly folder: string
  readonly made: string
}

export interface Writing {
  readonly kind: 'writes'
  /** The actions of its entries. */
  readonly entries: readonly string[]
  /** The changes of the first entry. */
  readonly changes: object
  readonly args: (given: Given) => readonly string[]
  readonly stdin?: string
  readonly environment?: Environment
  /** Nothing else is in the tables. */
  readonly onlyNotes?: true
  /** What it prints before it writes anything. */
  readonly printsFirst?: unknown
  readonly make?: (desk: AuditDesk, given: Given) => Promise<string>
}

interface Quiet {
  readonly kind: 'quiet'
  /** Why it needs no entry. */
  readonly why: string
  readonly args: (given: Given) => readonly string[]
  readonly environment?: Environment
  /** Default: 0. */
  readonly code?: number
}

/** Has a test of its own. */
interface Apart {
  readonly kind: 'apart'
  readonly where: string
}

const ADA = 'ada@example.test'
const PASSWORD = 'correct horse battery staple'
const CUSTOM_KEY = 'ada-laptop-2f9c61d07b3e'
const NEXT_SECRET = 'another-secret-of-the-audit-tests-32-characters'
const CODE = newRedeemCode((count) => randomBytes(count))

/** What no entry may have in it. */
export const SHOWN_ONCE = [PASSWORD, CUSTOM_KEY, NEXT_SECRET, SECRET, CODE, 'sk-of-an-upstream']

const reads = (...args: string[]): Quiet => ({ kind: 'quiet', why: 'it reads', args: () => args })
const DEAD = 'http://127.0.0.1:9'

export const COMMAND_WALK: Readonly<Record<string, Writing | Quiet | Apart>> = {
  start: { kind: 'apart', where: 'the first start below; the file in audit-of-file.long.test.ts' },
  health: { ...reads(), environment: { PORT: '9' }, code: 1 },
  'account create': {
    kind: 'writes',
    entries: ['account.create'],
    changes: { role: { before: null, after: 'auditor' } },
    args: () => ['--email', 'new@example.test', '--role', 'auditor', '--password-stdin'],
    stdin: `${PASSWORD}\n`,
  },
  'account role': {
    kind: 'writes',
    entries: ['account.update'],
    changes: { role: { before: 'user', after: 'admin' } },
    args: () => ['eve@example.test', 'admin'],
    make: (desk) => opened(desk, 'eve@example.test'),
  },
  'account sign-in-link': {
    kind: 'writes',
    entries: ['account.reset_link'],
    changes: {},
    args: () => ['--email', ADA],
  },
  'account credit': {
    kind: 'writes',
    entries: ['ledger.post'],
    changes: { kind: { before: null, after: 'credit' }, amount: { before: null, after: '12.5' } },
    args: () => ['--email', ADA, '--amount', '12.50'],
  },
  'account adjust': {
    kind: 'writes',
    entries: ['ledger.post'],
    changes: { kind: { before: null, after: 'adjustment' }, reason: { before: null, after: 'a test' } },
    args: () => [ADA, '1', '--reason', 'a test'],
  },
  'account ledger': reads(ADA),
  'account limits': {
    kind: 'writes',
    entries: ['account.update'],
    changes: { limits: { before: null, after: { max_keys: 7 } } },
    args: () => [ADA, '--max-keys', '7'],
  },
  'account close': {
    kind: 'writes',
    entries: ['account.close'],
    changes: { keys: { before: 0, after: 0 } },
    args: () => ['gone@example.test'],
    make: (desk) => opened(desk, 'gone@example.test'),
  },
  'account list': reads(),
  'key create': {
    kind: 'writes',
    entries: ['key.create'],
    changes: { custom_key: { before: null, after: true }, status: { before: null, after: 'disabled' } },
    args: () => [
      '--account',
      ADA,
      '--name',
      'other',
      '--group',
      'default',
      '--status',
      'disabled',
      '--custom-key-stdin',
    ],
    stdin: `${CUSTOM_KEY}\n`,
  },
  'key list': reads(),
  'key disable': {
    kind: 'writes',
    entries: ['key.disable'],
    changes: { status: { before: 'active', after: 'disabled' } },
    args: () => ['key_laptop'],
  },
  'key enable': {
    kind: 'writes',
    entries: ['key.enable'],
    changes: { status: { before: 'disabled', after: 'active' } },
    args: () => ['key_laptop'],
  },
  'key delete': {
    kind: 'writes',
    entries: ['key.delete'],
    changes: { name: { before: 'laptop', after: null } },
    args: () => ['key_laptop'],
  },
  'plan list': reads(),
  'subscription create': {
    kind: 'writes',
    entries: ['subscription.open'],
    changes: { plan: { before: null, after: 'pro' } },
    args: () => [ADA, 'pro'],
  },
  'subscription renew': {
    kind: 'writes',
    entries: ['subscription.extend'],
    changes: { ends_at: { before: expect.anything(), after: expect.anything() } },
    args: ({ made }) => [made, '--days', '3'],
    make: subscribed,
  },
  'subscription cancel': {
    kind: 'writes',
    entries: ['subscription.cancel'],
    changes: { cancelled_at: { before: null, after: new Date(NOON).toISOString() } },
    args: ({ made }) => [made],
    make: subscribed,
  },
  'subscription list': reads(ADA),
  'redeem-code create': {
    kind: 'writes',
    entries: ['redeem_code.create'],
    changes: { count: { before: null, after: 2 }, amount: { before: null, after: '5' } },
    args: () => ['--usd', '5', '--count', '2'],
  },
  'redeem-code list': reads(),
  'redeem-code delete': {
    kind: 'writes',
    entries: ['redeem_code.delete'],
    changes: { amount: { before: '3', after: null } },
    args: () => ['rdc_deleted'],
    make: (desk) =>
      coded(
        desk,
        'rdc_deleted',
        newRedeemCode((count) => randomBytes(count)),
      ),
  },
  redeem: {
    kind: 'writes',
    entries: ['code.redeem'],
    changes: { kind: { before: null, after: 'balance' }, amount: { before: null, after: '3' } },
    args: () => [CODE, '--account', ADA],
    make: (desk) => coded(desk, 'rdc_redeemed', CODE),
  },
  'alert list': reads(),
  'alert test': {
    kind: 'quiet',
    why: 'it sends a message and changes nothing',
    args: () => ['--account', ADA],
    environment: { TOLLGATE_ALERT_WEBHOOK_URL: DEAD },
    code: 1,
  },
  migrate: {
    kind: 'quiet',
    why: 'it changes the form of the tables, and nothing that they say',
    args: () => [],
  },
  'check-ledger': reads(),
  retention: {
    kind: 'writes',
    entries: ['system.retention'],
    changes: { audit_before: { before: null, after: expect.anything() } },
    args: () => [],
    environment: { TOLLGATE_KEEP_AUDIT_DAYS: '30' },
    // Entries that are too old go, and none is there.
    onlyNotes: true,
  },
  backup: {
    kind: 'quiet',
    why: 'it reads, and has to be possible where this version must not write yet: before an upgrade',
    args: ({ folder }) => [`${folder}/backup`],
  },
  restore: { kind: 'apart', where: 'below: its entry is in the database that is restored' },
  'oidc test': {
    ...reads(),
    environment: { TOLLGATE_OIDC_ISSUER: DEAD, TOLLGATE_OIDC_CLIENT_ID: 'a', TOLLGATE_OIDC_CLIENT_SECRET: 'b' },
    code: 1,
  },
  doctor: { ...reads('--base-url', DEAD), environment: { TOLLGATE_API_KEY: 'sk-tg-none' }, code: 1 },
  'route explain': { ...reads('--model', 'm', '--account', ADA), code: 1 },
  'cache clear': {
    kind: 'writes',
    entries: ['group.update'],
    changes: { kept_answers: { before: null, after: 'cleared' } },
    args: () => [],
  },
  'upstream test': {
    kind: 'quiet',
    why: 'the gateway that it asks writes the entry of the test',
    args: () => ['main', '--base-url', DEAD],
    environment: { TOLLGATE_ADMIN_TOKEN: 'an-admin-token-that-is-only-for-tests' },
    code: 1,
  },
  apply: { kind: 'apart', where: 'audit-of-file.long.test.ts' },
  export: {
    kind: 'writes',
    entries: ['configuration.export'],
    changes: {},
    args: () => [],
    onlyNotes: true,
  },
  import: {
    kind: 'writes',
    entries: ['import.begin', 'import.finish'],
    changes: { product: { before: null, after: 'litellm' } },
    args: ({ folder }) => ['litellm', `${folder}/config.yaml`],
    printsFirst: expect.anything(),
  },
  // The last one: commands after it would need the new secret.
  'secret rotate': {
    kind: 'writes',
    entries: ['system.rotate_secret'],
    changes: { secret: { before: null, after: 'replaced' } },
    args: () => [],
    environment: { TOLLGATE_SECRET_NEXT: NEXT_SECRET },
  },
}

async function opened(desk: AuditDesk, email: string): Promise<string> {
  return (await desk.run(['account', 'create', '--email', email])).printed
}

async function subscribed({ store }: AuditDesk, { accountId }: Given): Promise<string> {
  return (await runningSubscription(store, accountId, {})).subscription.id
}

async function coded({ store }: AuditDesk, id: string, code: string): Promise<string> {
  const { start: codeStart, end: codeEnd } = shownParts(code)
  const grants = { kind: 'balance', amount: parseUsd('3') } as const
  const stored = { id, codeStart, codeEnd, grants, note: '', createdAt: NOON, expiresAt: null }
  await store.redeemCodes.create(stored, keyedHash(SECRET, 'redeem code')(code))
  return id
}
