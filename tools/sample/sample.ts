import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountView } from '../../src/contract/accounts.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type FakeUpstream, startFakeUpstream } from '../fake-upstream/fake-upstream.ts'
import { seedDatabase } from '../seed/seed-database.ts'
import { ADMIN_TOKEN, adminApi, type SampleApi } from './sample-api.ts'
import { addFakeModels, addFirstModels } from './sample-catalog.ts'
import { callsBeginMs, lifeBeginsMs, liveThrough } from './sample-life.ts'
import { SAMPLE_EMAIL, SAMPLE_PASSWORD, type SampleSize, seedPlanOf } from './sample-plan.ts'
import { type SampleProcess, startSampleProcess } from './sample-process.ts'
import { nameSeededRows, settleRows } from './sample-rows.ts'

export interface SampleOptions {
  readonly size: SampleSize
  /** What the data's time ends with: epoch milliseconds. */
  readonly nowMs: number
  /** What is drawn follows from this; null: from chance. */
  readonly seed: string | null
  /** Whether each behaviour of the fake upstream is a model too. */
  readonly hasFakeModels?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

/** A data directory that looks like months of work, and the upstream that its models lead to. */
export interface Sample {
  readonly directory: string
  readonly accountId: string
  /** The secret of the key `laptop`; null: the size has no keys. */
  readonly secret: string | null
  /** The token of the first start's one-time link. */
  readonly setUpToken: string
  readonly fake: FakeUpstream
  /** Starts a gateway on the data; its clock stands at the end of the data's time. */
  start(): Promise<SampleProcess>
  /** Puts the data back to what it was, while no gateway runs on it. */
  restore(): Promise<void>
  remove(): Promise<void>
}

/** Makes a sample in a directory of its own below the system's temporary one. */
export async function makeSample(options: SampleOptions): Promise<Sample> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-sample-'))
  const fake = await startFakeUpstream()
  const kept = `${directory}-kept`
  const remove = async (): Promise<void> => {
    await fake.close()
    for (const each of [directory, kept]) await rm(each, { recursive: true, force: true })
  }
  try {
    const made = await fill(directory, { ...options, fake })
    await cp(directory, kept, { recursive: true })
    let starts = 0
    return {
      directory,
      fake,
      ...made,
      start: () =>
        startSampleProcess({
          directory,
          standsAtMs: options.nowMs,
          seed: options.seed === null ? null : `${options.seed} ${++starts}`,
          environment: { ...ENVIRONMENT, ...options.environment },
        }),
      async restore() {
        starts = 0
        await rm(directory, { recursive: true, force: true })
        await cp(kept, directory, { recursive: true })
      },
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const ENVIRONMENT = { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, TOLLGATE_DEMO: '0' }

type Filled = Pick<Sample, 'accountId' | 'secret' | 'setUpToken'>

async function fill(directory: string, options: SampleOptions & { readonly fake: FakeUpstream }): Promise<Filled> {
  const { size, nowMs, fake } = options
  const plan = seedPlanOf(size, nowMs)
  const place = { databaseUrl: null, directory }
  const seeded = plan === null ? null : await seedDatabase(place, plan)
  if (seeded === null) await (await openStore({ ...place, dataDirectory: directory, clock: systemClock })).close()
  else await nameSeededRows(directory, seeded)
  const gateway = await startSampleProcess({
    directory,
    standsAtMs: seeded === null ? nowMs : lifeBeginsMs(nowMs),
    seed: options.seed,
    environment: { ...ENVIRONMENT, ...options.environment },
  })
  try {
    const admin = adminApi(gateway.origin)
    const accountId = seeded?.accountIds[0] ?? (await newAccount(admin))
    const life = { gateway, admin, accountId, fakeUrl: fake.url, nowMs }
    const secret = seeded === null ? null : await liveThrough(life)
    if (size === 'new') await addFirstModels(admin, fake.url)
    if (options.hasFakeModels === true) await addFakeModels(admin)
    const setUpToken = /\/console\/set-up#([\w-]+)/.exec(gateway.printed())?.[1] ?? ''
    await gateway.stop()
    settleRows(directory, { accountId, sinceMs: callsBeginMs(nowMs) })
    return { accountId, secret, setUpToken }
  } finally {
    await gateway.stop()
  }
}

async function newAccount(admin: SampleApi): Promise<string> {
  const account = { email: SAMPLE_EMAIL, password: SAMPLE_PASSWORD }
  const { id } = await admin.ask<AccountView>('POST', '/api/accounts', account)
  const credit = { amount: '10', reason: 'Welcome', kind: 'credit' }
  await admin.ask('POST', `/api/accounts/${id}/ledger`, credit)
  return id
}
