import { setTimeout as pause } from 'node:timers/promises'
import { type SampleProcess, startSampleProcess } from '../sample/sample-process.ts'
import { adminApi, type SampleApi } from '../sample/sample-api.ts'
import { HOLDER_EMAIL, RELEASE_ADMIN_TOKEN, RELEASE_NOON_MS } from './release-plan.ts'
import { releaseEnvironment, type ReleasePlace } from './restore-release.ts'

const LOOK_MS = 50
const PATIENCE_MS = 60_000

/** What the console API says of a release's database, page by page. */
export type Facts = Readonly<Record<string, unknown>>

/** A gateway of the sources on a release's database. Its clock stands where that of the database ends. */
export function startOnRelease(place: ReleasePlace): Promise<SampleProcess> {
  return startSampleProcess({
    directory: place.directory,
    standsAtMs: RELEASE_NOON_MS,
    holdsElapsed: true,
    seed: 'on the database of a release',
    environment: releaseEnvironment(place),
  })
}

/** Reads the facts, once the gateway has recorded what the killed process left unfinished. */
export async function readFacts(origin: string): Promise<Facts> {
  const admin = adminApi(origin, RELEASE_ADMIN_TOKEN)
  const account = await idOf(admin, `/api/accounts?search=${HOLDER_EMAIL}`)
  const key = await idOf(admin, '/api/keys?search=laptop')
  const usage = `/api/usage?account_id=${account}&limit=100`
  await recorded(admin, usage)
  const facts: Record<string, unknown> = {}
  for (const page of PAGES) {
    const path = page.replace('ACCOUNT', account).replace('KEY', key)
    facts[page] = comparable(await admin.ask('GET', path))
  }
  return facts
}

const PAGES = [
  '/api/settings',
  '/api/accounts?limit=100',
  '/api/accounts/ACCOUNT/limits',
  '/api/accounts/ACCOUNT/subscriptions',
  '/api/accounts/ACCOUNT/sign-in',
  '/api/invitations',
  '/api/groups',
  '/api/models?limit=100',
  '/api/upstreams',
  '/api/upstreams/status',
  '/api/plans',
  '/api/keys?limit=100',
  '/api/keys/KEY/capture',
  '/api/redeem-codes',
  '/api/orders',
  '/api/payment-settings',
  '/api/announcements?which=all',
  '/api/ledger?account_id=ACCOUNT&limit=100',
  '/api/alerts?account_id=ACCOUNT',
  '/api/usage?account_id=ACCOUNT&limit=100',
  '/api/usage/summary?account_id=ACCOUNT',
  '/api/margins',
  '/api/audit?limit=100',
] as const

async function idOf(admin: SampleApi, list: string): Promise<string> {
  const { data } = await admin.ask<{ data: readonly { id: string }[] }>('GET', list)
  if (data[0] === undefined) throw new Error(`nothing is at ${list}`)
  return data[0].id
}

async function recorded(admin: SampleApi, usage: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const { data } = await admin.ask<{ data: readonly { outcome: string }[] }>('GET', usage)
    if (data.some(({ outcome }) => outcome === 'interrupted')) return
    await pause(LOOK_MS)
  }
  throw new Error('the request that ran when the process was killed was not recorded')
}

/** The value without what differs between engines (ids, ports), and what a later version may add to the same rows. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(ID, '$1_…').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, comparable(field)]))
}

const ID = /\b([a-z]{3})_[0-9a-z]{26}\b/g
const LEFT_OUT = new Set(['version', 'next_cursor', 'id', 'protocols'])
