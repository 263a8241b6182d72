import { createPrivateKey } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../src/core/durations.ts'

/** Where the time of a release's database ends. Fixed, so that the tool writes the same rows whenever it runs. */
export const RELEASE_NOON_MS = Date.parse('2026-11-20T12:00:00Z')

/** The chapters of the database's life. Retention takes the first of them out of the books. */
export const BEGINS_MS = RELEASE_NOON_MS - 40 * DAY_MS
export const GOES_ON_MS = RELEASE_NOON_MS - 3 * DAY_MS
export const UPKEEP_MS = RELEASE_NOON_MS - 2 * DAY_MS
export const LAST_DAY_MS = RELEASE_NOON_MS - 2 * HOUR_MS

/** Encrypts and hashes what the database holds. For tests alone, as is every secret here. */
const RELEASE_SECRET = 'a secret of release databases, which is only for tests'
export const RELEASE_ADMIN_TOKEN = 'an-admin-token-that-is-only-for-release-databases'
export const RELEASE_PASSWORD = 'correct horse battery staple'
export const HOLDER_EMAIL = 'ada@example.test'
export const LAPTOP_SECRET = 'release-laptop-5d0a2f7c81be4936'
export const TEAM_SECRET = 'release-team-c93e17ab60f2d845'
/** The secret of a key whose quota is used up. */
export const SMALL_SECRET = 'release-small-8e41d7f09a36b2c5'
/** The secret of a key that is disabled. */
export const OLD_SECRET = 'release-old-2b96f0c3e85d714a'
/** Served by the demo upstream, inside the gateway: it can be called wherever the database is restored. */
export const DEMO_MODEL = 'demo/echo'
/** Served by the fake upstream while the database is made. */
export const SOLD_MODEL = 'gpt-5.5'

/** Where the fake upstream of each database is in every run, as the database holds it. */
export const FAKE_UPSTREAM_PORTS = { sqlite: 47_801, postgres: 47_802 } as const

/** The address by which browsers reach the gateway: passkeys and links hold this name. */
export const RELEASE_ORIGIN = 'https://tollgate.example.test'

/** What a gateway on such a database needs, besides where the database is. */
export const RELEASE_ENVIRONMENT = {
  TOLLGATE_PUBLIC_URL: RELEASE_ORIGIN,
  TOLLGATE_SECRET: RELEASE_SECRET,
  TOLLGATE_ADMIN_TOKEN: RELEASE_ADMIN_TOKEN,
} as const

/** The holder's passkey. */
export const PASSKEY = {
  id: Buffer.from('a passkey of release databases  '),
  privateKey: createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: 'Eqj-wZifWccTphVfHOTfLFgZLDxmRS4LyaY0Ogk2GF0',
      x: '7z4UO6s-ivIVmDwdbxIJnW7fZCQ6TNnleOOz1pamgnw',
      y: 'W5OOppTuIuDNEAOgYcbALoloqZ8RuxLiPsLKrdxA8Rw',
    },
  }),
}
