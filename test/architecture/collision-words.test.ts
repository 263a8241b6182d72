import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { texts as accountEn } from '../../console/dictionaries/account-en.ts'
import { texts as accountsEn } from '../../console/dictionaries/accounts-en.ts'
import { texts as announcementsEn } from '../../console/dictionaries/announcements-en.ts'
import { texts as groupsEn } from '../../console/dictionaries/groups-en.ts'
import { texts as keyEn } from '../../console/dictionaries/key-en.ts'
import { texts as keysEn } from '../../console/dictionaries/keys-en.ts'
import { texts as modelFactsEn } from '../../console/dictionaries/model-facts-en.ts'
import { texts as modelSettingsEn } from '../../console/dictionaries/model-settings-en.ts'
import { texts as modelsEn } from '../../console/dictionaries/models-en.ts'
import { texts as oneAccountEn } from '../../console/dictionaries/one-account-en.ts'
import { texts as paymentSettingsEn } from '../../console/dictionaries/payment-settings-en.ts'
import { texts as paymentsEn } from '../../console/dictionaries/payments-en.ts'
import { texts as plansEn } from '../../console/dictionaries/plans-en.ts'
import { texts as pricesEn } from '../../console/dictionaries/prices-en.ts'
import { texts as settingsEn } from '../../console/dictionaries/settings-en.ts'
import { sharedEn as shared } from '../../console/dictionaries/shared-en.ts'
import { texts as upstreamsEn } from '../../console/dictionaries/upstreams-en.ts'
import { accountWords, keyWords, planWords } from '../../console/differences/account-words.ts'
import { credentialWords, groupWords, modelWords, upstreamWords } from '../../console/differences/catalogue-words.ts'
import type { FieldWords, ValueFormat } from '../../console/differences/difference-rows.ts'
import { OBJECT_PATHS, objectKindAt, type ObjectKind } from '../../console/differences/object-kinds.ts'
import { announcementWords, paymentWords, settingWords } from '../../console/differences/setting-words.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'

const format: ValueFormat = {
  exactMoney: (amount: string) => amount,
  duration: String,
  number: String,
  time: String,
  list: (parts: readonly string[]) => parts.join(', '),
}

const WORDS: Readonly<Record<ObjectKind, FieldWords>> = {
  group: groupWords({ groups: groupsEn, accounts: accountsEn }),
  model: modelWords(
    { prices: pricesEn, models: modelsEn, settings: modelSettingsEn, takes: modelFactsEn, shared },
    format,
  ),
  upstream: upstreamWords({ upstreams: upstreamsEn }, format),
  credential: credentialWords({ upstreams: upstreamsEn }),
  account: accountWords({ accounts: accountsEn, one: oneAccountEn, own: accountEn, shared }, format, String),
  plan: planWords(plansEn, format),
  key: keyWords({ key: keyEn, keys: keysEn }, format),
  settings: settingWords({ settings: settingsEn, shared }, format),
  payments: paymentWords({ settings: paymentSettingsEn, payments: paymentsEn, shared }, format),
  announcement: announcementWords({ announcements: announcementsEn, accounts: accountsEn }),
}

/** What an edit in the console never collides in. */
const UNNAMED: Partial<Readonly<Record<ObjectKind, readonly string[]>>> = {
  // No page sets them.
  group: ['cache'],
  model: ['endpoints', 'import_id', 'import_source', 'effective_at'],
  plan: ['limits'],
  // Nor these; secrets are in no difference.
  upstream: ['shadow', 'headers', 'remove_headers', 'rename_headers', 'drop_fields', 'prefix_cache', 'credential'],
  account: ['password'],
}

/** The account of a person alone is changed by that person alone, and the console sends no version of it. */
const PATCHES = ROUTES.filter(({ method, path }) => method === 'patch' && path !== '/api/me')

test('an edit that collides is shown in the words of its page, whatever it is of', () => {
  expect(Object.values(OBJECT_PATHS).sort()).toEqual(PATCHES.map(({ path }) => path).sort())
  expect(objectKindAt('/api/upstreams/up_1/credentials/default')).toBe('credential')
  expect(objectKindAt('/api/upstreams/up_1')).toBe('upstream')
  expect(objectKindAt('/api/me')).toBeNull()
})

test.for(PATCHES)('each field that the console sends to $path has a name there', ({ path, body }) => {
  const kind = objectKindAt(path)
  if (kind === null) throw new Error(`${path} has no words`)
  const named = Object.keys(WORDS[kind].fields)
  const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : []
  expect(fields.length).toBeGreaterThan(0)
  const unnamed = fields.filter((field) => !named.includes(field))
  expect(unnamed.sort()).toEqual([...(UNNAMED[kind] ?? [])].sort())
})
